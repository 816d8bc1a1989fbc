//! Who is served better than by processor sharing, and who worse.

use super::given_size::slowdown_given_size;
use crate::error::{Result, require};
use crate::numeric::root::monotone;
use crate::size::JobSize;
use crate::workload::{Discipline, Workload};

/// How a discipline treats the sizes, against processor sharing, where every job has the slowdown 1/(1−ρ).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fairness {
    /// The share of the jobs with E\[S(x)\] > 1/(1−ρ).
    pub jobs_worse_off: f64,
    /// The share of the load that these jobs bring.
    pub load_worse_off: f64,
    /// The largest E\[S(x)\](1−ρ): at most 1 where every size is served at least as well as by processor sharing.
    #[cfg_attr(feature = "serde", serde(with = "crate::size::cutoff::extended"))]
    pub largest_ratio: f64,
    /// The size x at which it is reached, or the largest size looked at.
    pub at_size: f64,
}

impl Fairness {
    /// Whether every size is served at least as well as by processor sharing.
    pub fn is_fair(&self) -> bool {
        self.largest_ratio <= 1.0 + UNDECIDED
    }
}

/// Differences below this share do not count.
const UNDECIDED: f64 = 1e-11;

/// Sizes looked at before the borders between better and worse are sought.
const LOOKED_AT: u32 = 400;

/// Quantiles beyond the last one looked at.
const BEYOND: f64 = 1e-12;

/// `E[S(x)](1−ρ)` over the sizes: which share of the jobs and of the load a discipline serves worse than processor sharing does.
///
/// Under SRPT every size is better off where ρ <= 1/2, for every law, and on to higher loads for heavy tails ("all can win"). Under
/// non-preemptive disciplines the smallest jobs are worse off.
///
/// Looks at 400 sizes, dense in ln x and towards both ends, or at all sizes of a trace of no more than that, then seeks the borders
/// between better and worse and the largest ratio. Sizes go up to the largest, or where there is none to the one that a share of 1e-12
/// exceeds.
///
/// Cost: some 500 times [`slowdown_given_size`]: some ms for a bounded Pareto law under SRPT, seconds for a lognormal one of scv 0.01. Accuracy: that of the
/// slowdowns; a stretch of sizes that lies between two neighbours of those looked at is missed.
///
/// # Errors
/// [`Error::Unstable`](crate::Error::Unstable) at load one or more.
///
/// Source: N. Bansal and M. Harchol-Balter, "Analysis of SRPT scheduling: investigating unfairness" (2001); A. Wierman and
/// M. Harchol-Balter, "Classifying scheduling policies with respect to unfairness in an M/GI/1" (2003).
///
/// ```
/// use queueing::prelude::*;
/// // Web files: every size prefers SRPT at load 0.95, and not at 0.97.
/// let web = |load| Workload::with_load(BoundedPareto::new(332.0, 1e10, 1.1)?, load);
/// assert!(mg1::fairness(&web(0.95)?, Discipline::Srpt)?.is_fair());
/// let late = mg1::fairness(&web(0.97)?, Discipline::Srpt)?;
/// assert!(!late.is_fair() && late.jobs_worse_off < 1e-8);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn fairness<S: JobSize>(jobs: &Workload<S>, discipline: Discipline) -> Result<Fairness> {
    jobs.stable()?;
    let law = jobs.size();
    let ratio = |x: f64| Ok(slowdown_given_size(jobs, discipline, x)?.value * jobs.spare());
    let sizes = sizes_to_look_at(law);
    let ratios = sizes.iter().map(|x| ratio(*x)).collect::<Result<Vec<f64>>>()?;
    let is_worse = |ratio: f64| ratio > 1.0 + UNDECIDED;
    let (mut fairness, mut worse) = (
        Fairness { jobs_worse_off: 0.0, load_worse_off: 0.0, largest_ratio: 0.0, at_size: 0.0 },
        Vec::<(f64, f64)>::new(),
    );
    for (&x, &value) in sizes.iter().zip(&ratios) {
        if value > fairness.largest_ratio {
            (fairness.largest_ratio, fairness.at_size) = (value, x);
        }
    }
    let border = |low: f64, high: f64| {
        let mut gap = |u: f64| ratio(u.exp()).map_or(0.0, |ratio| ratio - 1.0);
        monotone(&mut gap, low.ln(), high.ln()).exp()
    };
    // Stretches (from, to] of sizes that are worse off.
    let mut from = ratios.first().filter(|ratio| is_worse(**ratio)).map(|_| 0.0);
    for (sizes, ratios) in sizes.windows(2).zip(ratios.windows(2)) {
        match (is_worse(ratios[0]), is_worse(ratios[1])) {
            // Atoms stand alone: the one after the border is the first that is worse off.
            (false, true) => from = Some(if law.is_discrete() { sizes[0] } else { border(sizes[0], sizes[1]) }),
            (true, false) => {
                let to = if law.is_discrete() { sizes[0] } else { border(sizes[0], sizes[1]) };
                worse.extend(from.take().map(|from| (from, to)));
            }
            _ => {}
        }
    }
    worse.extend(from.map(|from| (from, f64::INFINITY)));
    for (from, to) in worse {
        fairness.jobs_worse_off += law.partial_moment(0.0, from, to);
        fairness.load_worse_off += law.partial_moment(1.0, from, to) / law.mean();
    }
    if !law.is_discrete() && fairness.largest_ratio.is_finite() {
        refine(&mut fairness, &sizes, ratio)?;
    }
    Ok(fairness)
}

