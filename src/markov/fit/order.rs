//! Which moments need how many phases.

use super::Moments;
use crate::error::{Result, require};
use crate::size::Complex64;

/// The third normalised moments n3 that acyclic phase types of n phases have at a given n2; nothing where n2 < (n+1)/n.
///
/// Returned are the infimum and the supremum, which may be infinite. For one phase, n2 = 2 and n3 = 3 only.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless n >= 1 and n2 is finite.
///
/// Source: A. Bobbio, A. Horváth, M. Telek, "Matching three moments with minimal acyclic phase type distributions" (2005).
///
/// ```
/// use queueing::markov::fit::third_moment_range;
/// assert_eq!(third_moment_range(4.0, 2)?, Some((6.0, f64::INFINITY)));      // 3n2/2 and up
/// let (low, high) = third_moment_range(1.5, 2)?.unwrap();
/// assert!((low - 2.0).abs() < 1e-12 && (high - 2.0).abs() < 1e-12);          // Erlang
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn third_moment_range(n2: f64, phases: usize) -> Result<Option<(f64, f64)>> {
    require(phases >= 1, "phases", phases as f64, "must be at least 1")?;
    require(n2.is_finite(), "n2 = m2/m1²", n2, "must be finite")?;
    let n = phases as f64;
    if phases == 1 {
        return Ok(((n2 - 2.0).abs() < 1e-14).then_some((3.0, 3.0)));
    }
    if n2 < (n + 1.0) / n * (1.0 - 1e-15) {
        return Ok(None);
    }
    let low = if n2 >= (n + 4.0) / (n + 1.0) { (n + 1.0) / n * n2 } else { low(n, n2) };
    // 2(n−2)(n n2 − n − 1)√(1 + n(n2−2)/(n−1)) + (n+2)(3n n2 − 2n − 2), over n² n2
    let high = if n2 > n / (n - 1.0) {
        f64::INFINITY
    } else {
        let root = (1.0 + n * (n2 - 2.0) / (n - 1.0)).max(0.0).sqrt();
        (2.0 * (n - 2.0) * (n * n2 - n - 1.0) * root + (n + 2.0) * (3.0 * n * n2 - 2.0 * n - 2.0)) / (n * n * n2)
    };
    Ok(Some((low, high)))
}

fn low(n: f64, n2: f64) -> f64 {
    // p = (n+1)(n2−2)/(3n2(n−1)) (−2√(n+1)/√(4(n+1)−3n n2) − 1)
    let complex = |x: f64| Complex64::new(x, 0.0);
    let outer = -2.0 * (n + 1.0).sqrt() / complex(4.0 * (n + 1.0) - 3.0 * n * n2).sqrt() - 1.0;
    let p = outer * ((n + 1.0) * (n2 - 2.0) / (3.0 * n2 * (n - 1.0)));
    // a = (n2−2)/(p(1−n2) + √(p² + p n(n2−2)/(n−1)))
    let a = (n2 - 2.0) / (p * (1.0 - n2) + (p * p + p * (n * (n2 - 2.0) / (n - 1.0))).sqrt());
    // ((3+a)(n−1) + 2a)/((n−1)(1+ap)) − 2a(n+1)/(2(n−1) + ap(na + 2n − 2))
    let first = ((a + 3.0) * (n - 1.0) + a * 2.0) / ((a * p + 1.0) * (n - 1.0));
    let second = a * (2.0 * (n + 1.0)) / (a * p * (a * n + 2.0 * n - 2.0) + 2.0 * (n - 1.0));
    (first - second).re
}

/// The fewest phases of an acyclic phase type, without an atom, that has these moments.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) naming n2 or n3 for moments that no phase type has, or none of up to 10000 phases.
///
/// ```
/// use queueing::markov::fit::{Moments, smallest_order};
/// assert_eq!(smallest_order(Moments::new(2.0, 16.0, 288.0)?)?, 2);
/// assert_eq!(smallest_order(Moments::new(1.0, 4.0 / 3.0, 2.0)?)?, 9);       // uniform sizes
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn smallest_order(moments: Moments) -> Result<usize> {
    moments.check()?;
    let (n2, n3) = (moments.n2(), moments.n3());
    for phases in 1..=10_000 {
        let range = third_moment_range(n2, phases)?;
        // (n+1)/n n2 is the bound of an Erlang law after an atom at 0, which no law without an atom reaches.
        let open = phases > 1 && n2 >= (phases as f64 + 4.0) / (phases as f64 + 1.0);
        let slack = if open { -1e-13 } else { 1e-13 };
        if range.is_some_and(|(low, high)| n3 >= low * (1.0 - slack) && n3 <= high * (1.0 + 1e-13)) {
            return Ok(phases);
        }
    }
    require(false, "n3 = m3/(m1 m2)", n3, "must exceed n2 by more than 1e-4 of it for up to 10000 phases").map(|()| 0)
}
