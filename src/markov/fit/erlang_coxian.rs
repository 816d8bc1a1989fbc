//! Three moments to an Erlang-Coxian law.

use super::Moments;
use crate::error::{Error, Result, require};
use crate::numeric::double_double::{DoubleDouble, Number};
use crate::size::PhaseType;

/// Beyond this order nothing is fitted: scv below 1e-6.
const LARGEST: f64 = 1e6;

/// Distances from a corner that count as none; moments change by no more.
const CORNER: f64 = 1e-14;

/// Size 0 with probability 1 − p; else an Erlang stage row, then a Coxian of two phases.
///
/// The row has `phases` − 2 stages of rate `rate_y`; the Coxian starts with rate `rate_x1` and goes on to `rate_x2` with probability
/// `p_x`. With `rate_x2` = 0 (then `p_x` = 0) the Coxian has one phase and the row `phases` − 1 stages.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ErlangCoxian {
    /// P(X > 0).
    pub p: f64,
    /// Phases in all.
    pub phases: usize,
    /// Rate of each stage of the row; 0 if there is none.
    pub rate_y: f64,
    /// Rate of the first Coxian phase.
    pub rate_x1: f64,
    /// Rate of the second Coxian phase; 0 if there is none.
    pub rate_x2: f64,
    /// Probability of the second Coxian phase.
    pub p_x: f64,
}

/// Which Erlang-Coxian laws are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Variant {
    /// An atom at 0 only where n3 < 2n2 − 1; nothing where n3 > 2n2 − 1 and 1/(n2 − 1) is a whole number.
    Simple,
    /// Any phase-type moments.
    #[default]
    Complete,
}

impl ErlangCoxian {
    /// A single exponential phase.
    pub(super) fn exponential(p: f64, mean: f64) -> Self {
        Self { p, phases: 1, rate_y: 0.0, rate_x1: 1.0 / mean, rate_x2: 0.0, p_x: 0.0 }
    }

    /// Stages in the row before the Coxian.
    pub fn stages(&self) -> usize {
        self.phases - if self.rate_x2 > 0.0 { 2 } else { 1 }
    }

    /// E\[X\], E\[X²\], E\[X³\].
    pub fn moments(&self) -> [f64; 3] {
        let (a, b) = (1.0 / self.rate_x1, if self.rate_x2 > 0.0 { 1.0 / self.rate_x2 } else { 0.0 });
        // E[Xʳ]/r! = Σ_{i<=r} aⁱ p bʳ⁻ⁱ + (1−p)aʳ of the Coxian
        let q = self.p_x * b;
        let (x1, x2, x3) = (a + q, 2.0 * (a * a + q * (a + b)), 6.0 * (a * a * a + q * (a * a + a * b + b * b)));
        let k = self.stages() as f64;
        let m = if k > 0.0 { 1.0 / self.rate_y } else { 0.0 };
        let (y1, y2, y3) = (k * m, k * (k + 1.0) * m * m, k * (k + 1.0) * (k + 2.0) * m * m * m);
        [self.p * (y1 + x1), self.p * (y2 + 2.0 * y1 * x1 + x2), self.p * (y3 + 3.0 * y2 * x1 + 3.0 * y1 * x2 + x3)]
    }

    /// The law with its matrix.
    ///
    /// # Errors
    /// [`Error::Argument`] beyond 2000 phases.
    pub fn phase_type(&self) -> Result<PhaseType> {
        require(self.phases <= 2000, "phases", self.phases as f64, "must be at most 2000 for a matrix")?;
        let mut rates = vec![self.rate_y; self.stages()];
        rates.push(self.rate_x1);
        let mut onward = vec![1.0; self.stages()];
        if self.rate_x2 > 0.0 {
            rates.push(self.rate_x2);
            onward.push(self.p_x);
        }
        let row = PhaseType::coxian(&rates, &onward)?;
        if self.p == 1.0 {
            return Ok(row);
        }
        let mut alpha = vec![0.0; row.phases()];
        alpha[0] = self.p;
        PhaseType::with_exits(&alpha, &row.sub_generator(), row.exit_rates())
    }
}

