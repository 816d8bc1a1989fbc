//! Queues of jobs of one size against roots in high precision and the chain seen at multiples of the size.

mod common;

use common::{Worst, relative_error};
use queueing::prelude::*;

fn fixed(count: usize, load: f64) -> Farm<Deterministic> {
    Farm::with_load(Deterministic::new(1.0).unwrap(), Hosts::identical(count).unwrap(), load).unwrap()
}

/// Roots in 320 digits, the second moment by the round-robin (E_n/D/1) formula: hosts, load, P(W > 0), E[W], E[W²] for size 1.
const EQUAL_SIZES: [(usize, f64, f64, f64, f64); 22] = [
    (1, 0.01, 0.0100000000000000002, 0.00505050505050505061, 0.00341801856953372112),
    (1, 0.3, 0.299999999999999989, 0.214285714285714274, 0.234693877551020391),
    (1, 0.999, 0.998999999999999999, 499.499999999999556, 499333.499999999112),
    (2, 0.01, 0.000197385419360220798, 0.0000660247636307881438, 0.0000330862620507415808),
    (2, 0.3, 0.133582066429424862, 0.05525944472687515, 0.0349696555332437432),
    (2, 0.9, 0.847107642702302414, 2.14692321471582727, 10.3949577395767415),
    (3, 0.6, 0.339829593351272992, 0.158409378340476728, 0.12277855496449727),
    (5, 0.99, 0.973111950672811331, 9.76618967130682862, 194.686062766301184),
    (10, 0.01, 2.51634780677031547e-17, 2.30502875979898927e-18, 3.86645858941719991e-19),
    (10, 0.2, 0.0000465020948749726829, 4.9575385051524082e-6, 9.42898629334573271e-7),
    (10, 0.68, 0.176959478503607837, 0.0345172234797208116, 0.0113887229217767201),
    (10, 0.69, 0.190303737278065802, 0.0380277072845114997, 0.0128717489718121594),
    (10, 0.9999, 0.999599371538923881, 499.829707779365096, 499813.054620219893),
    (50, 0.1, 2.18105921407849422e-32, 4.71974560813890902e-34, 1.99524686691921715e-35),
    (100, 0.05, 5.99187830353568181e-91, 6.23485492072390067e-93, 1.28351592814743679e-94),
    (100, 0.5, 3.20006532874467944e-10, 6.05733798011258914e-12, 2.2164591909928792e-13),
    (100, 0.89, 0.160136598732871032, 0.00939745559975904981, 0.00097171558472214741),
    (100, 0.91, 0.236507860703828774, 0.0162214966342000232, 0.00196805132882204285),
    (100, 0.999, 0.986411177430195553, 4.94353321519638963, 49.4197249130924525),
    (100, 0.9999999, 0.999998634074071548, 49999.9433464597826, 4999994170.6121591),
    (300, 0.8, 0.000104969981535304413, 1.55048241619975118e-6, 4.33291968814560075e-8),
    (300, 0.97, 0.458470093945122179, 0.0288490430712573458, 0.00331227651730674463),
];

#[test]
fn equal_sizes_at_all_loads() {
    let mut worst = Worst::default();
    for (n, load, waits, first, second) in EQUAL_SIZES {
        let queue = multiserver::mdn(&fixed(n, load)).unwrap();
        for (metric, expected, tolerance) in [
            (Metric::ProbabilityOfWaiting, waits, 4e-14),
            (Metric::MeanWaitingTime, first, 4e-14),
            (Metric::SecondMomentWaitingTime, second, 2e-13),
        ] {
            let estimate = queue.estimate(metric).unwrap();
            let error = relative_error(estimate.value, expected);
            assert!(error <= tolerance, "{n} {load} {metric}: {error:e}");
            if let Accuracy::Numerical { relative_error } = estimate.accuracy {
                assert!(
                    error <= relative_error,
                    "{n} {load} {metric}: {error:e} above its estimate {relative_error:e}"
                );
            }
            worst.see(metric.name(), error);
        }
    }
    worst.print("M/D/n, 320 digits");
}

#[test]
fn equal_sizes_against_the_chain_seen_at_multiples_of_the_size() {
    // q -> (q + A − n)⁺ with A Poisson(a): iterate the law of q, then P(W > 0) = P(q + A >= n).
    for (n, load) in [(2, 0.5), (3, 0.6), (10, 0.69), (10, 0.75)] {
        let (a, states) = (n as f64 * load, 400);
        let poisson: Vec<f64> =
            std::iter::successors(Some((0.0, (-a).exp())), |&(k, p)| Some((k + 1.0, p * a / (k + 1.0))))
                .map(|(_, p)| p)
                .take(states)
                .collect();
        let mut law = vec![0.0; states];
        law[0] = 1.0;
        let mut busy = 0.0;
        for _ in 0..400 {
            let mut next = vec![0.0; states];
            busy = 0.0;
            for (q, mass) in law.iter().enumerate() {
                for (arrivals, p) in poisson.iter().enumerate().take(states - q) {
                    next[(q + arrivals).saturating_sub(n)] += mass * p;
                    busy += if q + arrivals >= n { mass * p } else { 0.0 };
                }
            }
            law = next;
        }
        let mean: f64 = law.iter().enumerate().map(|(q, mass)| q as f64 * mass).sum();
        let queue = multiserver::mdn(&fixed(n, load)).unwrap();
        assert_close!(queue.probability_of_waiting().unwrap(), busy, 1e-12, "{n}");
        assert_close!(queue.mean_waiting_time().unwrap(), mean / a, 1e-12, "{n}");
    }
}
