//! Priority classes: the rows of priority.csv, identities, and overload.

mod common;
use common::{Row, Worst, number, relative_error, table};
use queueing::prelude::*;

fn classes(row: &Row) -> Vec<Workload<Law>> {
    let parts = |column: &str| row[column].split('|').map(str::to_owned).collect::<Vec<_>>();
    let (laws, params, loads) = (parts("laws"), parts("params"), parts("loads"));
    let law = |i: usize| format!("{}:{}", laws[i], params[i].replace(';', ",")).parse::<Law>().unwrap();
    (0..laws.len()).map(|i| Workload::with_load(law(i), loads[i].parse().unwrap()).unwrap()).collect()
}

fn queue(row: &Row) -> ByClass {
    match row["discipline"].as_str() {
        "nonpreemptive" => mg1::non_preemptive_priority(&classes(row)).unwrap(),
        "preemptive_resume" => mg1::preemptive_priority(&classes(row)).unwrap(),
        other => panic!("{other}"),
    }
}

#[test]
fn every_row() {
    let mut worst = Worst::default();
    for row in table("priority.csv") {
        let class = &queue(&row).classes[row["class"].parse::<usize>().unwrap() - 1];
        let expected = number(&row, "value").unwrap();
        let name = row["quantity"].replace("moment_", "moment of the ").replace('_', " ");
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name).unwrap();
        let value = match class {
            Outcome::Unstable { .. } => f64::INFINITY,
            Outcome::Stable(_) => class.estimate(metric).unwrap().value,
        };
        let error = relative_error(value, expected);
        assert!(error <= 2e-14, "{row:?}: {value:e}, off by {error:e}");
        worst.see(&format!("{} {metric}", row["discipline"]), error);
    }
    worst.print("priority.csv");
    assert_eq!(worst.count(), table("priority.csv").len());
}

#[test]
fn one_class_is_fcfs() {
    let jobs = Workload::with_load(BoundedPareto::new(1.0, 1e6, 1.1).unwrap(), 0.8).unwrap();
    let fcfs = mg1::fcfs(&jobs).unwrap();
    let alone = std::slice::from_ref(&jobs);
    for queue in [mg1::non_preemptive_priority(alone), mg1::preemptive_priority(alone)] {
        let queue = queue.unwrap();
        for (metric, estimate) in queue.classes[0].performance().unwrap().metrics() {
            assert_close!(estimate.value, fcfs.estimate(metric).unwrap().value, 1e-14, "{metric}");
            assert_close!(queue.overall.estimate(metric).unwrap().value, estimate.value, 1e-14, "{metric}");
        }
    }
}

#[test]
fn a_class_for_each_size_is_shortest_job_first() {
    let sizes = [(1.0, 5.0), (2.0, 3.0), (6.0, 2.0)];
    let whole = Workload::with_load(Empirical::from_atoms(&sizes).unwrap(), 0.8).unwrap();
    let class = |(size, count): (f64, f64)| {
        Workload::new(whole.rate() * count / 10.0, Deterministic::new(size).unwrap()).unwrap()
    };
    let classes = sizes.map(class);
    for (by_class, discipline) in [
        (mg1::non_preemptive_priority(&classes).unwrap(), Discipline::Sjf),
        (mg1::preemptive_priority(&classes).unwrap(), Discipline::PreemptiveSjf),
    ] {
        let queue = mg1::performance(&whole, discipline).unwrap();
        for (metric, estimate) in queue.metrics() {
            assert_close!(
                by_class.overall.estimate(metric).unwrap().value,
                estimate.value,
                1e-13,
                "{discipline} {metric}"
            );
        }
    }
}

#[test]
fn work_is_conserved() {
    // Kleinrock: Σ ρ_j W_j = ρ W_FCFS without interruptions, whatever the order of the classes.
    let law = |text: &str| text.parse::<Law>().unwrap();
    let mut classes = vec![
        Workload::with_load(law("weibull:shape=0.5,scale=3"), 0.3).unwrap(),
        Workload::with_load(law("uniform:a=1,b=4"), 0.2).unwrap(),
        Workload::with_load(law("empirical:3x1+1x20"), 0.4).unwrap(),
    ];
    let rate_square: f64 = classes.iter().map(|jobs| jobs.rate() * jobs.size().moment(2.0)).sum();
    for _ in 0..3 {
        classes.rotate_left(1);
        let queue = mg1::non_preemptive_priority(&classes).unwrap();
        let work: f64 = classes
            .iter()
            .zip(&queue.classes)
            .map(|(jobs, class)| jobs.load() * class.mean_waiting_time().unwrap())
            .sum();
        assert_close!(work, 0.9 * rate_square / (2.0 * 0.1), 1e-13);
    }
}

#[test]
fn a_saturated_class_takes_what_is_left() {
    // Class 1 with a class 2 that is always present, in service whenever class 1 leaves the server: it waits for what is left of jobs
    // of class 2 that start at rate (1−ρ₁)/E[X₂]. With exponential sizes of mean 1, W₁ = (0.6 + 0.4)/(1−0.6).
    let class = |load: f64| Workload::with_load(Exponential::with_mean(1.0).unwrap(), load).unwrap();
    let queue = mg1::non_preemptive_priority(&[class(0.6), class(0.7), class(0.1)]).unwrap();
    assert_close!(queue.classes[0].mean_waiting_time().unwrap(), 2.5, 1e-14);
    assert_eq!(queue.classes[0].probability_of_waiting().unwrap(), 1.0);
    assert!(!queue.classes[1].is_stable() && !queue.classes[2].is_stable() && !queue.overall.is_stable());
    assert!(matches!(mg1::preemptive_priority(&[class(1.5), class(0.1)]), Err(Error::Unstable { .. })));
    assert!(mg1::non_preemptive_priority::<Exponential>(&[]).is_err());
}