/// Three moments to an Erlang-Coxian law in closed form, with at most one phase more than any acyclic phase type needs.
///
/// Cost: below 100 ns; some 1 µs at corners, where the differences are taken with 31 digits. Accuracy: the parameters are those of
/// the three doubles as they stand, to about 1e-13 of each; the moments come back to 1e-10, mostly 1e-15. Moments within 1e-14 of an
/// Erlang law give that law.
///
/// # Errors
/// [`Error::Argument`] naming n2 or n3 for moments that no phase type has (n2 > 1 and n3 > n2 are needed), for n2 below 1 + 1e-6, and
/// under [`Variant::Simple`] for its gap.
///
/// Source: Osogami and Harchol-Balter (2006), with the formulas written in n2 − 1 and n3 − (2n2 − 1) so that nothing cancels.
///
/// ```
/// use queueing::markov::fit::{Moments, Variant, erlang_coxian};
/// // Uniform on (0, 2): Erlang of 7 stages of rate 6, after size 0 with probability 1/7.
/// let fit = erlang_coxian(Moments::new(1.0, 4.0 / 3.0, 2.0)?, Variant::Complete)?;
/// assert_eq!(fit.phases, 7);
/// assert!((fit.p - 6.0 / 7.0).abs() < 1e-15 && (fit.rate_y - 6.0).abs() < 1e-13);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn erlang_coxian(moments: Moments, variant: Variant) -> Result<ErlangCoxian> {
    moments.check()?;
    if let Some(fit) = shape::<f64>(moments, variant)?
        && moments.agree(fit.moments(), 1e-13)
    {
        return Ok(fit);
    }
    let fit = shape::<DoubleDouble>(moments, variant)?;
    fit.filter(|fit| moments.agree(fit.moments(), 1e-10)).ok_or(Error::Argument {
        name: "n3 = m3/(m1 m2)",
        value: moments.n3(),
        requirement: "must not lie so close to the bound of its order that doubles cannot hold the parameters".into(),
    })
}

/// The fit, or nothing where `N` has too few digits for these moments.
fn shape<N: Number>(moments: Moments, variant: Variant) -> Result<Option<ErlangCoxian>> {
    let [m1, m2, m3] = moments.raw().map(N::of);
    let one = N::of(1.0);
    let square = m1 * m1;
    // e = n2 − 1,  g = n3 − n2,  n3 − (2n2 − 1) = g − e
    let (mut e, gap) = ((m2 - square) / square, (m3 * m1 - m2 * m2) / (square * m2));
    require(e.value() > 0.0, "n2 = m2/m1²", moments.n2(), "must exceed 1: phase types are not deterministic")?;
    require(gap.value() > 0.0, "n3 = m3/(m1 m2)", moments.n3(), "must exceed n2 = m2/m1² for any phase type")?;
    let n2 = one + e;
    let mut above = gap - e;
    let size = (n2 + gap).value();
    if !N::EXTENDED && above.value().abs() < 1e-6 * size {
        return Ok(None);
    }
    let mut p = one;
    if above.value().abs() <= CORNER * size {
        above = N::of(0.0);
    } else if above.value() < 0.0 {
        // p = 1/(2n2 − n3),  p n2 − 1 = (n3 − n2)p,  and p n3 = 2p n2 − 1
        p = one / (n2 - gap);
        e = gap * p;
        above = N::of(0.0);
    } else {
        let (whole, exact) = nearest_whole(one / e);
        if !exact && !N::EXTENDED && is_near((one / e).value(), whole) {
            return Ok(None);
        }
        // Exactly whole, up to the digits of N: the doubles as they stand decide.
        if exact {
            if !N::EXTENDED {
                return Ok(None);
            }
            let requirement = "must not be below 2n2 − 1 or 1/(n2 − 1) must not be whole, for the Simple solution";
            require(variant != Variant::Simple, "n3 = m3/(m1 m2)", moments.n3(), requirement)?;
            // p = (n2² + 2n2 − 1)/2n2²,  p n2 − 1 = (n2² − 1)/2n2 = e(n2 + 1)/2n2
            let two = N::of(2.0);
            p = (n2 * n2 + two * n2 - one) / (two * n2 * n2);
            e = p * n2 - one;
            above = p * (n2 + gap) - two * p * n2 + one;
        }
    }
    let inverse = one / e;
    let within = inverse.value() <= LARGEST;
    if p.value() < 1.0 {
        let requirement = "must exceed n2 by more than a millionth of it: fewer than a million phases";
        require(within, "n3 = m3/(m1 m2)", moments.n3(), requirement)?;
    }
    require(
        within,
        "n2 = m2/m1²",
        moments.n2(),
        "must exceed 1 by more than a millionth: fewer than a million phases",
    )?;
    if !N::EXTENDED && is_near(inverse.value(), inverse.value().round()) {
        return Ok(None);
    }
    let mean = m1 / p;
    Ok(Some(if above.value() == 0.0 { on_the_line(p, mean, e) } else { above_the_line(p, mean, e, above) }))
}

/// The nearest whole number, and whether the difference is rounding of `N` only.
fn nearest_whole<N: Number>(x: N) -> (f64, bool) {
    let whole = x.value().round();
    let difference = (x - N::of(whole)).value().abs();
    (whole, difference <= whole * if N::EXTENDED { 1e-25 } else { 0.0 })
}

