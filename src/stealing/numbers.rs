//! What a solved chain says, and how two solutions of one model compare.

use crate::error::{Error, Result};

/// The largest error of what is known beforehand that leaves an answer.
const WORST: f64 = 1e-3;

/// How far below 0 rounding may take what is 0.
const ROUNDING: f64 = 1e-12;

/// The numbers of one model. What it does not give is `None`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbers {
    /// E\[W\] of the shorts; infinite if they are saturated.
    pub short_waiting: f64,
    /// E\[W²\] of the shorts.
    pub short_waiting_square: Option<f64>,
    /// E\[N²\] of the shorts.
    pub short_number_square: Option<f64>,
    /// P(W > 0) of the shorts.
    pub short_delayed: f64,
    /// The mean number of long hosts that serve shorts.
    pub helping: f64,
    /// The mean number of short hosts that serve longs.
    pub helped: f64,
    /// The mean share of long hosts that are idle.
    pub idle: f64,
    /// E\[W\] of the longs.
    pub long_waiting: f64,
    /// E\[W²\] of the longs.
    pub long_waiting_square: Option<f64>,
    /// E\[N²\] of the longs, where it does not follow from their response time.
    pub long_number_square: Option<f64>,
    /// P(W > 0) of the longs.
    pub long_delayed: f64,
    /// The relative error of what is known of the solution beforehand.
    pub check: f64,
}

impl Numbers {
    /// These numbers, if they can be what they stand for: next to saturation rounding may leave nothing of them.
    pub(super) fn sound(mut self) -> Result<Self> {
        // What is 0 may be so up to rounding.
        for value in [&mut self.short_waiting, &mut self.helping, &mut self.idle, &mut self.short_delayed] {
            if (-ROUNDING..0.0).contains(value) {
                *value = 0.0;
            }
        }
        let shares = [self.short_delayed, self.idle, self.long_delayed];
        let can_be = self.list().into_iter().flatten().all(|value| value >= 0.0)
            && shares.iter().all(|share| *share <= 1.0 + 1e-6)
            && self.check <= WORST;
        if can_be {
            Ok(self)
        } else {
            Err(Error::NoConvergence { what: "chain next to saturation", iterations: 1, residual: self.check })
        }
    }

    fn list(&self) -> [Option<f64>; 11] {
        [
            Some(self.short_waiting),
            self.short_waiting_square,
            self.short_number_square,
            Some(self.short_delayed),
            Some(self.helping),
            Some(self.helped),
            Some(self.idle),
            Some(self.long_waiting),
            self.long_waiting_square,
            self.long_number_square,
            Some(self.long_delayed),
        ]
    }

    /// The numbers by weights that sum to 1: extrapolated where one is negative, and kept to what they stand for.
    pub(super) fn combined(parts: &[(f64, Self)]) -> Self {
        // What is infinite in one model is so in all: it hangs on the longs, or on saturation.
        let sum = |of: &dyn Fn(&Self) -> f64| {
            let is_infinite = parts.iter().any(|(_, part)| of(part).is_infinite());
            let sum: f64 = parts.iter().map(|(weight, part)| weight * of(part)).sum();
            if is_infinite { f64::INFINITY } else { sum.max(0.0) }
        };
        let share = |of: &dyn Fn(&Self) -> f64| sum(of).min(1.0);
        let optional = |of: &dyn Fn(&Self) -> Option<f64>| {
            let given = parts.iter().all(|(_, part)| of(part).is_some());
            given.then(|| sum(&|part| of(part).unwrap_or(0.0)))
        };
        Self {
            short_waiting: sum(&|part| part.short_waiting),
            short_waiting_square: optional(&|part| part.short_waiting_square),
            short_number_square: optional(&|part| part.short_number_square),
            short_delayed: share(&|part| part.short_delayed),
            helping: sum(&|part| part.helping),
            helped: sum(&|part| part.helped),
            idle: share(&|part| part.idle),
            long_waiting: sum(&|part| part.long_waiting),
            long_waiting_square: optional(&|part| part.long_waiting_square),
            long_number_square: optional(&|part| part.long_number_square),
            long_delayed: share(&|part| part.long_delayed),
            check: parts.iter().map(|(_, part)| part.check).fold(0.0, f64::max),
        }
    }

    /// The largest relative difference of a number from that of a rougher solution, or the error of what is known if that is larger.
    pub(super) fn distance(&self, rougher: &Self) -> f64 {
        let difference = |(new, old): (Option<f64>, Option<f64>)| match (new, old) {
            (Some(new), Some(old)) if new != old => {
                let relative = ((new - old) / new).abs();
                if relative.is_nan() { f64::INFINITY } else { relative }
            }
            _ => 0.0,
        };
        self.list().into_iter().zip(rougher.list()).map(difference).fold(self.check, f64::max)
    }
}