/// The slowdown at a quantile of the sizes: E\[S(x)\] for the size x that a share `probability` of the jobs does not exceed.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) unless 0 <= probability <= 1 and the size there is positive and finite (at 0 it is the
/// least of the law); as [`slowdown_given_size`].
///
/// ```
/// use queueing::prelude::*;
/// let jobs = Workload::with_load(BoundedPareto::new(332.0, 1e10, 1.1)?, 0.9)?;
/// let slowdown = mg1::slowdown_at_percentile(&jobs, Discipline::Srpt, 0.9)?;
/// assert!((slowdown.value - 1.277929563).abs() < 1e-9);
/// # Ok::<(), queueing::Error>(())
/// ```
pub fn slowdown_at_percentile<S: JobSize>(
    jobs: &Workload<S>,
    discipline: Discipline,
    probability: f64,
) -> Result<crate::Estimate> {
    require((0.0..=1.0).contains(&probability), "probability", probability, "must be between 0 and 1")?;
    slowdown_given_size(jobs, discipline, jobs.size().quantile(probability))
}

fn sizes_to_look_at<S: JobSize>(law: &S) -> Vec<f64> {
    let atoms = law.atoms();
    if law.is_discrete() && atoms.len() <= LOOKED_AT as usize {
        return atoms.iter().map(|atom| atom.size).collect();
    }
    let (mut low, mut high) = law.support();
    low = if low > 0.0 { low } else { law.quantile(BEYOND).max(1e-70) };
    high = if high.is_finite() { high } else { law.upper_quantile(BEYOND).min(1e70) };
    let range = (high / low).ln();
    let share = |i: u32| f64::from(i) / f64::from(LOOKED_AT / 2);
    let even = (0..=LOOKED_AT / 2).map(|i| low * (range * share(i)).exp());
    // Ever closer to both ends.
    let close = |i: u32| range * 10.0_f64.powf(-8.0 * share(i));
    let ends = (1..LOOKED_AT / 4).flat_map(|i| [low * close(i).exp(), high * (-close(i)).exp()]);
    let mut sizes: Vec<f64> = even.chain(ends).chain([low, high]).filter(|x| (low..=high).contains(x)).collect();
    if law.is_discrete() {
        // The atom at or above each place.
        for x in &mut sizes {
            let at = atoms.partition_point(|atom| atom.size < *x).min(atoms.len() - 1);
            *x = atoms[at].size;
        }
    }
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.dedup();
    sizes
}

/// The largest ratio between the neighbours of the largest one seen, by golden section in ln x.
fn refine(fairness: &mut Fairness, sizes: &[f64], ratio: impl Fn(f64) -> Result<f64>) -> Result<()> {
    let at = sizes.partition_point(|x| *x < fairness.at_size);
    let (Some(low), Some(high)) = (sizes.get(at.saturating_sub(1)), sizes.get((at + 1).min(sizes.len() - 1))) else {
        return Ok(());
    };
    let (mut low, mut high) = (low.ln(), high.ln());
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..30 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        let (at_left, at_right) = (ratio(left.exp())?, ratio(right.exp())?);
        for (value, u) in [(at_left, left), (at_right, right)] {
            if value > fairness.largest_ratio {
                (fairness.largest_ratio, fairness.at_size) = (value, u.exp());
            }
        }
        if at_left < at_right { low = left } else { high = right }
    }
    Ok(())
}
