//! Laws, workloads, farms and results through JSON, and what is refused on the way in.
#![cfg(feature = "serde")]

use queueing::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    text
}

#[test]
fn laws_are_their_text() {
    let law: Law = "mixture:0.5*(exponential:mean=1)+0.5*(bounded-pareto:k=1,p=1000000,alpha=1.1)".parse().unwrap();
    assert_eq!(there_and_back(&law), format!("\"{law}\""));
    there_and_back(&Empirical::from_atoms(&[(1.5, 3.0), (2.5, 0.25)]).unwrap());
    assert_eq!(there_and_back(&Pareto::new(1.0, 2.5).unwrap()), "\"pareto:k=1,alpha=2.5\"");
    assert!(serde_json::from_str::<Pareto>("\"exponential:mean=1\"").is_err());
    assert!(serde_json::to_string(&Law::custom(Exponential::with_mean(1.0).unwrap())).is_err());
}

#[test]
fn nouns_and_results() {
    let farm = Farm::with_load(BoundedPareto::new(1.0, 1e6, 1.0).unwrap(), Hosts::identical(3).unwrap(), 0.7).unwrap();
    there_and_back(&farm);
    there_and_back(&sita::optimal(&farm, Metric::MeanSlowdown, Discipline::Fcfs).unwrap());
    // Infinity is an answer in JSON too.
    let jobs = Workload::with_spare(Exponential::with_mean(1.0).unwrap(), 1e-12).unwrap();
    there_and_back(&jobs);
    assert!(there_and_back(&mg1::fcfs(&jobs).unwrap()).contains("\"mean_slowdown\":{\"value\":\"inf\""));
}

#[test]
fn nonsense_is_refused() {
    for text in [
        r#"{"rate":-1,"size":"exponential:mean=1","load":-1,"spare":2}"#,
        r#"{"rate":1,"size":"exponential:mean=1","load":0.5,"spare":0.5}"#,
        r#"{"rate":0.5,"size":"exponential:mean=1","load":0.5,"spare":0.9}"#,
        r#"{"rate":0.5,"size":"exponential:mean=-1","load":0.5,"spare":0.5}"#,
    ] {
        assert!(serde_json::from_str::<Workload>(text).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<Hosts>("0").is_err());
    assert!(serde_json::from_str::<Cutoff>("[-1.0,1.0]").is_err());
    assert!(serde_json::from_str::<sita::Cutoffs>(r"[[2.0,1.0],[1.0,1.0]]").is_err());
}
