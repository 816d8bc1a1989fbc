//! Three moments to a phase type without an atom at 0.

use super::erlang_coxian::on_the_line;
use super::{ErlangCoxian, Moments, Variant, coxian2, erlang_coxian};
use crate::error::{Error, Result};
use crate::numeric::double_double::{DoubleDouble, Number};
use crate::size::PhaseType;

/// How an exponential is joined to an Erlang-Coxian law.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Join {
    /// It is not.
    Alone,
    /// With probability `weight` the Erlang-Coxian size, else an exponential one.
    Mixture {
        /// Probability of the Erlang-Coxian size.
        weight: f64,
        /// Mean of the exponential one.
        mean: f64,
    },
    /// The sum of both.
    Sum {
        /// Mean of the exponential part.
        mean: f64,
    },
}

/// A law without an atom at 0, matched to three moments by [`positive`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PositiveFit {
    /// The Erlang-Coxian part; it may have an atom if an exponential is added.
    pub part: ErlangCoxian,
    /// The exponential part.
    pub join: Join,
}

impl PositiveFit {
    /// The number of phases.
    pub fn phases(&self) -> usize {
        self.part.phases + usize::from(self.join != Join::Alone)
    }

    /// E\[X\], E\[X²\], E\[X³\].
    pub fn moments(&self) -> [f64; 3] {
        let [x1, x2, x3] = self.part.moments();
        let exponential = |mean: f64| (mean, 2.0 * mean * mean, 6.0 * mean * mean * mean);
        match self.join {
            Join::Alone => [x1, x2, x3],
            Join::Mixture { weight, mean } => {
                let (y1, y2, y3) = exponential(mean);
                let mix = |x: f64, y: f64| weight * x + (1.0 - weight) * y;
                [mix(x1, y1), mix(x2, y2), mix(x3, y3)]
            }
            Join::Sum { mean } => {
                let (y1, y2, y3) = exponential(mean);
                [x1 + y1, x2 + 2.0 * x1 * y1 + y2, x3 + 3.0 * x2 * y1 + 3.0 * x1 * y2 + y3]
            }
        }
    }

    /// The law with its matrix.
    ///
    /// # Errors
    /// [`Error::Argument`] beyond 2000 phases.
    pub fn phase_type(&self) -> Result<PhaseType> {
        let part = self.part.phase_type()?;
        match self.join {
            Join::Alone => Ok(part),
            Join::Mixture { weight, mean } => {
                PhaseType::mixture(&[(weight, part), (1.0 - weight, PhaseType::exponential(mean)?)])
            }
            Join::Sum { mean } => part.plus(&PhaseType::exponential(mean)?),
        }
    }
}

/// Three moments to a phase type without an atom at 0: for periods that cannot be skipped.
///
/// Two Coxian phases where they suffice; the Erlang-Coxian law where n3 >= 2n2 − 1 (if 1/(n2 − 1) is whole there, n2 is moved by
/// 1e-12 of itself); else an Erlang-Coxian law mixed with, or added to, an exponential.
///
/// Cost: some 0.2 to 2 µs. Accuracy: the moments come back to 1e-10, mostly 1e-14.
///
/// # Errors
/// As [`erlang_coxian`].
///
/// Source: Osogami and Harchol-Balter (2006), the Positive solution; its convolution with z in a form that stays regular at n2 = 2.
///
/// ```
/// use queueing::markov::fit::{Join, Moments, positive};
/// // Uniform on (0, 2): with probability 25/32 eight stages of rate 7.5, then always one of rate 6.
/// let fit = positive(Moments::new(1.0, 4.0 / 3.0, 2.0)?)?;
/// assert_eq!(fit.phases(), 9);
/// assert!((fit.part.p - 0.78125).abs() < 1e-13 && (fit.part.rate_y - 7.5).abs() < 1e-12);
/// assert!(matches!(fit.join, Join::Sum { mean } if (mean - 1.0 / 6.0).abs() < 1e-14));
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn positive(moments: Moments) -> Result<PositiveFit> {
    if let Ok(part) = coxian2(moments) {
        return Ok(PositiveFit { part, join: Join::Alone });
    }
    moments.check()?;
    let [m1, m2, m3] = moments.raw();
    let alone = |part: ErlangCoxian| PositiveFit { part, join: Join::Alone };
    if moments.n3() >= 2.0 * moments.n2() - 1.0 - 1e-13 {
        // Where 1/(n2 − 1) is whole, n2 moves by 1e-12 of itself: up, or down if that crosses the line.
        for nudge in [0.0, 1e-12, -1e-12] {
            let near = Moments::new(m1, m2 * (1.0 + nudge), m3)?;
            if let Some(part) = erlang_coxian(near, Variant::Simple).ok().filter(|part| part.p == 1.0) {
                return Ok(alone(part));
            }
        }
    }
    [joined::<f64>(moments), joined::<DoubleDouble>(moments)]
        .into_iter()
        .flatten()
        .find(|fit| moments.agree(fit.moments(), 1e-10))
        .ok_or(Error::Argument {
            name: "n3 = m3/(m1 m2)",
            value: moments.n3(),
            requirement: "must not lie so close to n2 that doubles cannot hold the parameters".into(),
        })
}

