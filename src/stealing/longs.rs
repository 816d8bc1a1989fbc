//! The longs at one long host: an M/G/1 queue that may find a short in service when it begins.
//!
//! If A longs are present when the host starts on them, the number of longs is that of the plain M/G/1 queue plus an independent V
//! with E\[V\] = E\[A(A−1)\]/2E\[A\] and E\[V(V−1)\] = E\[A(A−1)(A−2)\]/3E\[A\] (S. Fuhrmann and R. Cooper 1985; Osogami 2005, A.2).

use super::numbers::Numbers;
use super::shorts::Shorts;
use crate::mg1::{Stream, fcfs_of};
use crate::size::JobSize;
use crate::workload::{Metric, Workload};

/// The stream of longs: its rate, and the waiting time of its own M/G/1 queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Longs {
    pub rate: f64,
    pub spare: f64,
    plain: [f64; 2],
    /// E\[X\], E\[X²\], E\[X³\].
    pub sizes: [f64; 3],
}

/// E\[A\], E\[A(A−1)\], E\[A(A−1)(A−2)\] of the longs present when the long host starts on them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present(pub [f64; 3]);

impl Longs {
    /// For a stable stream.
    pub(super) fn new<S: JobSize>(jobs: &Workload<S>) -> Self {
        let queue = fcfs_of(&Stream::of(jobs));
        let moment = |metric| queue.estimate(metric).map_or(f64::INFINITY, |estimate| estimate.value);
        let plain = [moment(Metric::MeanWaitingTime), moment(Metric::SecondMomentWaitingTime)];
        let sizes = [1.0, 2.0, 3.0].map(|r| jobs.size().moment(r));
        Self { rate: jobs.rate(), spare: jobs.spare(), plain, sizes }
    }

    /// The moments of the shorts that are infinite because those of long busy periods are: during these the shorts pile up if their own
    /// hosts cannot keep up with them.
    pub(super) fn settle(&self, numbers: Numbers, shorts: &Shorts) -> Numbers {
        let [_, x2, x3] = self.sizes;
        let overloaded = shorts.load >= shorts.hosts as f64;
        let or_infinite =
            |value: f64, moment: f64| if overloaded && moment.is_infinite() { f64::INFINITY } else { value };
        Numbers {
            short_waiting: or_infinite(numbers.short_waiting, x2),
            short_waiting_square: numbers.short_waiting_square.map(|value| or_infinite(value, x3)),
            short_number_square: numbers.short_number_square.map(|value| or_infinite(value, x3)),
            ..numbers
        }
    }

    /// E\[W\] and E\[W²\] with a further independent delay of these moments.
    pub(super) fn delayed(&self, [v1, v2]: [f64; 2]) -> [f64; 2] {
        let [w1, w2] = self.plain;
        [w1 + v1, w2 + 2.0 * w1 * v1 + v2]
    }

    /// E\[W\] and E\[W²\] if A longs are present when the host starts on them.
    pub(super) fn waiting(&self, Present([a1, a2, a3]): Present) -> [f64; 2] {
        // Little's law in its distributional form: E[V] and E[V(V−1)] over λ and λ²
        self.delayed([a2 / (2.0 * a1) / self.rate, a3 / (3.0 * a1) / self.rate / self.rate])
    }

    /// P(no long in the system) = (1 − ρ)/E\[A\]: each long that starts the host brings E\[A\]/(1 − ρ) with it.
    pub(super) fn none(&self, present: Present) -> f64 {
        self.spare / present.0[0]
    }
}

impl Present {
    /// One long, and those that arrive during a set-up time K with moments K₁, K₂, K₃ (0 if there is none): A = 1 + Poisson(λK).
    pub(super) fn after_setup(lambda: f64, [k1, k2, k3]: [f64; 3]) -> Self {
        let square = lambda * lambda;
        Self([1.0 + lambda * k1, square * k2 + 2.0 * lambda * k1, square * (lambda * k3 + 3.0 * k2)])
    }

    /// By P(A > j), j = 1, 2, ..., and the ratio by which these go on to fall after the last, which is the sum of all that follow.
    pub(super) fn by_tail(tail: &[f64], ratio: f64) -> Self {
        // E[A] = 1 + ΣP(A>j), E[A(A−1)] = 2Σ j P(A>j), E[A(A−1)(A−2)] = 3Σ j(j−1) P(A>j)
        let mut sums = [1.0, 0.0, 0.0];
        for (i, p) in tail.iter().enumerate() {
            // Beyond the last index j the remaining ones are j + N, N geometric with mean m = ratio/(1 − ratio).
            let j = i as f64 + 1.0;
            let m = if i + 1 == tail.len() { ratio / (1.0 - ratio) } else { 0.0 };
            let more = 2.0 * m * m;
            sums[0] += p;
            sums[1] += 2.0 * p * (j + m);
            sums[2] += 3.0 * p * (j * (j - 1.0) + 2.0 * j * m + more);
        }
        Self(sums)
    }
}
