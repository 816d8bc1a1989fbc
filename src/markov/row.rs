//! Rows of generators.

use crate::error::{Error, Result, is_rate};

/// How far a row sum may be from zero, relative to the diagonal: rates written with ten digits pass.
const TOLERANCE: f64 = 1e-9;

/// The total rate out of a state, if the rates off the diagonal and the diagonal make a row of a generator.
///
/// `what` and `index`, counted from 1, name the row in errors. An absorbing state, with a row of zeros, is left to the solvers.
pub(super) fn rate_out(
    what: &'static str,
    index: usize,
    rates: impl Iterator<Item = f64>,
    diagonal: f64,
) -> Result<f64> {
    let datum = |value, requirement| Error::Datum { what, index, value, requirement };
    let mut out = 0.0;
    for rate in rates {
        if !is_rate(rate) {
            return Err(datum(rate, "must have rates that are 0 or between 1e-70 and 1e70 off the diagonal"));
        }
        out += rate;
    }
    let sum = out + diagonal;
    if sum.abs() <= TOLERANCE * out { Ok(out) } else { Err(datum(sum, "must sum to 0 within 1e-9 of its diagonal")) }
}
