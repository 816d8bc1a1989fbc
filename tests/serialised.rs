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
}

#[test]
fn intervals_that_split_atoms() {
    let atoms = Law::from(Empirical::from_atoms(&[(1.0, 4.0), (3.0, 2.0), (8.0, 2.0)]).unwrap());
    let split = |size, share| Cutoff::splitting(size, share).unwrap();
    for (lower, upper, text) in [
        (split(1.0, 0.25), split(3.0, 0.5), "interval:a=1,b=3,below_a=0.25,below_b=0.5,law="),
        (split(1.0, 0.25), split(3.0, 1.0), "interval:a=1,b=3,below_a=0.25,law="),
        (Cutoff::LOWEST, split(3.0, 0.0), "interval:a=0,b=3,below_b=0,law="),
        (split(3.0, 0.25), split(3.0, 0.5), "interval:a=3,b=3,below_a=0.25,below_b=0.5,law="),
        (split(8.0, 0.125), Cutoff::HIGHEST, "interval:a=8,b=inf,below_a=0.125,law="),
        (split(1.0, 1.0), split(3.0, 1.0), "interval:a=1,b=3,law="),
    ] {
        let interval = Interval::between(atoms.clone(), lower, upper).unwrap();
        let written = there_and_back(&interval);
        assert!(written.starts_with(&format!("\"{text}")), "{written}");
        there_and_back(&Law::from(interval.clone()));
        // within others
        let mixture =
            Mixture::new([(0.5, interval.clone().into()), (0.5, Exponential::with_mean(1.0).unwrap().into())]);
        there_and_back(&mixture.unwrap());
        there_and_back(&Interval::new(Law::from(interval), 0.5, f64::INFINITY).unwrap());
    }
    // Half of the 3s and three quarters of the 1s: (3 · 1 + 1 · 3)/(1 + 3)
    let law: Law = "interval:below_b=0.5, b=3, law=(empirical:4x1+2x3+2x8), a=1, below_a=0.25".parse().unwrap();
    assert_eq!(law.mean(), 1.5);
    for text in [
        "interval:a=1,b=3,a=2,law=(exponential:mean=1)",
        "interval:a=1,b=3,below_a=0.5,below_a=0.5,law=(exponential:mean=1)",
        "interval:a=1,b=3,law=(exponential:mean=1),law=(exponential:mean=2)",
        "interval:a=1,b=3,below_c=0.5,law=(exponential:mean=1)",
        "interval:a=1,b=3,below_a=1.5,law=(exponential:mean=1)",
        "interval:a=1,b=3,below_a=NaN,law=(exponential:mean=1)",
        "interval:a=-1,b=3,below_a=0.5,law=(exponential:mean=1)",
        "interval:a=3,b=3,below_a=0.5,below_b=0.5,law=(deterministic:value=3)",
        "interval:a=1,below_b=0.5,law=(exponential:mean=1)",
        "interval:a=1,b=3,below_a=0.5",
    ] {
        assert!(text.parse::<Law>().is_err(), "{text}");
    }
}

#[test]
fn a_custom_law_is_refused_wherever_it_stands() {
    let custom = Law::custom(Exponential::with_mean(1.0).unwrap());
    let plain = Law::from(Exponential::with_mean(2.0).unwrap());
    let mixture = Law::from(Mixture::new([(0.5, plain.clone()), (0.5, custom.clone())]).unwrap());
    let interval = Law::from(Interval::new(mixture.clone(), 1.0, 3.0).unwrap());
    let deeper = Law::from(Mixture::new([(0.5, interval.clone()), (0.5, plain.clone())]).unwrap());
    for law in [custom, mixture, interval, deeper] {
        let error = serde_json::to_string(&law).unwrap_err().to_string();
        assert!(error.contains("custom law"), "{law}: {error}");
        assert!(serde_json::to_string(&Workload::new(0.1, law).unwrap()).is_err());
    }
    // What is nested deeper than a text may be is refused on the way out, not on the way in.
    let nested = |depth| (0..depth).fold(plain.clone(), |law, _| Interval::new(law, 0.0, 9.0).unwrap().into());
    there_and_back::<Law>(&nested(32));
    assert!(serde_json::to_string(&nested(33)).is_err());
}

