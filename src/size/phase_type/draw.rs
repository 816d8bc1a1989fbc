//! Sizes drawn by walking through the phases.

use super::PhaseType;
use crate::random::Random;
use crate::size::JobSize;

/// Beyond so many visits of phases a job, the quantile is quicker.
const MOST_VISITS: f64 = 500.0;

pub(super) fn fill(law: &PhaseType, random: &mut Random, out: &mut [f64]) {
    let fastest = law.total.iter().copied().fold(0.0, f64::max);
    if fastest * law.mean() > MOST_VISITS {
        return out.fill_with(|| law.upper_quantile(random.uniform()));
    }
    out.fill_with(|| walk(law, random));
}

fn walk(law: &PhaseType, random: &mut Random) -> f64 {
    let (n, mut time) = (law.phases(), 0.0);
    // After the last phase stands the end.
    let mut phase = random.part(law.alpha.iter().copied().chain([law.mass_at_zero()]));
    while phase < n {
        let total = law.total[phase];
        time += random.exponential() / total;
        let rates = &law.rates[phase * n..(phase + 1) * n];
        phase = random.part(rates.iter().map(|rate| rate / total).chain([law.exit[phase] / total]));
    }
    time
}