/// Too near a whole number for plain doubles to tell the sides and distances apart.
fn is_near(x: f64, whole: f64) -> bool {
    (x - whole).abs() < 1e-4 * whole.max(1.0) || whole > 200.0
}

/// w3 = 2w2 − 1: n = ⌈1/e⌉ phases, and x3 = 2x2 − 1.
pub(super) fn on_the_line<N: Number>(p: N, mean: N, e: N) -> ErlangCoxian {
    let (one, two) = (N::of(1.0), N::of(2.0));
    let inverse = (one / e).value();
    let whole = inverse.round();
    // 1/e moves by n² times what the moments move by.
    let at_corner = (inverse - whole).abs() <= CORNER * whole * whole;
    let n = if at_corner {
        whole
    } else if e.value() > 1.0 {
        2.0
    } else {
        inverse.ceil()
    };
    if n <= 1.0 {
        return ErlangCoxian::exponential(p.value(), mean.value());
    }
    // With D = 1 − (n−2)e: x1 = w1 D, x2 = (D + e)/D, x2 − 3/2 = (ne − 1)/2D
    let rest = N::of(n - 2.0) * e;
    let d = one - rest;
    let slack = if at_corner { N::of(0.0) } else { N::of(n) * e - one };
    // l1,2 x1 = 2 ± √(4 − 6/x2),  4 − 6/x2 = 4(x2 − 3/2)/x2 = 2(ne − 1)/(D + e)
    let root = if at_corner { N::of(0.0) } else { (two * slack / (d + e)).root() };
    let (x1, y1, y2) = (mean * d, two + root, two - root);
    ErlangCoxian {
        p: p.value(),
        phases: n as usize,
        rate_y: if n > 2.0 { (one / (e * mean)).value() } else { 0.0 },
        rate_x1: (y1 / x1).value(),
        rate_x2: (y2 / x1).value(),
        p_x: (y2 / y1 * (y1 - one)).value().min(1.0),
    }
}

/// w3 > 2w2 − 1 by `above`: n = ⌊1/e⌋ + 2 phases, and everything is a sum of positive terms.
fn above_the_line<N: Number>(p: N, mean: N, e: N, above: N) -> ErlangCoxian {
    let one = N::of(1.0);
    let stages = (one / e).value();
    // ⌊·⌋ of the doubled digits, not of their leading part.
    let below = (one / e - N::of(stages.round())).value() < 0.0;
    let stages = if stages == stages.round() && below { stages - 1.0 } else { stages.floor() };
    // D = 1 − (n−2)e: x1 = w1 D, x2 = (D + e)/D, x2 − 2 = ((n−1)e − 1)/D
    let d = one - N::of(stages) * e;
    let excess = (N::of(stages + 1.0) * e - one) / d;
    let x2 = (d + e) / d;
    // x2 x3 = x2(2x2 − 1) + B with B = w2 (w3 − 2w2 + 1)/D³, and A = x2(x2 − 2)
    let a = x2 * excess;
    let b = (one + e) * above / (d * d * d);
    coxian_above(Row { p, mean, e, stages }, mean * d, excess, a, b)
}

/// What comes before the two Coxian phases.
#[derive(Clone, Copy)]
pub(super) struct Row<N> {
    pub p: N,
    pub mean: N,
    pub e: N,
    pub stages: f64,
}

/// The Coxian with mean x1 and x2 > 2, from x2 − 2, A = x2(x2 − 2) and B = x2(x3 − 2x2 + 1).
pub(super) fn coxian_above<N: Number>(row: Row<N>, x1: N, excess: N, a: N, b: N) -> ErlangCoxian {
    let one = N::of(1.0);
    // S = x2(2x3 − 3x2) = A + 2B;  l1 x1 = 1 + d with d² + 2d(B−A)/S − 3(x2−2)²/S = 0;  l1 l2 x1² = 6(x2−2)/S
    let s = a + b + b;
    let (slope, product) = ((b - a) / s, N::of(3.0) * excess * excess / s);
    let root = (slope * slope + product).root();
    let d = if slope.value() > 0.0 { product / (root + slope) } else { root - slope };
    let y1 = one + d;
    let y2 = N::of(6.0) * excess / (s * y1);
    ErlangCoxian {
        p: row.p.value(),
        phases: row.stages as usize + 2,
        rate_y: if row.stages > 0.0 { (one / (row.e * row.mean)).value() } else { 0.0 },
        rate_x1: (y1 / x1).value(),
        rate_x2: (y2 / x1).value(),
        p_x: (y2 / y1 * d).value().min(1.0),
    }
}
