//! Does a law agree with itself? A wrong density gives plausible wrong numbers.

use super::JobSize;
use crate::accuracy::Accuracy;
use crate::error::{Error, Result, require};

/// Tail probabilities at which the density is compared with the tail. Beyond 1e-16 only tails computed as such reach.
const TAILS: [f64; 8] = [0.9, 0.5, 1e-3, 1e-6, 1e-12, 1e-30, 1e-100, 1e-200];

/// What quadrature and a tail may differ by.
const TOLERANCE: f64 = 1e-6;

pub(super) fn check<S: JobSize + ?Sized>(law: &S) -> Result<()> {
    if law.accuracy() == Accuracy::Exact {
        return Ok(());
    }
    let (low, high) = law.support();
    require(low >= 0.0 && low.is_finite(), "lower end of the support", low, "must be at least 0 and finite")?;
    require(high >= low, "upper end of the support", high, "must not be below the lower end")?;
    agree(law, 0.0, 1.0, law.partial_moment(0.0, 0.0, f64::INFINITY))?;
    for q in TAILS {
        let x = law.upper_quantile(q);
        let tail = law.sf(x);
        // Atoms skip probabilities; a tail computed as a complement ends in rounding.
        if !(tail > 0.5 * q && tail < 2.0 * q && x < high) {
            continue;
        }
        let next = (2.0 * x).min(high);
        let between = tail - law.sf(next);
        if between > 1e-3 * tail {
            agree(law, x, between, law.partial_moment(0.0, x, next))?;
        }
    }
    Ok(())
}

fn agree<S: JobSize + ?Sized>(law: &S, size: f64, by_tail: f64, by_density: f64) -> Result<()> {
    // The tail has the rounding of its argument; and that of 1, should it be computed as a complement.
    let argument = if size > 0.0 { size * law.density(size) } else { 0.0 };
    let complement = if by_tail > 1e-15 { 1.0 } else { 0.0 };
    let allowed = TOLERANCE + 4.0 * f64::EPSILON * (argument + complement) / by_tail;
    if (by_density / by_tail - 1.0).abs() <= allowed {
        Ok(())
    } else {
        Err(Error::Inconsistent { size, by_tail, by_density })
    }
}
