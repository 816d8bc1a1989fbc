//! Absurd but legal input: every answer is finite, a documented infinity or an error, and identities hold.

mod common;

use queueing::markov::fit::{Moments, Variant, coxian2, erlang_coxian, law, positive, smallest_order, two_moments};
use queueing::markov::{BusyPeriod, Ctmc, DMatrix, Map, MapQueue, Qbd, Reduction};
use queueing::prelude::*;
use queueing::size::{Complex64, PhaseType};

struct Stream(u64);

impl Stream {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn decade(&mut self, low: f64, high: f64) -> f64 {
        10.0_f64.powf(low + (high - low) * self.uniform())
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n - 1)
    }

    /// Phases with rates over many decades, loops or none, perhaps an atom.
    fn phase_type(&mut self, decades: f64) -> Option<PhaseType> {
        let n = 1 + self.below(6);
        let loops = self.uniform() < 0.5;
        let rates = DMatrix::from_fn(n, n, |i, j| {
            if self.uniform() < 0.4 || (!loops && j < i) { 0.0 } else { self.decade(-decades, decades) }
        });
        let exit: Vec<f64> = (0..n)
            .map(|i| if self.uniform() < 0.5 && i + 1 < n { 0.0 } else { self.decade(-decades, decades) })
            .collect();
        let mut alpha: Vec<f64> = (0..n).map(|_| if self.uniform() < 0.3 { 0.0 } else { self.uniform() }).collect();
        let sum: f64 = alpha.iter().sum::<f64>() * if self.uniform() < 0.3 { 1.25 } else { 1.0 };
        for p in &mut alpha {
            *p /= sum;
        }
        PhaseType::with_exits(&alpha, &rates, &exit).ok()
    }
}

#[test]
fn phase_types_over_sixteen_decades() {
    let mut stream = Stream(1);
    let (mut made, mut worst) = (0, [0.0_f64; 2]);
    for case in 0..3000 {
        let decades = [1.0, 3.0, 8.0][case % 3];
        let Some(size) = stream.phase_type(decades) else { continue };
        made += 1;
        let mean = size.mean();
        assert!(mean > 0.0 && mean.is_finite(), "{size}");
        for _ in 0..4 {
            let x = mean * stream.decade(-6.0, 2.0);
            let (below, above, density) = (size.cdf(x), size.sf(x), size.density(x));
            assert!((0.0..=1.0).contains(&below) && (0.0..=1.0).contains(&above) && density >= 0.0, "{size} {x}");
            worst[0] = worst[0].max((below + above - 1.0).abs());
            for r in [0.0, 1.0, 2.0, 3.0, 4.0] {
                let parts = size.partial_moment(r, 0.0, x) + size.partial_moment(r, x, f64::INFINITY);
                let error = common::relative_error(parts, size.moment(r));
                worst[1] = worst[1].max(error);
                assert!(error < 1e-12, "{size} {x} {r}: {error:e}");
            }
        }
        let p = stream.uniform();
        let x = size.quantile(p);
        assert!(x >= 0.0 && (size.cdf(x) >= p * (1.0 - 1e-7)), "{size} {p} {x}");
        let transform = size.transform(Complex64::new(stream.decade(-3.0, 3.0), stream.uniform()));
        assert!(transform.norm() <= 1.0 + 1e-12, "{size}");
        if case % 30 == 0 {
            for r in [-1.0, -0.5, 0.5, 2.5] {
                assert!(size.moment(r) > 0.0 && !size.moment(r).is_nan(), "{size} {r}");
            }
        }
        let again: Law = size.to_string().parse().unwrap();
        assert_eq!(again, size.into());
    }
    println!("{made} laws: cdf + sf off by {:e}, split moments by {:e}", worst[0], worst[1]);
    assert!(made > 1500 && worst[0] < 1e-13);
}

