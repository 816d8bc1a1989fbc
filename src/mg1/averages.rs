//! From what a job of each size waits to the metrics of the queue.

use super::stream::Stream;
use super::work::Spread;
use crate::accuracy::Accuracy;
use crate::workload::{Metric, Performance};

/// Waiting times V = T − X averaged over the sizes: E[V], E[VX], E[V²], E[V/X], E[(V/X)²].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    pub waiting: f64,
    pub with_size: f64,
    pub square: f64,
    pub slowdown: f64,
    pub slowdown_square: f64,
}

/// What a share of jobs of size x adds to the [`Totals`], in their order.
#[inline]
pub(super) fn terms(Spread { mean, variance }: Spread, x: f64, share: f64) -> [f64; 5] {
    // An infinite waiting time of jobs that there are none of counts nothing.
    if share == 0.0 {
        return [0.0; 5];
    }
    let square = mean * mean + variance;
    [share * mean, share * mean * x, share * square, share * (mean / x), share * (square / x / x)]
}

impl Totals {
    pub(super) fn add(&mut self, [waiting, with_size, square, slowdown, slowdown_square]: [f64; 5]) {
        self.waiting += waiting;
        self.with_size += with_size;
        self.square += square;
        self.slowdown += slowdown;
        self.slowdown_square += slowdown_square;
    }

    pub(super) fn list(&self) -> [f64; 5] {
        [self.waiting, self.with_size, self.square, self.slowdown, self.slowdown_square]
    }

    /// The metrics of a queue whose jobs wait like this.
    pub(super) fn performance(&self, model: String, stream: &Stream, accuracy: Accuracy) -> Performance {
        let Self { waiting, with_size, square, slowdown, slowdown_square } = *self;
        let sizes = stream.sizes;
        // E[T²] = E[V²] + 2E[VX] + E[X²]
        let response_square =
            if sizes.second.is_finite() { square + 2.0 * with_size + sizes.second } else { f64::INFINITY };
        let mut result = Performance::new(model);
        for (metric, value) in [
            (Metric::MeanWaitingTime, waiting),
            (Metric::SecondMomentWaitingTime, square),
            (Metric::MeanResponseTime, waiting + sizes.mean),
            (Metric::SecondMomentResponseTime, response_square),
            (Metric::MeanSlowdown, 1.0 + slowdown),
            (Metric::MeanWaitingSlowdown, slowdown),
            // Little: E[N] = λE[T]
            (Metric::MeanNumberInSystem, stream.rate * (waiting + sizes.mean)),
            (Metric::Utilisation, stream.load),
        ] {
            result.set(metric, value, accuracy);
        }
        let (variance, factor) = if slowdown_square.is_finite() {
            let variance = (slowdown_square - slowdown * slowdown).max(0.0);
            (variance, slowdown_square / variance)
        } else {
            (f64::INFINITY, 1.0)
        };
        result.with(Metric::VarianceSlowdown, variance, accuracy.conditioned(factor))
    }
}

impl Spread {
    /// The second moment of this and x together.
    pub(super) fn square_with(self, x: f64) -> f64 {
        if self.variance.is_finite() { (self.mean + x).powi(2) + self.variance } else { f64::INFINITY }
    }

    /// The metrics of a job of size x whose T − x this is.
    pub(super) fn performance(self, model: String, x: f64, accuracy: Accuracy) -> Performance {
        let Self { mean, variance } = self;
        let mut result = Performance::new(model);
        for (metric, value) in [
            (Metric::MeanWaitingTime, mean),
            (Metric::SecondMomentWaitingTime, self.square_with(0.0)),
            (Metric::MeanResponseTime, mean + x),
            (Metric::SecondMomentResponseTime, self.square_with(x)),
            (Metric::MeanSlowdown, 1.0 + mean / x),
            (Metric::MeanWaitingSlowdown, mean / x),
            (Metric::VarianceSlowdown, variance / x / x),
        ] {
            result.set(metric, value, accuracy);
        }
        result
    }
}
