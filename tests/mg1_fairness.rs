//! Who gains and who loses against processor sharing.

mod common;
use queueing::prelude::*;

#[test]
fn all_can_win_up_to_the_published_loads() {
    // Thresholds by 20-digit quadrature, each to 3e-4.
    for (k, p, alpha, threshold) in
        [(332.0, 1e10, 1.1, 0.9616), (1.0, 1e4, 1.4, 0.9643), (1.0, 1e6, 1.1, 0.9421), (1.0, 1e10, 1.1, 0.9801)]
    {
        let at = |load| {
            mg1::fairness(
                &Workload::with_load(BoundedPareto::new(k, p, alpha).unwrap(), load).unwrap(),
                Discipline::Srpt,
            )
            .unwrap()
        };
        assert!(at(threshold - 4e-4).is_fair(), "{k} {p} {alpha}: {:?}", at(threshold - 4e-4));
        let beyond = at(threshold + 4e-4);
        assert!(
            !beyond.is_fair() && beyond.jobs_worse_off > 0.0 && beyond.load_worse_off > beyond.jobs_worse_off,
            "{beyond:?}"
        );
    }
}

#[test]
fn fair_and_unfair_disciplines() {
    for text in
        ["exponential:mean=2", "uniform:a=1,b=4", "bounded-pareto:k=1,p=1000,alpha=1.5", "empirical:5x1+3x2+2x6"]
    {
        for load in [0.3, 0.5, 0.9] {
            let jobs = Workload::with_load(text.parse::<Law>().unwrap(), load).unwrap();
            let of = |discipline| mg1::fairness(&jobs, discipline).unwrap();
            assert!(of(Discipline::Ps).is_fair() && of(Discipline::PreemptiveLcfs).is_fair());
            assert!(load > 0.5 || of(Discipline::Srpt).is_fair(), "{text} {load}");
            assert!(!of(Discipline::Lrpt).is_fair() && !of(Discipline::Fb).is_fair(), "{text} {load}");
        }
    }
    // Under LRPT all are worse off, under FCFS those that are small.
    let jobs = Workload::with_load(Exponential::with_mean(1.0).unwrap(), 0.5).unwrap();
    let lrpt = mg1::fairness(&jobs, Discipline::Lrpt).unwrap();
    assert_close!(lrpt.jobs_worse_off, 1.0, 1e-12);
    assert_close!(lrpt.load_worse_off, 1.0, 1e-12);
    // x + 1 > 2x below x = 1
    let fcfs = mg1::fairness(&jobs, Discipline::Fcfs).unwrap();
    assert_close!(fcfs.jobs_worse_off, 1.0 - (-1.0_f64).exp(), 1e-12);
    // Two sizes: T(1) = 1 + W, T(3) = 3 + W with W = 5/4 against 2 and 6.
    let two = Workload::with_load(Empirical::from_sizes(&[1.0, 3.0]).unwrap(), 0.5).unwrap();
    let fcfs = mg1::fairness(&two, Discipline::Fcfs).unwrap();
    assert_eq!((fcfs.jobs_worse_off, fcfs.load_worse_off, fcfs.at_size), (0.5, 0.25, 1.0));
    assert_close!(fcfs.largest_ratio, 2.25 / 2.0, 1e-14);
}