#[test]
fn moments_of_all_kinds() {
    let mut stream = Stream(2);
    for _ in 0..100_000 {
        let m1 = stream.decade(-60.0, 60.0);
        let n2 = 1.0 + stream.decade(-18.0, 12.0) * if stream.uniform() < 0.05 { -1.0 } else { 1.0 };
        let n3 = n2 + stream.decade(-18.0, 12.0) * if stream.uniform() < 0.05 { -1.0 } else { 1.0 };
        let Ok(moments) = Moments::new(m1, n2 * m1 * m1, n3 * n2 * m1 * m1 * m1) else { continue };
        let back = [
            erlang_coxian(moments, Variant::Complete).map(|fit| fit.moments()),
            erlang_coxian(moments, Variant::Simple).map(|fit| fit.moments()),
            coxian2(moments).map(|fit| fit.moments()),
            positive(moments).map(|fit| fit.moments()),
        ];
        for fit in back.into_iter().flatten() {
            for (value, target) in fit.into_iter().zip(moments.raw()) {
                assert_close!(value, target, 1e-10, "{moments:?}");
            }
        }
        if stream.uniform() < 0.01 {
            assert!(smallest_order(moments).map_or(true, |n| n >= 1));
        }
        if stream.uniform() > 0.01 {
            continue;
        }
        if let Ok(fitted) = two_moments(m1, n2 - 1.0).map(|law| (law.mean(), law.moment(2.0))) {
            assert!(fitted.0 > 0.0 && !fitted.1.is_nan());
        }
    }
}

#[test]
fn chains_over_many_decades() {
    let mut stream = Stream(3);
    let (mut solved, mut worst) = (0, 0.0_f64);
    for _ in 0..3000 {
        let n = 1 + stream.below(5);
        let mut block = |keep: f64| {
            DMatrix::from_fn(n, n, |_, _| if stream.uniform() < keep { stream.decade(-8.0, 8.0) } else { 0.0 })
        };
        let (up, mut local, down) = (block(0.5), block(0.5), block(0.6));
        let mut local0 = local.clone();
        for i in 0..n {
            (local[(i, i)], local0[(i, i)]) = (0.0, 0.0);
            let inside = local.row(i).sum() + up.row(i).sum();
            local0[(i, i)] = -inside;
            local[(i, i)] = -inside - down.row(i).sum();
        }
        let Ok(chain) = Qbd::homogeneous(local0, up, local, down) else { continue };
        for reduction in [Reduction::Cyclic, Reduction::Logarithmic] {
            if let Ok(g) = chain.g(reduction) {
                assert!(g.iter().all(|x| (0.0..=1.0 + 1e-9).contains(x)), "{g}");
            }
        }
        if let Ok(solution) = chain.solve() {
            solved += 1;
            let values = [
                solution.mean_level(),
                solution.second_moment_level(),
                solution.spectral_radius(),
                solution.level_tail(7),
            ];
            assert!(values.iter().all(|x| *x >= 0.0 && !x.is_nan()), "{values:?}");
            worst = worst.max(solution.residual().max(solution.residual_g()));
        }
        if let Ok(passage) = chain.first_passage(1) {
            assert!(passage.moments.iter().all(|m| m.iter().all(|x| *x >= 0.0)), "{chain:?} {passage:?}");
            assert_eq!(passage.conditional(n, n), [0.0; 3]);
        }
    }
    println!("{solved} chains, residual {worst:e}");
    assert!(solved > 200 && worst < 1e-12);
}

#[test]
fn other_floors_of_the_house() {
    let mut stream = Stream(4);
    for _ in 0..300 {
        let n = 1 + stream.below(12);
        let edges: Vec<_> =
            (0..3 * n).map(|_| (stream.below(n), stream.below(n), stream.decade(-12.0, 12.0))).collect();
        let chain = Ctmc::new(n, edges).unwrap();
        if let Ok(law) = chain.stationary() {
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12 && chain.residual(&law) < 1e-12);
        }
        let times = chain.mean_absorption_times(&[0]).unwrap();
        assert!(times.iter().all(|time| *time >= 0.0), "{times:?}");
        let Some(size) = stream.phase_type(2.0) else { continue };
        let rate = stream.uniform() / size.mean();
        let busy = BusyPeriod::new(rate, &size).unwrap();
        assert!(busy.moments().iter().all(|x| *x > 0.0));
        let s = stream.decade(-12.0, 6.0) / size.mean();
        assert!((0.0..=1.0).contains(&busy.transform_complement(s).unwrap()));
        assert!(busy.transform(Complex64::new(0.0, s)).map_or(true, |b| b.norm() <= 1.0 + 1e-9));
        if let (Ok(map), Ok(fitted)) = (Map::poisson(rate), law(&size))
            && let Ok(queue) = MapQueue::new(&map, &fitted)
        {
            assert!(queue.mean_waiting_time() >= 0.0 && queue.probability_of_waiting() > 0.0);
        }
    }
}