/// The mixture or the sum, for n3 < 2n2 − 1.
fn joined<N: Number>(moments: Moments) -> Option<PositiveFit> {
    let [m1, m2, m3] = moments.raw().map(N::of);
    let [one, two, four] = [1.0, 2.0, 4.0].map(N::of);
    let square = m1 * m1;
    let n2 = m2 / square;
    let gap = (m3 * m1 - m2 * m2) / (square * m2);
    let n3 = n2 + gap;
    let ratio = n3 / n2;
    // k = ⌊(2n2 − n3)/(n3 − n2)⌋ = ⌊n2/(n3 − n2)⌋ − 1
    let k = ((n2 / gap).value() * (1.0 + 1e-14)).floor() - 1.0;
    if !(1.0..=1e6).contains(&k) {
        return None;
    }
    let bound = n2 * (N::of(k + 1.0) * n2 + N::of(k + 4.0)) / N::of(2.0 * (k + 2.0));
    if n3 >= bound && n2.value() < 2.0 {
        // In units E X = 1: w = (2−n2)/4(1.5−r), p = (2−n2)²/((2−n2)² + 4(2n2−1−n3)), X on the line with n2(X) = 2w
        let short = two - n2;
        let mean = short / (four * (N::of(1.5) - ratio));
        let below = (n2 - one) - gap;
        let weight = short * short / (short * short + four * below);
        let unit = m1 / (weight + (one - weight) * mean);
        let part = on_the_line(one, unit, two * mean - one);
        return Some(PositiveFit { part, join: Join::Mixture { weight: weight.value(), mean: (mean * unit).value() } });
    }
    // κ = (k+3)/(k+2), c = 2κ(n2−2), z = 2(n3 − κn2)/(√((n3−3)² + 4c(1.5−r)) + 3 − n3 + c)
    let kappa = N::of(k + 3.0) / N::of(k + 2.0);
    let three = N::of(3.0);
    let c = two * kappa * (n2 - two);
    let root = ((n3 - three) * (n3 - three) + four * c * (N::of(1.5) - ratio)).root();
    let z = two * (n3 - kappa * n2) / (root + three - n3 + c);
    let z = if z.value() < 0.0 { N::of(0.0) } else { z };
    let grown = one + z;
    // n2(X) = (1+z)(n2(1+z) − 2z), n3(X) = κ n2(X): an Erlang law of k+1 stages after an atom, p = (k+2)/((k+1) n2(X))
    let second = grown * (n2 * grown - two * z);
    let p = N::of((k + 2.0) / (k + 1.0)) / second;
    let unit = m1 / grown;
    let rate = (N::of(k + 1.0) * p / unit).value();
    let usable = p.value() > 0.0 && p.value() <= 1.0 + 1e-12 && rate > 0.0 && rate.is_finite();
    let p = p.value().min(1.0);
    let part = ErlangCoxian { p, phases: k as usize + 1, rate_y: rate, rate_x1: rate, rate_x2: rate, p_x: 1.0 };
    let mean = (z * unit).value();
    let join = if mean > 0.0 { Join::Sum { mean } } else { Join::Alone };
    // Alone, the part must not have an atom.
    (usable && (mean > 0.0 || p == 1.0)).then_some(PositiveFit { part, join })
}
