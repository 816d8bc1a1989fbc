//! `queueing stealing`: the numbers against exact chains, the formats against each other, and what it says of bad input.

mod common;

use common::{Run, close, file, json as compare_json, metric as compare_metric, number, run};
use serde_json::Value;

fn stealing(options: &str) -> Run {
    run(&["stealing"].into_iter().chain(options.split_whitespace()).collect::<Vec<_>>(), None)
}

fn json(options: &str) -> Value {
    let run = stealing(&format!("{options} --format json"));
    assert_eq!(run.status, Some(0), "{options}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn row<'a>(report: &'a Value, point: usize, policy: &str) -> &'a Value {
    let rows = report["points"][point]["policies"].as_array().unwrap();
    rows.iter().find(|row| row["policy"] == policy).unwrap_or_else(|| panic!("no {policy}"))
}

fn response(report: &Value, policy: &str, class: &str) -> f64 {
    number(row(report, 0, policy), &format!("{class}/metrics/mean_response_time/value"))
}

const A2: &str = "--short-law exponential:mean=1 --short-load 0.9 --long-law exponential:mean=1 --long-load 0.5";

const POLICIES: [&str; 5] = ["dedicated", "sbcs_id", "sbcs_cq", "sbcs_cq_eager", "sbcs_cq_lazy"];

/// Exact chains of `tests/reference/stealing.csv`, shorts and longs of each policy.
#[test]
fn exact_chains() {
    let d2 =
        "--short-law exponential:mean=1 --short-load 0.9 --long-law hyperexponential:mean=10,scv=8 --long-load 0.5";
    for (options, expected) in [
        (
            A2,
            [
                [10.0, 2.0],
                [2.8282733900, 2.4736842105],
                [2.1008702524, 2.4911501504],
                [2.1359581092, 2.1985298472],
                [2.0880142048, 2.3189016700],
            ],
        ),
        (
            d2,
            [
                [10.0, 55.0],
                [4.1553761513, 55.4736842105],
                [3.7776355551, 55.4049344679],
                [3.7897920966, 55.1612442923],
                [3.7767979022, 55.2489152512],
            ],
        ),
    ] {
        let report = json(options);
        for (policy, [shorts, longs]) in POLICIES.into_iter().zip(expected) {
            close(response(&report, policy, "shorts"), shorts, 1e-6);
            close(response(&report, policy, "longs"), longs, 1e-6);
            let ratio = number(row(&report, 0, policy), "shorts/ratio_to_dedicated/mean_response_time");
            close(ratio, shorts / 10.0, 1e-6);
        }
    }
    // Published method: two-phase busy periods.
    let report = json(&format!("{A2} --three-moments"));
    close(response(&report, "sbcs_cq", "shorts"), 2.0982940532, 1e-9);
    assert_eq!(row(&report, 0, "sbcs_cq")["shorts"]["metrics"]["mean_response_time"]["accuracy"], "approximate");
    let report = json(&format!("{A2} --tolerance 1e-9"));
    close(response(&report, "sbcs_cq", "shorts"), 2.10087025236175, 1e-9);
}

#[test]
fn what_long_hosts_do() {
    let report = json(A2);
    // π₀ = (1 − r_L)/(1 + r_S), and of the shorts those steal that find the long host idle.
    let row_of = |policy| row(&report, 0, policy);
    close(number(row_of("sbcs_id"), "long_host_idle/value"), 0.5 / 1.9, 1e-12);
    close(number(row_of("sbcs_id"), "stolen/value"), 0.5 / 1.9, 1e-12);
    close(number(row_of("dedicated"), "long_host_idle/value"), 0.5, 1e-15);
    for policy in POLICIES {
        let value = |name: &str| number(row_of(policy), &format!("{name}/value"));
        // All work is done by somebody.
        close(value("short_host_utilisation") + value("long_host_utilisation"), 1.4, 1e-6);
        close(value("short_host_utilisation"), 0.9 * (1.0 - value("stolen")), 1e-6);
    }
    close(number(row_of("sbcs_id"), "short_load_limit"), 0.5 * (0.5 + 4.25_f64.sqrt()), 1e-14);
    assert_eq!(number(row_of("sbcs_cq_lazy"), "short_load_limit"), 1.5);
    assert_eq!(number(row_of("dedicated"), "short_load_limit"), 1.0);
}

#[test]
fn several_hosts() {
    // The k-host values of the exact chain; Dedicated is M/M/4 at load 0.9.
    let options = "--short-law exponential:mean=1 --short-load 3.6 --short-hosts 4 \
                   --long-law exponential:mean=1 --long-load 0.5";
    let report = json(options);
    close(response(&report, "sbcs_cq", "shorts"), 1.6854403857, 1e-6);
    close(response(&report, "sbcs_cq", "longs"), 2.6663126530, 1e-6);
    let mm4 = compare_json("--law exponential:mean=1 --hosts 4 --load 0.9");
    close(
        response(&report, "dedicated", "shorts"),
        compare_metric(&mm4, "least_work_left", "mean_response_time"),
        1e-13,
    );
    close(response(&report, "dedicated", "longs"), 2.0, 1e-14);
    let mean = (3.6 * response(&report, "dedicated", "shorts") + 0.5 * 2.0) / 4.1;
    close(response(&report, "dedicated", "all"), mean, 1e-13);
    let report = json(&format!("{options} --long-hosts 2"));
    assert!(row(&report, 0, "sbcs_id")["short_load_limit"].is_null());
    assert_eq!(number(row(&report, 0, "sbcs_cq"), "short_load_limit"), 5.5);
}

#[test]
fn a_sweep_has_a_point_a_load() {
    let options = "--short-law exponential:mean=1 --sweep 0.9,1.2,1.4 --long-law exponential:mean=1 --long-load 0.5";
    let report = json(options);
    let points = report["points"].as_array().unwrap();
    let loads: Vec<f64> = points.iter().map(|point| number(point, "short_load")).collect();
    assert_eq!(loads, [0.9, 1.2, 1.4]);
    close(number(row(&report, 1, "sbcs_id"), "shorts/metrics/mean_response_time/value"), 13.295951842969, 1e-6);
    // Saturated shorts do not hide the longs.
    let saturated = row(&report, 2, "sbcs_id");
    assert!(saturated["shorts"]["metrics"].as_object().unwrap().is_empty());
    assert!(saturated["shorts"]["reason"].as_str().unwrap().contains("their load 1.4000 is not below 1.2808"));
    close(number(saturated, "longs/metrics/mean_response_time/value"), 2.5833333333333333, 1e-12);
    let page = stealing(options).out;
    let limits = page.lines().find(|line| line.starts_with("stable below")).unwrap();
    let limits: Vec<&str> = limits.split_whitespace().skip(2).collect();
    assert_eq!(limits, ["1.0000", "1.2808", "1.5000", "1.5000", "1.5000"]);
    assert_eq!(page.matches("unstable").count(), 5 + 1, "{page}");
}

#[test]
fn csv_holds_what_json_holds() {
    for options in [A2, "--law bounded-pareto:k=1,p=1e3,alpha=1.5 --load 0.6 --split-by 10"] {
        let report = json(options);
        let run = stealing(&format!("{options} --format csv"));
        let mut reader = csv::Reader::from_reader(run.out.as_bytes());
        let columns = ["section", "short_load", "policy", "class", "quantity", "value", "accuracy", "error", "note"];
        assert_eq!(reader.headers().unwrap(), columns.to_vec());
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let find = |policy: &str, class: &str, quantity: &str| {
            let mut found = records.iter().filter(|r| [&r[2], &r[3], &r[4]] == [policy, class, quantity]);
            let value =
                found.next().unwrap_or_else(|| panic!("no {policy} {class} {quantity}"))[5].parse::<f64>().unwrap();
            assert!(found.next().is_none());
            value
        };
        for policy in POLICIES {
            let row = row(&report, 0, policy);
            for class in ["shorts", "longs", "all"] {
                for (name, measured) in row[class]["metrics"].as_object().unwrap() {
                    assert_eq!(find(policy, class, name), number(measured, "value"), "{policy} {class} {name}");
                }
            }
            // Renaming is left out for short sizes of little variability, and says so.
            assert_eq!(row["stolen"].is_null(), row["reason"].is_string(), "{policy}");
            if row["stolen"].is_null() {
                continue;
            }
            for name in ["stolen", "long_host_idle", "short_host_utilisation", "long_host_utilisation"] {
                assert_eq!(find(policy, "", name), number(row, &format!("{name}/value")));
            }
            if !row["division"].is_null() {
                assert_eq!(find(policy, "", "share_of_jobs"), number(row, "division/share_of_jobs"));
            }
        }
    }
}

#[test]
fn dedicated_hosts_of_one_workload_are_sita() {
    let law = "--law bounded-pareto:k=1,p=1e4,alpha=1.2 --load 0.7";
    let sita = compare_json(&format!("{law} --hosts 2 --cutoffs 30"));
    let report = json(&format!("{law} --split-by 30"));
    for name in ["mean_response_time", "mean_waiting_time", "mean_slowdown"] {
        let mean = number(row(&report, 0, "dedicated"), &format!("all/metrics/{name}/value"));
        close(mean, compare_metric(&sita, "sita_given", name), 1e-12);
    }
    let report = json(law);
    close(response(&report, "dedicated", "all"), compare_metric(&sita, "sita_v_waiting", "mean_response_time"), 1e-8);
    assert_eq!(report["minimised"], "mean response time");
    // No worse than at the cutoff of another policy.
    let size = number(row(&report, 0, "dedicated"), "division/cutoff/size");
    let given = json(&format!("{law} --split-by {size}"));
    for policy in ["sbcs_id", "sbcs_cq"] {
        assert!(response(&report, policy, "all") <= response(&given, policy, "all") * 1.001, "{policy}");
    }
    // `compare` has the same two rows.
    let sita = compare_json(&format!("{law} --hosts 2 --stealing"));
    for policy in ["sbcs_id", "sbcs_cq"] {
        let mean = compare_metric(&sita, policy, "mean_response_time");
        close(mean, response(&report, policy, "all"), 1e-6);
        assert!(mean < compare_metric(&sita, "sita_v_waiting", "mean_response_time"));
    }
}

#[test]
fn a_trace_and_a_rate() {
    let sizes = file("stealing_zero.txt", "0\n1\n0\n3\n2\n4\n");
    let run = stealing(&format!(
        "--short-sizes {sizes} --short-rate 0.3 --long-law exponential:mean=10 --long-load 0.4 --format json"
    ));
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(
        run.err.contains("left out 2 jobs of size 0") && run.err.contains("the rate counts all jobs"),
        "{}",
        run.err
    );
    let report: Value = serde_json::from_str(&run.out).unwrap();
    close(number(&report, "workloads/0/load"), 0.3 * 10.0 / 6.0, 1e-14);
}

#[test]
fn every_page_fits_100_columns() {
    for options in [
        A2,
        "--short-law exponential:mean=1 --sweep 1e-3,0.9,1.49999 --long-law lognormal:mean=1e3,scv=20 --long-load 0.5",
        "--split-by 5000 --load 0.6",
        "--short-law deterministic:value=1 --short-load 0.7 --long-law pareto:k=1,alpha=2.5 --long-load 0.5 --three-moments",
        "--short-law exponential:mean=1 --short-load 0.7 --long-law pareto:k=1,alpha=1.5 --long-load 0.5",
        "--short-law exponential:mean=1 --short-load 0.7 --long-law exponential:mean=1 --long-load 1.5",
    ] {
        let page = stealing(options);
        assert_eq!((page.status, page.err.as_str()), (Some(0), ""), "{options}");
        for line in page.out.lines() {
            assert!(line.chars().count() <= 100 && !line.contains("NaN"), "{options}: {line}");
        }
    }
    let help = run(&["stealing", "--help"], None);
    assert!(help.out.lines().all(|line| line.chars().count() <= 100), "{}", help.out);
    for option in
        ["--short-law", "--long-sizes", "--short-rate", "--split-by", "--sweep", "--tolerance", "--short-hosts"]
    {
        assert!(help.out.contains(option), "{option}");
    }
}

#[track_caller]
fn refused(options: &str, expected: &[&str]) {
    let run = stealing(options);
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{options}: {}", run.err);
    assert!(run.err.contains("error: ") && !run.err.contains("panicked"), "{}", run.err);
    for text in expected {
        assert!(run.err.contains(text), "`{text}` is not in: {}", run.err);
    }
}

#[test]
fn bad_input_names_the_remedy() {
    let shorts = "--short-law exponential:mean=1 --short-load 0.9";
    let longs = "--long-law exponential:mean=1 --long-load 0.5";
    refused(shorts, &["sizes of the longs are missing", "--long-law or --long-sizes"]);
    refused(&format!("{longs} --short-load 0.5"), &["sizes of the shorts are missing", "--short-law or --short-sizes"]);
    refused(&format!("--short-law exponential:mean=1 {longs}"), &["load of the shorts is missing", "--sweep"]);
    refused(&format!("{shorts} --long-law exponential:mean=1"), &["load of the longs is missing", "--long-rate"]);
    refused(&format!("{shorts} {longs} --split-by 3"), &["--split-by is for one workload", "leave out"]);
    refused(&format!("{shorts} {longs} --load 0.5"), &["--load is for one workload"]);
    refused("--sweep 0.5,0.9", &["--sweep goes with two workloads"]);
    refused(&format!("{shorts} {longs} --sweep 0.5"), &["cannot be used with"]);
    refused(&format!("{shorts} {longs} --short-rate 1"), &["cannot be used with"]);
    refused(&format!("{shorts} {longs} --short-hosts 65"), &["'65'", "--short-hosts", "from 1 to 64"]);
    refused(&format!("{shorts} {longs} --long-hosts 0"), &["'0'", "--long-hosts", "from 1 to 8"]);
    refused(&format!("{shorts} {longs} --tolerance 1e-20"), &["1e-20", "between 1e-11 and 0.1"]);
    refused(&format!("{shorts} {longs} --tolerance 1e-3 --three-moments"), &["cannot be used with"]);
    for value in ["0", "-1", "nan", "inf"] {
        refused(
            &format!("--short-load {value} --short-law exponential:mean=1 {longs}"),
            &[value, "positive, finite load"],
        );
    }
    refused(&format!("--short-load 80% --short-law exponential:mean=1 {longs}"), &["'80%'", "in hosts: 0.8"]);
    refused(&format!("{shorts} --long-law pareto:k=1,alpha=0.9 --long-load 0.5"), &["infinite", "a finite mean"]);
    let both = "--short-law exponential:mean=1 --short-load 3 --long-law exponential:mean=1";
    refused(&format!("{both} --long-load 1.2"), &["load of 1.2000 to 1 long host", "--long-load below 1.0000"]);
    refused("--short-hosts 2", &["best cutoff", "not for 3 hosts", "--split-by"]);
    refused("--split-by 1", &["--split-by 1", "between 8.3859 and 652618"]);
    refused("--split-by 0", &["'0'", "positive, finite size"]);
    refused("--rate 9", &["--rate below 0.0030736"]);
}
