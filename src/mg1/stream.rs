//! What queueing formulas ask of a stream: its rate, load, and moments of its sizes.

use crate::accuracy::Accuracy;
use crate::size::{JobSize, ORDERS};
use crate::workload::Workload;

/// The stream that one host sees: rate, load, 1 − load, and the moments of its sizes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream {
    pub rate: f64,
    pub load: f64,
    pub spare: f64,
    pub sizes: Moments,
    pub accuracy: Accuracy,
}

/// E[X^r] for r = −2, −1, 1, 2, 3, 4; infinite where they diverge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    pub inverse_square: f64,
    pub inverse: f64,
    pub mean: f64,
    pub second: f64,
    pub third: f64,
    pub fourth: f64,
}

impl Moments {
    /// From partial moments of the [`ORDERS`] over an interval: those given that the size lies in it.
    pub(crate) fn given([inverse_square, inverse, probability, mean, second, third, fourth]: [f64; 7]) -> Self {
        let given = |moment: f64| moment / probability;
        Self {
            inverse_square: given(inverse_square),
            inverse: given(inverse),
            mean: given(mean),
            second: given(second),
            third: given(third),
            fourth: given(fourth),
        }
    }
}

impl Stream {
    pub(crate) fn of<S: JobSize>(jobs: &Workload<S>) -> Self {
        let mut moments = [0.0; 7];
        jobs.size().partial_moments(&ORDERS, 0.0, f64::INFINITY, &mut moments);
        // The whole law: its probability is 1.
        moments[2] = 1.0;
        Self {
            rate: jobs.rate(),
            load: jobs.load(),
            spare: jobs.spare(),
            sizes: Moments::given(moments),
            // The load may come from the law's mean: 1 − ρ then has its error over 1 − ρ.
            accuracy: jobs.size().accuracy().conditioned(1.0 / jobs.spare()),
        }
    }
}
