//! Sizes that laws draw themselves against their own tails and moments.
#![cfg(feature = "sim")]

use queueing::Random;
use queueing::prelude::*;

const TEXTS: [&str; 21] = [
    "exponential:mean=3",
    "erlang:stages=3,mean=2",
    "erlang:stages=40,mean=2",
    "gamma:shape=0.3,scale=3",
    "gamma:shape=2.5,scale=3",
    "hyperexponential:p1=0.9,mean1=0.5,mean2=8",
    "weibull:shape=0.5,scale=2",
    "lognormal:mu=0,sigma=1.5",
    "pareto:k=1,alpha=2.5",
    "bounded-pareto:k=332,p=1e10,alpha=1.1",
    "bounded-pareto:k=1,p=100,alpha=1",
    "uniform:a=1,b=4",
    "uniform:a=0,b=4",
    "coxian2:rate1=2,rate2=0.1,p=0.15",
    "phase-type:alpha=[0.5,0.3],t=[-1,0.5;0.2,-2]",
    "web-files:mu=9.357,sigma=1.318,k=133000,alpha=1.1,tail=0.07",
    "mixture:0.9*(exponential:mean=1)+0.1*(pareto:k=1,alpha=2)",
    "empirical:2x2+1x4+1x8",
    "interval:a=1,b=3,law=(exponential:mean=2)",
    "interval:a=2,b=8,below_a=0.5,below_b=0.25,law=(empirical:2x2+1x4+1x8)",
    "deterministic:value=3",
];

/// The shares of jobs beyond ten quantiles are binomial with the law's own tail.
#[test]
fn the_shares_beyond_quantiles_are_those_of_the_law() {
    let jobs = 200_000;
    let mut sizes = vec![0.0; jobs];
    for (index, text) in TEXTS.into_iter().enumerate() {
        let law: Law = text.parse().unwrap();
        law.draw(&mut Random::stream(11, index as u32), &mut sizes);
        let (low, high) = law.support();
        assert!(sizes.iter().all(|size| (low..=high).contains(size)), "{text}");
        for p in [0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999, 0.9999] {
            let x = law.quantile(p);
            let tail = law.sf(x);
            let beyond = sizes.iter().filter(|size| **size > x).count() as f64 / jobs as f64;
            let sigma = (tail * (1.0 - tail) / jobs as f64).sqrt();
            // 210 comparisons: 4.2 standard errors are a level of 0.5 % for all of them together.
            assert!((beyond - tail).abs() <= 4.2 * sigma + 1e-15, "{text}, {p}: {beyond} beyond {x}, expected {tail}");
        }
    }
}

#[test]
fn streams_are_pinned() {
    let mut random = Random::new(20261129);
    assert_eq!(random.bits(), 2977647188229618694);
    assert_eq!(
        [random.uniform(), random.exponential(), random.normal()],
        [0.2402702320410146, 0.13049800297148448, -0.004513943334846468]
    );
    assert_eq!(Random::stream(20261129, 3).bits(), 16940029905085768302);
    // One by one or many at once: the same law, other bits.
    let mut many = vec![0.0; 1_000_000];
    random.exponentials(&mut many);
    let mean = many.iter().sum::<f64>() / 1e6;
    assert!((mean - 1.0).abs() < 4e-3, "{mean}");
    let beyond = many.iter().filter(|x| **x > 7.7).count() as f64;
    assert!((beyond - 1e6 * (-7.7_f64).exp()).abs() < 4.0 * 453.0_f64.sqrt(), "{beyond}");
    assert!((0..1000).all(|_| random.below(7) < 7));
    assert_eq!(random.below(0), 0);
}
