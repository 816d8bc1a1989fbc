//! Sizes from a mean, percentiles and a maximum.

mod common;

use common::{close, compare, json, metric, number};
use queueing::size::{JobSize, Summary};

const VALUES: &str = "mean=650.7,max=652617,p50=108.6,p90=1058,p99=10337";

#[test]
fn the_law_is_that_of_the_library() {
    let law = Summary::new(650.7, 652617.0).with_percentile(0.5, 108.6).with_percentile(0.9, 1058.0);
    let law = law.with_percentile(0.99, 10337.0).with_smallest(8.4).law().unwrap();
    let options = format!("--summary {VALUES},min=8.4 --hosts 1 --load 0.5");
    let report = json(&options);
    close(number(&report, "workload/mean"), 650.7, 1e-12);
    // One host at load 0.5: E[W] = E[X^2] / (2 E[X])
    close(metric(&report, "random_fcfs", "mean_waiting_time"), law.moment(2.0) / (2.0 * law.mean()), 1e-12);
    let assumption = report["workload"]["assumption"].as_str().unwrap();
    assert!(assumption.starts_with(law.assumption().unwrap()), "{assumption}");
    // No jobs were counted, so none can be left out.
    assert!(report["workload"]["jobs"].is_null() && report["without_largest_job"].is_null());
}

#[test]
fn the_order_does_not_matter_and_the_percentiles_are_those_given() {
    let report = json(&format!("--summary {VALUES}"));
    let turned = json("--summary p99=10337,P90=1058,max=652617,p50=108.6,mean=650.7");
    assert_eq!(report["policies"], turned["policies"]);
    for (index, (name, size)) in [("p50", 108.6), ("p90", 1058.0), ("p99", 10337.0)].into_iter().enumerate() {
        let percentile = &report["workload"]["percentiles"][index];
        assert_eq!((percentile["name"].as_str().unwrap(), number(percentile, "size")), (name, size));
    }
}

#[test]
fn the_page_tells_what_was_assumed() {
    let page = compare(&format!("--summary {VALUES}"));
    assert_eq!((page.status, page.err.as_str()), (Some(0), ""));
    let law = Summary::new(650.7, 652617.0).with_percentile(0.5, 108.6).law().unwrap();
    let text = page.out.replace("\n    ", " ");
    assert!(text.starts_with(&format!("summary {VALUES}\n  Assumed: {}. ", law.assumption().unwrap())), "{text}");
    assert!(text.contains("p50 108.60   p90 1058   p99 10337"), "{text}");
}
