//! The page that people read.

mod common;

use common::{compare, file, json, policy, run};
use std::process::{Command, Stdio};

#[test]
fn every_page_fits_100_columns() {
    let long = format!("--law empirical:{}", (1..200).map(|size| format!("2x{size}")).collect::<Vec<_>>().join("+"));
    for options in [
        "--hosts 1",
        "--hosts 2",
        "--hosts 8",
        "--hosts 8 --split",
        "--hosts 32",
        "--hosts 32 --split",
        "--hosts 200",
        "--hosts 8 --load 0.999999999",
        "--hosts 8 --rate 1e-300",
        "--law pareto:k=1,alpha=1.5",
        "--law pareto:k=1e-60,alpha=1.5",
        "--law deterministic:value=1",
        "--law bounded-pareto:k=332,p=1e10,alpha=1.1 --hosts 2 --load 0.5",
        "--law lognormal:mean=1,scv=1e6 --load 0.9999",
        "--law mixture:0.5*(lognormal:mean=1,scv=1e6)+0.4*(exponential:mean=1)+0.1*(deterministic:value=1) --split",
        "--hosts 3 --cutoffs 1000,20000",
        "--hosts 3 --cutoffs 100,20000",
        "--summary mean=650.7,max=652617,p50=108.6,p75=400,p90=1058,p95=2200,p99=10337,p99.9=45000,min=8.4",
        &long,
    ] {
        let page = compare(options);
        assert_eq!(page.status, Some(0), "{options}: {}", page.err);
        assert!(page.err.is_empty(), "{options}: {}", page.err);
        for line in page.out.lines() {
            assert!(line.chars().count() <= 100, "{options}: {line}");
            assert!(!line.contains("NaN"), "{options}: {line}");
        }
    }
}

#[test]
fn the_page_has_a_row_for_each_policy() {
    let page = compare("").out;
    for (name, start) in [
        ("summary", "  385503 jobs of 526 different sizes"),
        ("percentiles", "  smallest 8.3859   p50 "),
        ("work", "  The largest 1 % of the jobs bring 38.2 % of the work."),
        ("second moment", "  Of E[X^2] the largest job brings 6.14 %, the largest 10 bring "),
        ("farm", "8 hosts at load 0.8, Poisson arrivals at rate "),
        ("advice", "Least mean slowdown: SITA-V (slowdown), "),
        ("largest job", "With and without the largest job (652618): "),
    ] {
        assert!(page.lines().any(|line| line.starts_with(start)), "{name} missing:\n{page}");
    }
    // Once with its means, once with their ranges.
    for policy in ["Random/FCFS", "Random/PS", "SITA-E", "SITA-V (waiting)", "SITA-V (slowdown)"] {
        assert_eq!(page.lines().filter(|line| line.starts_with(&format!("{policy} "))).count(), 2, "{policy}");
    }
    // Eight hosts, each with the load that SITA-E gives it and the share of a split size.
    let hosts: Vec<&str> = page.lines().skip_while(|line| !line.starts_with("Host ")).skip(1).collect();
    assert_eq!(hosts.len(), 8);
    assert!(hosts[..7].iter().all(|line| line.contains(" % of ") && line.contains(" 0.8000 ")), "{page}");
    assert!(hosts[7].contains("rest"));
}

#[test]
fn short_forms_are_explained_where_they_occur() {
    let page = compare("--hosts 2 --load 0.999999999 --split").out;
    assert!(page.contains("(`1-1.0e-9`: the load is below 1 by 1.0e-9)\n"), "{page}");
    assert!(!compare("").out.contains("the load is below 1 by"));
    // Laws whose atoms are not all tried have no distance from the minimum.
    for options in ["", "--split", "--law exponential:mean=1"] {
        let report = json(options);
        let is_known = |id: &str| {
            let row = policy(&report, id);
            row["metrics"].as_object().unwrap().is_empty() || row["optimality"].is_number()
        };
        let all_known = is_known("sita_v_waiting") && is_known("sita_v_slowdown");
        let page = compare(options).out;
        assert_eq!(page.contains("exact, opt. not known"), !all_known, "{page}");
        assert_eq!(page.contains("\nopt. not known: "), !all_known, "{page}");
    }
}

#[test]
fn what_was_assumed_is_on_the_page() {
    let sizes = file("no_names.txt", "1,3\n5,1\n");
    let page = compare(&format!("--sizes {sizes}")).out;
    let assumed = "  Assumed: no header line, so column 1 is read as the size, column 2 as the count of jobs.\n";
    assert!(page.contains(assumed), "{page}");
    assert!(!compare("").out.contains("Assumed"));
}

#[test]
fn many_hosts_are_abridged() {
    let page = compare("--hosts 200").out;
    assert!(page.contains("... hosts 11 to 190: --format csv lists them"), "{page}");
    assert!(page.lines().count() < 80);
}

