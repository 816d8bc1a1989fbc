//! Files of sizes in every format.

mod common;

use common::{Run, compare, file, number, run};

const SWF: &str = "\
; Version: 2.2
;
  1  0 -1 10 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
  2  5 -1 -1 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
; a note between records
  3  9 -1  0 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
  4 12 -1 30 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
";

/// That an answer to good input has these jobs, mean and notes.
#[track_caller]
fn check(run: &Run, jobs: f64, mean: f64, notes: &[&str]) {
    assert_eq!(run.status, Some(0), "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((number(&report, "workload/jobs"), number(&report, "workload/mean")), (jobs, mean));
    assert_eq!(run.err.lines().count(), notes.len(), "{}", run.err);
    for note in notes {
        assert!(run.err.contains(note), "{}", run.err);
    }
}

#[track_caller]
fn read(name: &str, content: impl AsRef<[u8]>, options: &[&str], jobs: f64, mean: f64, notes: &[&str]) {
    let path = file(name, &content);
    let arguments = ["compare", "--format", "json", "--sizes"];
    let from_file = run(&[&arguments[..], &[&path], options].concat(), None);
    check(&from_file, jobs, mean, notes);
    let from_pipe = run(&[&arguments[..], &["-"], options].concat(), Some(content.as_ref()));
    check(&from_pipe, jobs, mean, notes);
}

#[test]
fn one_size_a_line() {
    let named = ["first line `runtime` taken as the column's name"];
    read("plain.txt", "1\n2\n3\n", &[], 3.0, 2.0, &[]);
    read("no_end.txt", "1\n2e0\n+3.0", &[], 3.0, 2.0, &[]);
    read("comments.txt", "# sizes\n\nruntime\n 1\n\n  # more\n2 \n\t3\n \n", &[], 3.0, 2.0, &named);
    read("crlf.txt", "runtime\r\n1\r\n2\r\n3\r\n", &[], 3.0, 2.0, &named);
    read("size.txt", "Size\n1\n2\n3\n", &[], 3.0, 2.0, &[]);
    read("words.txt", "run time\n1\n2\n3\n", &[], 3.0, 2.0, &["first line `run time` taken"]);
    read("chosen.txt", "runtime\n1\n2\n3\n", &["--column", "runtime"], 3.0, 2.0, &[]);
    read("mark.txt", "\u{feff}1\n2\n3\n", &[], 3.0, 2.0, &[]);
    read("zero.txt", "0\n1\n3\n0.0\n", &[], 2.0, 2.0, &["left out 2 jobs of size 0"]);
    read("swf_by_name_only.dat", "5\n", &[], 1.0, 5.0, &[]);
}

#[test]
fn comments_after_data() {
    read("inline.txt", "1 # one\n2\n3 # three, or so\n", &[], 3.0, 2.0, &[]);
    read("inline_counts.csv", "size,count # jobs\n1,3 # often\n5,1\n", &[], 4.0, 2.0, &[]);
    read("inline_blanks.txt", "1 3 # often\n5 1 # once\n", &[], 4.0, 2.0, &["no header line"]);
    // A # in a name, and one in quotation marks, is no comment.
    let content = "name,size\njob #7,1\n\"5 # x\",3\n";
    read("names.csv", content, &[], 2.0, 2.0, &[]);
}

#[test]
fn blanks_between_columns() {
    read("blank.txt", "1   3\n5\t1\n", &[], 4.0, 2.0, &["no header line"]);
    read("blank_counts.txt", "# log\n size  count\n\n    1  3\n    5  1\n", &[], 4.0, 2.0, &[]);
    read("blank_name.txt", "user runtime\na 1\nb 3\n", &["--column", "runtime"], 2.0, 2.0, &[]);
    read("blank_number.txt", "1 a 4\n3 b 8\n", &["--column", "3"], 2.0, 6.0, &[]);
}

#[test]
fn size_and_count() {
    read("counts.csv", "size,count\n1,3\n5,1\n", &[], 4.0, 2.0, &[]);
    read("turned.csv", "count,size\n3,1\n1,5\n", &[], 4.0, 2.0, &[]);
    read("counts.tsv", "size\tcount\n1\t3\n5\t1\n", &[], 4.0, 2.0, &[]);
    read("semicolon.csv", "size;count\n1;3\n5;1\n", &[], 4.0, 2.0, &[]);
    read("bare.csv", "1,3\n5,1\n", &[], 4.0, 2.0, &["no header line"]);
    read("case.csv", "Size;Count\n1;3\n5;1\n", &[], 4.0, 2.0, &[]);
    read("none.csv", "size,count\n1,3\n7,0\n5,1\n", &[], 4.0, 2.0, &[]);
    read("unused.csv", "user,size\na,1\nb,3\n", &[], 2.0, 2.0, &[]);
}

#[test]
fn columns_by_name() {
    let content = "\"user\",\"run, time\",2nd\r\n\"a,\nb\",1,4\r\nc,\"3\",8\r\n";
    read("quoted.csv", content, &["--column", "run, time"], 2.0, 2.0, &[]);
    read("digit.csv", content, &["--column", "2nd"], 2.0, 6.0, &[]);
    let content = "tasks,jobs\n1,3\n5,1\n";
    read("tasks.csv", content, &["--column", "tasks", "--counts", "jobs"], 4.0, 2.0, &[]);
    read("rows.csv", content, &["--column", "tasks"], 2.0, 3.0, &[]);
    let content = "size,count\n1,3\n5,1\n";
    read("doubtful.csv", content, &["--column", "size"], 2.0, 3.0, &["each row is one job"]);
}

#[test]
fn columns_by_number() {
    let bare = "a,1,4\nb,3,8\n";
    read("bare_2.csv", bare, &["--column", "2"], 2.0, 2.0, &[]);
    read("bare_3.csv", bare, &["--column", "3"], 2.0, 6.0, &[]);
    read("bare_counts.csv", "1,3,7\n5,1,7\n", &["--column", "1", "--counts", "2"], 4.0, 2.0, &[]);
    // Two columns of which one is chosen: each row is one job.
    read("bare_rows.csv", "1,3\n5,1\n", &["--column", "1"], 2.0, 3.0, &[]);
    let named = "2nd,1st\n1,4\n3,8\n";
    read("named_1.csv", named, &["--column", "2nd"], 2.0, 2.0, &[]);
    read("headed.csv", "a,b\n1,4\n3,8\n", &["--column", "2"], 2.0, 6.0, &[]);
    // A name goes before a number, and its exact spelling before another.
    read("spelling.csv", "A,a\n1,4\n3,8\n", &["--column", "a"], 2.0, 6.0, &[]);
    read("upper.csv", "Run,User\n1,4\n3,8\n", &["--column", "RUN"], 2.0, 2.0, &[]);
    // A column without numbers above it has a header line, even if the others' names start with digits.
    read("mixed.csv", "run,99\n1,4\n3,8\n", &["--column", "1"], 2.0, 2.0, &[]);
}

#[test]
fn standard_workload_format() {
    let notes = ["left out 1 job of size 0", "left out 1 job of unknown size (-1)"];
    read("log.swf", SWF, &[], 2.0, 20.0, &notes);
    read("log.txt", SWF, &[], 2.0, 20.0, &notes);
    read("run_times.swf", SWF, &["--column", "4"], 2.0, 20.0, &notes);
    read("processors.swf", SWF, &["--column", "5"], 4.0, 1.0, &[]);
    let records: Vec<&str> = SWF.lines().filter(|line| !line.starts_with(';')).collect();
    read("records.txt", records.join("\r\n"), &[], 2.0, 20.0, &notes);
}

#[test]
fn a_million_sizes_are_no_trouble() {
    let sizes: Vec<String> = (0..1_000_000_u64).map(|i| (1 + i * 7919 % 1000).to_string()).collect();
    let path = file("million.txt", sizes.join("\n"));
    let run = compare(&format!("--sizes {path} --hosts 3"));
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(run.out.contains("1000000 jobs of 1000 different sizes"), "{}", run.out);
}
