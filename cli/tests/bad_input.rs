//! Bad input: status 2, nothing on standard output, and one message that names the value, the line and the remedy.

mod common;

use common::{Run, compare, file, run};

#[track_caller]
fn refused(run: &Run, expected: &[&str]) {
    assert_eq!(run.status, Some(2), "{}", run.err);
    assert_eq!(run.out, "", "something was printed");
    // Notes may come before it.
    let error = run.err.lines().find(|line| !line.starts_with("note: ")).unwrap_or("");
    assert!(error.starts_with("error: "), "{}", run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
    for text in expected {
        assert!(run.err.contains(text), "`{text}` is not in: {}", run.err);
    }
}

/// A file that is refused, also when it comes through standard input.
#[track_caller]
fn refused_file(name: &str, content: impl AsRef<[u8]>, options: &[&str], expected: &[&str]) {
    let path = file(name, &content);
    let arguments = ["compare", "--sizes"];
    let from_file = run(&[&arguments[..], &[&path], options].concat(), None);
    refused(&from_file, expected);
    let errors = from_file.err.lines().filter(|line| !line.starts_with("note: "));
    assert_eq!(errors.count(), 1, "{}", from_file.err);
    let from_pipe = run(&[&arguments[..], &["-"], options].concat(), Some(content.as_ref()));
    refused(&from_pipe, expected);
    assert!(from_pipe.err.contains("standard input"), "{}", from_pipe.err);
}

#[test]
fn hosts() {
    for value in ["0", "-3", "2.5", "abc", "nan", "inf", "10001", "99999999999999999999", ""] {
        refused(&run(&["compare", "--hosts", value], None), &[value, "--hosts", "a whole number of hosts"]);
    }
}

#[test]
fn load() {
    for value in ["1", "1.5", "1e300", "inf"] {
        refused(&compare(&format!("--load {value}")), &[value, "--load", "grow without bound", "below 1"]);
    }
    for value in ["0", "-0.5", "nan", "-inf"] {
        refused(&compare(&format!("--load {value}")), &[value, "--load", "above 0 and below 1"]);
    }
    refused(&compare("--load x"), &["'x'", "not a number"]);
    refused(&compare("--load 80%"), &["'80%'", "a share of 1: 0.8"]);
    refused(&compare("--load x%"), &["'x%'", "not a number"]);
}

#[test]
fn rate() {
    for value in ["0", "-1", "nan", "inf"] {
        refused(&compare(&format!("--rate {value}")), &[value, "--rate", "positive, finite"]);
    }
    refused(&compare("--rate 0.02"), &["0.02", "load of 1.6268", "--rate below 0.012294", "--hosts 14 or more"]);
    refused(&compare("--rate 1e300"), &["1e300", "--rate below 0.012294"]);
    refused(&compare("--rate 0.001 --load 0.5"), &["--rate", "cannot be used with", "--load"]);
    let huge = file("huge.txt", "1e308\n1e308\n");
    refused(&compare(&format!("--sizes {huge} --rate 1")), &["size 1 is 1e308", "between 1e-70 and 1e70"]);
    // Those 14 hosts are enough.
    assert_eq!(compare("--rate 0.02 --hosts 14").status, Some(0));
}

#[test]
fn laws() {
    for (law, expected) in [
        ("foo", "expected one of exponential"),
        ("exponential", "mean"),
        ("exponential:mean=", "a number"),
        ("exponential:mean=0", "mean = 0"),
        ("exponential:mean=-1", "mean = -1"),
        ("exponential:mean=nan", "mean = NaN"),
        ("exponential:mean=inf", "mean = inf"),
        ("pareto:k=1,alpha=-2", "alpha = -2"),
        ("uniform:a=3,b=1", "= "),
        ("weibull:mean=1,scv=-4", "scv = -4"),
        ("empirical:", "count x size"),
        ("empirical:1x-2", "-2"),
        ("empirical:0x2", "0"),
        ("mixture:0.9*(foo:a=1)+0.1*(deterministic:value=1)", "foo"),
        ("bounded-pareto:k=332,p=1,alpha=1.1", "= "),
    ] {
        refused(&compare(&format!("--law {law}")), &["--law", law, expected]);
    }
    for options in ["", " --rate 0.1"] {
        let run = compare(&format!("--law pareto:k=1,alpha=0.9{options}"));
        refused(&run, &["pareto:k=1,alpha=0.9", "infinite", "a finite mean"]);
    }
}

#[test]
fn options_that_do_not_go_together() {
    refused(&compare("--law exponential:mean=1 --sizes a.txt"), &["--law", "cannot be used with"]);
    refused(&compare("--column a"), &["--sizes"]);
    refused(&compare("--stealing --hosts 3"), &["not 3 hosts", "--hosts 2"]);
    refused(&compare("--sizes a.txt --counts a"), &["--column"]);
    refused(&compare("--format xml"), &["'xml'", "table, csv, json"]);
    refused(&compare("--hots 3"), &["--hots", "--hosts"]);
    refused(&compare("t20.txt"), &["'t20.txt'", "tip: ", "'--sizes t20.txt'"]);
    refused(&compare("exponential:mean=1"), &["tip: ", "'--law exponential:mean=1'"]);
    refused(&run(&["compair"], None), &["compair", "compare"]);
    let empty = run(&[], None);
    assert_eq!((empty.status, empty.out.as_str()), (Some(2), ""));
}

#[test]
fn numbers_in_files() {
    refused_file("negative.txt", "1\n2\n-3\n", &[], &["line 3", "-3", "negative", "remove the line"]);
    refused_file("negative_crlf.txt", "runtime\r\n\r\n# c\r\n1\r\n-3\r\n", &[], &["line 5", "-3"]);
    refused_file("blank_lines.txt", "1\n\n\n# x\n 2 \n  \n -3", &[], &["line 7", "-3"]);
    refused_file("nan.txt", "1\nNaN\n", &[], &["line 2", "`NaN`", "missing", "remove the lines"]);
    refused_file("infinite.txt", "1\n1e999\n", &[], &["line 2", "1e999", "not finite"]);
    refused_file("word.txt", "1\n2\nabc\n", &[], &["line 3", "`abc`", "not a number"]);
    refused_file("unit.txt", "3s\n4s\n", &[], &["line 1", "`3s`", "not a number"]);
    refused_file("blanks.txt", "1\n1 2\n", &[], &["line 2", "`1 2`", "not a number", "semicolons, tabs or blanks"]);
    refused_file("commented.txt", "1 # one\n2\n\n-3 # below\n", &[], &["line 4", "-3"]);
    refused_file("decimal_comma.csv", "a;size\n1;2,5\n", &[], &["line 2", "`2,5`", "not a number"]);
    refused_file("negative_count.csv", "size,count\n1,2\n3,-4\n", &[], &["line 3", "count -4", "negative"]);
    refused_file("missing.csv", "size,count\n1,2\n,4\n", &[], &["line 3", "size is missing"]);
    refused_file("long.txt", "x".repeat(10_000) + "\n" + &"y".repeat(10_000), &[], &["line 2", "yyy...`"]);
}

#[test]
fn missing_sizes() {
    for mark in ["", "NA", "NaN", "null", "-", "na"] {
        let name = format!("missing_{}_{}.csv", mark.len(), mark);
        let expected = ["line 3", "the size is missing", mark, "remove the lines without a size"];
        refused_file(&name, format!("user,size\na,1\nb,{mark}\n"), &[], &expected);
    }
    // As the first line it is no name.
    refused_file("missing_first.csv", "NA,1\n2,3\n", &["--column", "1"], &["line 1", "the size is missing (`NA`)"]);
}

#[test]
fn counts_that_nobody_announced_are_whole() {
    let expected =
        ["note: ", "no header line", "line 2", "234.5 is not whole", "header line", "one size a line", "comma"];
    refused_file("thousands.txt", "1,234\n1,234.5\n", &[], &expected);
    refused_file("fractions.txt", "1 2\n3 0.5\n", &[], &["line 2", "0.5 is not whole"]);
}

#[test]
fn notes_come_before_the_error() {
    let zeros = file("zeros_and_rate.txt", "0\n0\n5\n7\n");
    let run = compare(&format!("--sizes {zeros} --rate 9"));
    refused(
        &run,
        &["left out 2 jobs of size 0", "the rate counts all jobs", "rate below 2.6667", "--hosts 28 or more"],
    );
    assert!(run.err.starts_with("note: ") && run.err.lines().count() == 3, "{}", run.err);
    // Those 28 hosts are enough.
    assert_eq!(compare(&format!("--sizes {zeros} --rate 9 --hosts 28")).status, Some(0));
}

#[test]
fn columns() {
    refused_file("ragged.csv", "size,count\n1,2\n3\n", &[], &["line 3", "1 column", "2"]);
    refused_file("no_header.csv", "1,2,3\n4,5,6\n", &[], &["line 1", "3 columns", "--column"]);
    refused_file("no_size.csv", "a,b\n1,2\n", &[], &["line 1", "`a`, `b`", "--column"]);
    refused_file("unknown.csv", "a,b\n1,2\n", &["--column", "c"], &["line 1", "`c`", "`a`, `b`"]);
    let options = ["--column", "a", "--counts", "c"];
    refused_file("unknown_counts.csv", "a,b\n1,2\n", &options, &["line 1", "`c`", "`a`, `b`"]);
    refused_file("twice.csv", "a,a\n1,2\n", &["--column", "a"], &["line 1", "`a` twice"]);
    refused_file("nameless.csv", "1,2\n", &["--column", "a"], &["line 1", "`a`", "header"]);
    refused_file("quoted_bad.csv", "n,x\r\n\"c\r\nd\",4\r\n\"e\",-5\r\n", &["--column", "x"], &["line 4", "-5"]);
    let options = ["--column", "3"];
    refused_file("third.csv", "1,2\n", &options, &["line 1", "`3`", "2 columns", "a number from 1 to 2"]);
    refused_file("third_named.csv", "a,b\n1,2\n", &options, &["line 1", "`3`", "`a`, `b`"]);
    refused_file("zeroth.csv", "1,2\n", &["--column", "0"], &["line 1", "`0`", "a number from 1 to 2"]);
    refused_file("cases.csv", "Size,SIZE\n1,2\n", &[], &["line 1", "`size` twice"]);
    refused_file("open_quote.csv", "size\n\"1\n2\n", &[], &["line 2", "not a number"]);
}

#[test]
fn cutoffs() {
    refused(
        &compare("--cutoffs 10,200"),
        &["number of cutoffs = 2", "one fewer than the hosts (8 hosts)", "--hosts 3"],
    );
    refused(&compare("--hosts 3 --cutoffs 200,10"), &["200,10", "cutoff 2 is 10", "above the cutoff before it"]);
    refused(&compare("--hosts 2 --cutoffs 7"), &["cutoff 1 is 7", "support", "from 8.3859 to 652618"]);
    for value in ["", "a", "1,,2", "1;2"] {
        refused(&run(&["compare", "--cutoffs", value], None), &["--cutoffs", "separated by commas"]);
    }
    for value in ["0", "-1", "nan", "inf"] {
        refused(&compare(&format!("--cutoffs {value}")), &["--cutoffs", "cutoff 1 is", "positive and finite"]);
    }
}

#[test]
fn monitoring_summaries() {
    for (summary, expected) in [
        ("", "key=value"),
        ("mean=1", "max is missing"),
        ("max=1", "mean is missing"),
        ("mean=1,max=x", "`x` of max is not a number"),
        ("mean=1,max=2,max=3", "max is given twice"),
        ("mean=1,max=2,q=3", "`q` is none of mean, max, min"),
        ("mean=1,max=2,p100=3", "`p100` is none of"),
        ("mean=1,max=2,p50=3", "largest = 2: must not be below 3"),
        ("mean=-1,max=2", "mean = -1"),
        ("mean=nan,max=2", "mean = NaN"),
        ("mean=3,max=2", "mean = 3"),
        ("mean=1,max=inf,p50=1", "inf"),
        ("mean=1,max=2,min=0", "smallest = 0"),
    ] {
        refused(&run(&["compare", "--summary", summary], None), &["--summary", summary, expected]);
    }
    refused(&compare("--summary mean=1,max=2 --sizes a.txt"), &["--summary", "cannot be used with"]);
    refused(&compare("--summary mean=1,max=2 --law exponential:mean=1"), &["--summary", "cannot be used with"]);
}

#[test]
fn files_without_sizes() {
    refused_file("empty.txt", "", &[], &["no sizes", "at least one job"]);
    refused_file("blank.txt", "\n \n# nothing\n", &[], &["no sizes"]);
    refused_file("header.csv", "size,count\n", &[], &["no sizes"]);
    refused_file("no_column.csv", "", &["--column", "a"], &["no column `a`"]);
    refused_file("zeros.txt", "0\n0\n", &[], &["all 2 jobs have size 0"]);
    refused_file("counted_zeros.csv", "size,count\n0,7\n", &[], &["all 7 jobs have size 0"]);
}

#[test]
fn standard_workload_format() {
    let record = |run_time: &str| format!("1 0 -1 {run_time} 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n");
    refused_file("negative.swf", format!("; log\n{}", record("-5")), &[], &["line 2", "-5", "negative"]);
    refused_file("word.swf", format!("; log\n{}", record("x")), &[], &["line 2", "`x`", "column 4"]);
    refused_file("cut.swf", format!("; log\n{}1 0 -1 5\n", record("3")), &[], &["line 3", "4 columns", "18"]);
    refused_file("unknown.swf", format!("; log\n{}", record("-1")), &[], &["all 1 job", "unknown size"]);
    let both = format!("; log\n{}{}", record("-1"), record("0"));
    refused_file("nothing.swf", both, &[], &["all 2 jobs have size 0 or unknown"]);
    let log = format!("; log\n{}", record("3"));
    refused_file("columns.swf", &log, &["--column", "a"], &["`a`", "leave out --column", "1 to 18"]);
    refused_file("beyond.swf", &log, &["--column", "19"], &["`19`", "1 to 18"]);
    refused_file("counts.swf", &log, &["--column", "4", "--counts", "5"], &["leave out --counts"]);
}

#[test]
fn files_that_are_no_text() {
    refused_file("program.bin", b"\x7fELF\x02\x01\x01\0\0", &[], &["not a text file", "line 1"]);
    refused_file("latin.txt", b"1\n2\n\xe9\n", &[], &["UTF-8", "line 3", "0xe9"]);
    refused_file("sixteen.txt", b"\xff\xfe1\0\n\0", &[], &["UTF-16", "UTF-8"]);
    refused_file("packed.gz", b"\x1f\x8b\x08\0\0", &[], &["compressed", "gzip -dc"]);
}

#[test]
fn files_that_cannot_be_read() {
    refused(&compare("--sizes no/such/file.txt"), &["no/such/file.txt", "cannot read", "--sizes"]);
    refused(&compare("--sizes ."), &["cannot read"]);
}