#[test]
fn infinite_means_keep_their_row() {
    let page = compare("--law exponential:mean=1");
    assert_eq!(page.status, Some(0));
    assert!(page.out.contains("SITA-V (slowdown)"), "{}", page.out);
    assert!(page.out.contains("SITA-V (slowdown): the mean slowdown is infinite for all cutoffs"), "{}", page.out);
    assert!(page.out.contains("the mean slowdown is infinite because E[1/X] is."), "{}", page.out);
    let page = compare("--law pareto:k=1,alpha=1.5");
    assert_eq!(page.status, Some(0));
    assert!(page.out.contains("because E[X^2]"), "{}", page.out);
    assert!(page.out.contains("Least mean response time: Random/PS, 15.000."), "{}", page.out);
}

#[test]
fn a_heavy_atom_is_named_and_can_be_split() {
    let sizes = file("heavy.txt", "1\n1\n1\n10\n");
    let page = compare(&format!("--hosts 2 --sizes {sizes}"));
    assert_eq!(page.status, Some(0));
    let text = page.out.replace("\n  ", " ");
    assert!(text.contains("those of size 10 alone bring a load of 1.2308"), "{text}");
    assert!(text.contains("--split divides them"), "{text}");
    let page = compare(&format!("--hosts 2 --split --sizes {sizes}"));
    assert!(!page.out.contains("no answer"), "{}", page.out);
}

#[test]
fn atoms_that_fit_one_by_one_are_not_blamed_alone() {
    // Three equal loads of 0.66 on two hosts: none is too heavy, but two must share a host.
    let sizes = file("packing.txt", "2\n2\n2\n3\n3\n6\n");
    let page = compare(&format!("--hosts 2 --load 0.99 --sizes {sizes}"));
    assert_eq!(page.status, Some(0));
    assert_eq!(page.out.matches("no answer").count(), 2, "{}", page.out);
    assert!(!page.out.contains("so one host would have"), "{}", page.out);
}

#[test]
fn a_trace_of_one_size_is_deterministic() {
    let sizes = file("single.txt", "5\n5\n5\n");
    let page = compare(&format!("--hosts 2 --load 0.5 --sizes {sizes}"));
    assert_eq!(page.status, Some(0));
    assert!(page.out.contains("  3 jobs, all of one size   mean 5.0000   scv 0\n"), "{}", page.out);
    // E[W] = rho d / (2 (1 - rho)) = 2.5
    assert!(page.out.lines().any(|line| line.starts_with("Random/FCFS") && line.contains(" 2.5000 ")), "{}", page.out);
    let one = file("one.txt", "5\n");
    let page = compare(&format!("--sizes {one}"));
    assert_eq!(page.status, Some(0));
    assert!(!page.out.contains("largest job"), "{}", page.out);
}

#[test]
fn help_and_version() {
    for arguments in [&["--help"][..], &["compare", "--help"], &["help", "compare"], &["simulate", "--help"]] {
        let help = run(arguments, None);
        assert_eq!((help.status, help.err.as_str()), (Some(0), ""));
        assert!(help.out.contains("Examples:"));
        assert!(help.out.lines().all(|line| line.chars().count() <= 100), "{}", help.out);
    }
    let help = run(&["crosscheck", "--help"], None).out;
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    let help = run(&["compare", "--help"], None).out;
    for option in [
        "--hosts",
        "--load",
        "--rate",
        "--sizes",
        "--column",
        "--counts",
        "--law",
        "--summary",
        "--split",
        "--cutoffs",
        "--format",
    ] {
        assert!(help.contains(option), "{option}");
    }
    for law in [
        "exponential",
        "erlang",
        "gamma",
        "hyperexponential",
        "weibull",
        "lognormal",
        "pareto",
        "bounded-pareto",
        "uniform",
        "deterministic",
        "web-files",
        "mixture",
        "empirical",
        "interval",
        "coxian2",
        "phase-type",
    ] {
        assert!(help.contains(&format!("  {law}:")), "{law}");
    }
    let version = run(&["--version"], None);
    assert_eq!(version.out, format!("queueing {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_laws_in_the_help_are_accepted() {
    let help = run(&["compare", "--help"], None).out;
    let laws =
        help.lines().skip_while(|line| !line.starts_with("Laws")).skip(1).take_while(|line| line.starts_with("  "));
    let mut count = 0;
    for law in laws.map(|line| line.split_whitespace().next().unwrap()) {
        let answer = run(&["compare", "--hosts", "2", "--load", "0.5", "--law", law], None);
        assert_eq!(answer.status, Some(0), "{law}: {}", answer.err);
        count += 1;
    }
    assert_eq!(count, 16);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_queueing"))
        .args(["compare", "--hosts", "500", "--format", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
