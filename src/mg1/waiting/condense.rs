//! Large traces: many sizes close to each other become two with the same moments.

use crate::error::Result;
use crate::numeric::power::log_ratio;
use crate::numeric::sum::Sum;
use crate::size::{Atom, Empirical, JobSize};

/// Ranges of sizes, equally wide in ln x.
const RANGES: f64 = 500.0;

/// A law of at most two atoms a range, with the first four moments (that of order 0 included) of the given one in each.
pub(super) fn condense<S: JobSize>(law: &S) -> Result<Empirical> {
    let (low, high) = law.support();
    let width = log_ratio(low, high) / RANGES;
    let range = |atom: &Atom| (log_ratio(low, atom.size) / width) as u64;
    let pairs = law.atoms().chunk_by(|one, next| range(one) == range(next)).flat_map(two_of);
    Empirical::from_atoms(&pairs.collect::<Vec<_>>())
}

/// The Gauss rule of two points for these atoms, by mean m, standard deviation s and skewness g: m + s(g/2 ± √(1 + g²/4)).
fn two_of(atoms: &[Atom]) -> Vec<(f64, f64)> {
    if atoms.len() <= 2 {
        return atoms.iter().map(|atom| (atom.size, atom.probability)).collect();
    }
    let average =
        |of: &dyn Fn(f64) -> f64| atoms.iter().map(|atom| atom.probability * of(atom.size)).collect::<Sum>().value();
    let mass = average(&|_| 1.0);
    let mean = average(&|x| x) / mass;
    let deviation = (average(&|x| (x - mean).powi(2)) / mass).sqrt();
    let skewness = average(&|x| ((x - mean) / deviation).powi(3)) / mass;
    let root = (1.0 + 0.25 * skewness * skewness).sqrt();
    let [lower, upper] = [-1.0, 1.0].map(|sign| 0.5 * skewness + sign * root);
    // Weights that give mass 1 and mean 0.
    [(lower, upper / (upper - lower)), (upper, -lower / (upper - lower))]
        .map(|(place, weight)| (mean + deviation * place, mass * weight))
        .to_vec()
}