#[test]
fn hosts_without_jobs() {
    // All jobs alike, and whole: one host gets them all, the cutoffs of the others are 0 or infinite.
    let atom = |hosts, load| {
        let size = Deterministic::new(2.0).unwrap();
        Farm::with_load(size, Hosts::identical(hosts).unwrap(), load).unwrap()
    };
    for farm in [atom(2, 0.3), atom(4, 0.2)] {
        let best = sita::optimal(&farm, Metric::MeanWaitingTime, Discipline::Fcfs).unwrap();
        assert!(best.hosts.iter().any(|host| host.fraction == 0.0), "{best:?}");
        assert!(best.cutoffs.sizes().any(|size| size == 0.0 || size.is_infinite()), "{best:?}");
        there_and_back(&best);
        // and they are cutoffs like others
        let back: sita::Cutoffs = serde_json::from_str(&serde_json::to_string(&best.cutoffs).unwrap()).unwrap();
        let again = sita::evaluate(&farm, &back, Discipline::Fcfs).unwrap();
        assert_eq!(again.overall, best.overall);
    }
    assert_eq!(there_and_back(&Cutoff::HIGHEST), r#"["inf",1.0]"#);
    assert_eq!(there_and_back(&Cutoff::LOWEST), "[0.0,1.0]");
    let farm = atom(3, 0.2);
    let written = r#"[[0.0,1.0],["inf",1.0]]"#;
    let cutoffs: sita::Cutoffs = serde_json::from_str(written).unwrap();
    assert_eq!(there_and_back(&cutoffs), written);
    let result = sita::evaluate(&farm, &cutoffs, Discipline::Fcfs).unwrap();
    // One M/D/1 queue at load 0.6: ρd / 2(1−ρ)
    assert!((result.overall.mean_waiting_time().unwrap() - 1.5).abs() < 1e-14);
    there_and_back(&result);
    // A user's own cutoffs divide the jobs.
    assert!(sita::Cutoffs::new(&[0.0]).is_err() && sita::Cutoffs::new(&[f64::INFINITY]).is_err());
    assert!(sita::Cutoffs::from_cutoffs(&[Cutoff::HIGHEST]).is_err());
    assert!(sita::Cutoffs::from_cutoffs(&[Cutoff::LOWEST]).is_err());
}

#[test]
fn infinite_loads() {
    let jobs = Workload::new(0.5, Pareto::new(1.0, 0.9).unwrap()).unwrap();
    assert_eq!((jobs.load(), jobs.spare()), (f64::INFINITY, f64::NEG_INFINITY));
    let written = there_and_back(&jobs);
    assert!(written.ends_with(r#""load":"inf","spare":"-inf"}"#), "{written}");
    for left_out in [r#","load":"inf""#, r#","spare":"-inf""#, r#","load":"inf","spare":"-inf""#] {
        assert_eq!(serde_json::from_str::<Workload<Pareto>>(&written.replace(left_out, "")).unwrap(), jobs);
    }
    for (from, to) in [(r#""inf""#, "5.0"), (r#""-inf""#, "0.5"), (r#""-inf""#, r#""inf""#), (r#""inf""#, r#""NaN""#)] {
        assert!(serde_json::from_str::<Workload<Pareto>>(&written.replace(from, to)).is_err(), "{from} as {to}");
    }
    let farm = Farm::new(jobs, Hosts::identical(2).unwrap());
    there_and_back(&farm);
    let result = sita::evaluate(&farm, &sita::Cutoffs::new(&[1.5]).unwrap(), Discipline::Fcfs).unwrap();
    assert_eq!((result.hosts[1].load, result.hosts[1].spare), (f64::INFINITY, f64::NEG_INFINITY));
    there_and_back(&result);
    there_and_back(&Outcome::Unstable { load: f64::INFINITY, limit: f64::INFINITY });
}

#[test]
fn load_and_spare_may_be_left_out() {
    let jobs = Workload::new(0.25, Law::from(Exponential::with_mean(2.0).unwrap())).unwrap();
    for rest in ["", r#","load":0.5"#, r#","spare":0.5"#, r#","load":null,"spare":0.5"#] {
        let text = format!(r#"{{"rate":0.25,"size":"exponential:mean=2"{rest}}}"#);
        assert_eq!(serde_json::from_str::<Workload>(&text).unwrap(), jobs, "{text}");
        let farm = format!(
            r#"{{"jobs":{text},"hosts":2{}}}"#,
            rest.replace("0.5", "0.25").replace("spare\":0.25", "spare\":0.75")
        );
        let expected = Farm::new(jobs.clone(), Hosts::identical(2).unwrap());
        assert_eq!(serde_json::from_str::<Farm>(&farm).unwrap(), expected, "{farm}");
    }
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
    for text in ["[-1.0,1.0]", "[1.0,1.5]", "[1.0,-0.5]", r#"["-inf",1.0]"#, r#"["NaN",1.0]"#, r#"["ten",1.0]"#] {
        assert!(serde_json::from_str::<Cutoff>(text).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<sita::Cutoffs>(r"[[2.0,1.0],[1.0,1.0]]").is_err());
    for text in [r#"[["inf",1.0],[1.0,1.0]]"#, r"[[1.0,1.0],[0.0,1.0]]"] {
        assert!(serde_json::from_str::<sita::Cutoffs>(text).is_err(), "{text}");
    }
}

#[test]
fn estimates_without_sense_are_refused() {
    let simulated = Accuracy::Simulated { standard_error: 0.25, jobs: 1000 };
    for accuracy in [Accuracy::Exact, Accuracy::Numerical { relative_error: 0.0 }, simulated] {
        there_and_back(&Estimate { value: 2.5, accuracy });
        there_and_back(&Estimate { value: f64::INFINITY, accuracy });
    }
    for text in [
        r#"{"value":"NaN","accuracy":"exact"}"#,
        r#"{"value":"nan","accuracy":"exact"}"#,
        r#"{"value":null,"accuracy":"exact"}"#,
        r#"{"value":1.0,"accuracy":{"numerical":{"relative_error":-1e-10}}}"#,
        r#"{"value":1.0,"accuracy":{"numerical":{"relative_error":"NaN"}}}"#,
        r#"{"value":1.0,"accuracy":{"simulated":{"standard_error":-0.25,"jobs":1000}}}"#,
        r#"{"value":1.0,"accuracy":{"simulated":{"standard_error":null,"jobs":1000}}}"#,
    ] {
        assert!(serde_json::from_str::<Estimate>(text).is_err(), "{text}");
        let whole = format!(r#"{{"model":"M/G/1","estimates":{{"mean_slowdown":{text}}}}}"#);
        assert!(serde_json::from_str::<Performance>(&whole).is_err(), "{whole}");
    }
}

#[test]
fn a_summary_stays_one() {
    let law = Summary::new(650.7, 652_617.0).with_percentile(0.5, 108.6).law().unwrap();
    there_and_back(&law);
    let back: Law = law.to_string().parse().unwrap();
    assert_eq!(back.accuracy(), Accuracy::Approximate { assumption: Assumption::PercentileSummary });
}
