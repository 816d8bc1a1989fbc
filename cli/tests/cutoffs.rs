//! Cutoffs that the user gives.

mod common;

use common::{close, compare, json, metric, number, policy};

#[test]
fn two_hosts_of_one_size_each() {
    // Sizes 1, 1, 1, 10; each host serves one size, so E[W] = rho d / (2 (1 - rho)).
    let report = json("--law empirical:3x1+1x10 --hosts 2 --load 0.4 --cutoffs 1");
    let hosts = &policy(&report, "sita_given")["hosts"];
    let (small, large) = (0.6 / 3.25, 2.0 / 3.25);
    close(number(hosts, "0/load"), small, 1e-14);
    close(number(hosts, "1/load"), large, 1e-14);
    assert_eq!(number(hosts, "0/cutoff/size"), 1.0);
    let waiting = 0.75 * small / (2.0 * (1.0 - small)) + 0.25 * 10.0 * large / (2.0 * (1.0 - large));
    close(metric(&report, "sita_given", "mean_waiting_time"), waiting, 1e-13);
}

#[test]
fn the_best_cutoffs_given_are_as_good_as_found() {
    let found = json("--hosts 4");
    for (id, name) in [("sita_v_waiting", "mean_waiting_time"), ("sita_v_slowdown", "mean_slowdown")] {
        let hosts = policy(&found, id)["hosts"].as_array().unwrap();
        let sizes: Vec<String> = hosts[..3].iter().map(|host| number(host, "cutoff/size").to_string()).collect();
        let given = json(&format!("--hosts 4 --cutoffs {}", sizes.join(",")));
        close(metric(&given, "sita_given", name), metric(&found, id, name), 1e-12);
        let held = given["without_largest_job"]["held_fixed"].as_str().unwrap();
        assert!(held.contains("the given cutoffs"), "{held}");
    }
}

#[test]
fn a_saturated_host_is_reported() {
    let options = "--hosts 3 --cutoffs 100,20000";
    let page = compare(options);
    assert_eq!(page.status, Some(0), "{}", page.err);
    let reason = "SITA (given): host 2 has load 1.7452, and at load 1 or more its queue grows without bound.";
    assert!(page.out.contains(reason), "{}", page.out);
    assert!(page.out.lines().any(|line| line.starts_with("   2      20000    1.745  51.3 %")), "{}", page.out);
    let report = json(options);
    let row = policy(&report, "sita_given");
    assert!(row["metrics"].as_object().unwrap().is_empty());
    // The others keep their finite values.
    assert!(number(row, "hosts/0/metrics/mean_waiting_time/value") > 0.0);
    assert!(row["hosts"][1]["reason"].as_str().unwrap().contains("no steady state"));
}
