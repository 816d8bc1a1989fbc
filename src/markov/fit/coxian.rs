//! Three moments to a Coxian of two phases.

use super::erlang_coxian::{Row, coxian_above};
use super::{ErlangCoxian, Moments};
use crate::error::{Error, Result, require};
use crate::numeric::double_double::{DoubleDouble, Number};

/// How far moments may be on the wrong side of a bound, by rounding.
const ROUNDING: f64 = 1e-12;

/// Three moments to a phase of rate l1, followed with probability p by one of rate l2.
///
/// Feasible for n2 > 2 and n3 > 3n2/2, for 3/2 <= n2 < 2 and (9n2 − 12 + 3(2−n2)√(2(2−n2)))/n2 <= n3 <= 6(n2−1)/n2, and for the
/// exponential (n2 = 2, n3 = 3). Moments outside by rounding (1e-12) are taken to the bound.
///
/// Cost and accuracy: as [`erlang_coxian`](super::erlang_coxian).
///
/// # Errors
/// [`Error::Argument`] naming n2 or n3 and the bound for moments that no two-phase Coxian has.
///
/// Source: Osogami and Harchol-Balter (2006); M. Telek, A. Heindl (2002) for the region.
///
/// ```
/// use queueing::markov::fit::{Moments, coxian2};
/// // The busy period of M/M/1 with rates 1/2 and 1.
/// let fit = coxian2(Moments::new(2.0, 16.0, 288.0)?)?;
/// assert!((fit.rate_x1 + fit.rate_x2 - 1.0).abs() < 1e-15 && (fit.rate_x1 * fit.rate_x2 - 0.125).abs() < 1e-15);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn coxian2(moments: Moments) -> Result<ErlangCoxian> {
    moments.check()?;
    let (n2, n3) = (moments.n2(), moments.n3());
    if (n2 - 2.0).abs() <= 1e-13 && (n3 - 3.0).abs() <= 1e-13 {
        return Ok(ErlangCoxian::exponential(1.0, moments.raw()[0]));
    }
    let name = "n3 = m3/(m1 m2)";
    if n2 > 2.0 {
        // Next to the exponential, rounding of the moments may cross the bound.
        if n2 < 2.0 + 1e-6 && (n3 - 1.5 * n2).abs() <= 1e-13 * n3 {
            let [m1, m2, _] = moments.raw();
            let inside = Moments { third: 1.5 * n2 * (1.0 + 4e-13) * m1 * m2, ..moments };
            if let Some(fit) = shape::<DoubleDouble>(inside).filter(|fit| moments.agree(fit.moments(), 1e-10)) {
                return Ok(fit);
            }
        }
        require(n3 > 1.5 * n2, name, n3, "must exceed 3n2/2 for a Coxian of two phases with n2 > 2")?;
    } else {
        let requirement = "must be at least 3/2 for a Coxian of two phases";
        require(n2 >= 1.5 * (1.0 - ROUNDING), "n2 = m2/m1²", n2, requirement)?;
        let rest = 2.0 - n2;
        let low = (9.0 * n2 - 12.0 + 3.0 * rest * (2.0 * rest).sqrt()) / n2;
        let requirement = "must be at least (9n2 − 12 + 3(2−n2)√(2(2−n2)))/n2 for a Coxian of two phases with n2 <= 2";
        require(n3 >= low * (1.0 - ROUNDING), name, n3, requirement)?;
        let requirement = "must be at most 6(n2−1)/n2 for a Coxian of two phases with n2 <= 2";
        require(n3 <= 6.0 * (n2 - 1.0) / n2 * (1.0 + ROUNDING), name, n3, requirement)?;
    }
    let plain = shape::<f64>(moments).filter(|fit| moments.agree(fit.moments(), 1e-13));
    let exact = || shape::<DoubleDouble>(moments).filter(|fit| moments.agree(fit.moments(), 1e-10));
    plain.or_else(exact).ok_or(Error::Argument {
        name,
        value: n3,
        requirement: "must not lie so close to the bound of two phases that doubles cannot hold the parameters".into(),
    })
}

/// The parameters, or nothing where `N` has too few digits.
fn shape<N: Number>(moments: Moments) -> Option<ErlangCoxian> {
    let [m1, m2, m3] = moments.raw().map(N::of);
    let (one, square) = (N::of(1.0), m1 * m1);
    let (two, three) = (N::of(2.0), N::of(3.0));
    let n2 = m2 / square;
    // n2 − 2,  2n3 − 3n2,  n3 − 3
    let excess = (m2 - two * square) / square;
    let spread = (two * m3 * m1 - three * m2 * m2) / (square * m2);
    let third = (m3 - three * m1 * m2) / (m1 * m2);
    let small = |x: N, scale: f64| x.value().abs() < 1e-4 * scale;
    if !N::EXTENDED && (small(excess, 1.0) || small(spread, n2.value())) {
        return None;
    }
    if excess.value() > 0.0 {
        let a = n2 * excess;
        // S = n2(2n3 − 3n2) = A + 2B
        let b = (n2 * spread - a) / two;
        let row = Row { p: one, mean: m1, e: one, stages: 0.0 };
        return usable(coxian_above(row, m1, excess, a, b));
    }
    // u/2 = (n3 − 3)/(2n3 − 3n2),  v = 6(n2 − 2)/(n2(2n3 − 3n2));  l x1 = u/2 ± √(u²/4 − v)
    let half = third / spread;
    let v = N::of(6.0) * excess / (n2 * spread);
    let square = half * half - v;
    if !N::EXTENDED && square.value() < 1e-4 * v.value() {
        return None;
    }
    let y1 = half + square.root();
    let y2 = v / y1;
    let p_x = (y2 / y1 * (y1 - one)).value();
    usable(ErlangCoxian {
        p: 1.0,
        phases: 2,
        rate_y: 0.0,
        rate_x1: (y1 / m1).value(),
        rate_x2: (y2 / m1).value(),
        p_x: p_x.clamp(0.0, 1.0),
    })
}

fn usable(fit: ErlangCoxian) -> Option<ErlangCoxian> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    (positive(fit.rate_x1) && positive(fit.rate_x2) && (0.0..=1.0).contains(&fit.p_x)).then_some(fit)
}
