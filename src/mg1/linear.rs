//! Disciplines under which the waiting time is linear in the job's size: closed forms.

use super::averages::Totals;
use super::stream::Moments;
use super::work::Spread;

/// E[T(x)] − x = c + bx and Var[T(x)] = v + wx.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Linear {
    pub constant: f64,
    pub slope: f64,
    pub variance: f64,
    pub variance_slope: f64,
}

impl Linear {
    /// T − x for a job of size x.
    pub(super) fn given(&self, x: f64) -> Spread {
        Spread { mean: self.constant + self.slope * x, variance: self.variance + self.variance_slope * x }
    }

    /// Averages over sizes with these moments.
    pub(super) fn totals(&self, sizes: &Moments) -> Totals {
        let Self { constant: c, slope: b, variance: v, variance_slope: w } = *self;
        // E[V²] = (v + c²) + (w + 2cb)E[X] + b²E[X²], and the same over X
        let (zero, one, two) = (v + c * c, w + 2.0 * times(b, c), b * b);
        Totals {
            waiting: c + b * sizes.mean,
            with_size: times(c, sizes.mean) + times(b, sizes.second),
            square: zero + times(one, sizes.mean) + times(two, sizes.second),
            slowdown: times(c, sizes.inverse) + b,
            slowdown_square: times(zero, sizes.inverse_square) + times(one, sizes.inverse) + two,
        }
    }
}

/// A product in which 0 wins over infinity: what does not depend on a moment does not become infinite with it.
fn times(factor: f64, moment: f64) -> f64 {
    if factor == 0.0 { 0.0 } else { factor * moment }
}
