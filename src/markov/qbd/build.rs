//! Blocks from a transition function.

use super::{Blocks, Qbd, shape};
use crate::error::{Error, RATES_REQUIREMENT, Result, is_rate};
use nalgebra::DMatrix;

/// Boundary levels at most.
const MOST_LEVELS: usize = 1_000_000;

/// Phases of a level at most: its blocks take n² numbers.
const MOST_PHASES: usize = 5_000;

impl Qbd {
    /// A chain from its transitions: `rates(level, phase)` lists (rate, level, phase) of each transition out of a state.
    ///
    /// Level l has `phases(l)` phases, counted from 0. From level `repeating_from` on, rates up and inside a level are the same at all
    /// levels; the levels below may differ in any way. All blocks come from the one function, so that no sign and no diagonal can be
    /// wrong; rates to the same state add up, and a rate from a state to itself is no transition and is left out.
    ///
    /// Cost: one call for each phase of the levels 0 to `repeating_from` + 2.
    ///
    /// # Errors
    /// [`Error::Argument`] for no phases, and for a transition that jumps over a level or to a phase that does not exist;
    /// [`Error::Datum`] naming the row for a rate that is negative or not finite, and where levels `repeating_from` + 1 and + 2 differ.
    ///
    /// ```
    /// use queueing::markov::Qbd;
    /// // M/M/2: arrivals at rate 1, two servers of rate 1.
    /// let queue = Qbd::from_rates(2, |_| 1, |level, _| {
    ///     let mut out = vec![(1.0, level + 1, 0)];
    ///     if level > 0 {
    ///         out.push((level.min(2) as f64, level - 1, 0));
    ///     }
    ///     out
    /// })?;
    /// assert!((queue.solve()?.mean_level() - 4.0 / 3.0).abs() < 1e-14);   // 2r/(1−r²), r = 1/2
    /// # Ok::<(), queueing::Error>(())
    /// ```
    pub fn from_rates<I>(
        repeating_from: usize,
        phases: impl Fn(usize) -> usize,
        rates: impl Fn(usize, usize) -> I,
    ) -> Result<Self>
    where
        I: IntoIterator<Item = (f64, usize, usize)>,
    {
        let (boundary, repeating) = levels(repeating_from, phases, rates, is_rate)?;
        Self::new(boundary, repeating)
    }

    /// [`from_rates`](Self::from_rates) for a chain whose entries may be negative, to be solved by [`solve_signed`](Self::solve_signed).
    ///
    /// A law that is written as Σ w_i (1 − exp(−r_i t)) with Σ w_i = 1 and some negative weights enters its phases at such rates. The
    /// sums over its phases are probabilities; a phase by itself is none.
    pub(crate) fn signed_from_rates<I>(
        repeating_from: usize,
        phases: impl Fn(usize) -> usize,
        rates: impl Fn(usize, usize) -> I,
    ) -> Result<Self>
    where
        I: IntoIterator<Item = (f64, usize, usize)>,
    {
        let (boundary, repeating) = levels(repeating_from, phases, rates, f64::is_finite)?;
        Ok(Self { boundary, repeating })
    }
}

/// The boundary levels and the repeating blocks.
fn levels<I>(
    repeating_from: usize,
    phases: impl Fn(usize) -> usize,
    rates: impl Fn(usize, usize) -> I,
    admits: fn(f64) -> bool,
) -> Result<(Vec<Blocks>, Blocks)>
where
    I: IntoIterator<Item = (f64, usize, usize)>,
{
    let requirement = "must be at most a million";
    shape("first repeating level", repeating_from, repeating_from <= MOST_LEVELS, requirement)?;
    let level = |at: usize| collect(at, &phases, &rates, admits);
    let repeating = level(repeating_from + 1)?;
    let further = level(repeating_from + 2)?;
    let blocks = [(&repeating.up, &further.up), (&repeating.local, &further.local), (&repeating.down, &further.down)];
    let close = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-12 * x.abs().max(y.abs());
    for i in 0..repeating.local.nrows() {
        let same = |(a, b): &(&DMatrix<f64>, &DMatrix<f64>)| {
            a.shape() == b.shape() && a.row(i).iter().zip(b.row(i).iter()).all(close)
        };
        if !blocks.iter().all(same) {
            return Err(Error::Datum {
                what: "row of the first repeating level",
                index: i + 1,
                value: -repeating.local[(i, i)],
                requirement: "must have the same rates at the next level",
            });
        }
    }
    let mut boundary = (0..=repeating_from).map(level).collect::<Result<Vec<_>>>()?;
    // A last boundary level that is like the repeating ones needs no place of its own.
    while boundary.len() > 1
        && boundary.last() == Some(&repeating)
        && boundary[boundary.len() - 2].local.nrows() == repeating.local.nrows()
    {
        boundary.pop();
    }
    Ok((boundary, repeating))
}

/// The blocks of one level.
fn collect<I>(
    level: usize,
    phases: impl Fn(usize) -> usize,
    rates: impl Fn(usize, usize) -> I,
    admits: fn(f64) -> bool,
) -> Result<Blocks>
where
    I: IntoIterator<Item = (f64, usize, usize)>,
{
    let n = phases(level);
    shape("phases of a level", n, (1..=MOST_PHASES).contains(&n), "must be between 1 and 5000")?;
    let below = if level == 0 { 0 } else { phases(level - 1) };
    for neighbour in [below, phases(level + 1)] {
        shape("phases of a level", neighbour, neighbour <= MOST_PHASES, "must be between 1 and 5000")?;
    }
    let mut blocks = Blocks {
        up: DMatrix::zeros(n, phases(level + 1)),
        local: DMatrix::zeros(n, n),
        down: DMatrix::zeros(n, below),
    };
    for phase in 0..n {
        let mut out = 0.0;
        for (rate, to_level, to_phase) in rates(level, phase) {
            if !admits(rate) {
                let (what, requirement) = ("rate out of phase", RATES_REQUIREMENT);
                return Err(Error::Datum { what, index: phase + 1, value: rate, requirement });
            }
            if rate == 0.0 || (to_level, to_phase) == (level, phase) {
                continue;
            }
            let block = match to_level.wrapping_sub(level) {
                0 => &mut blocks.local,
                1 => &mut blocks.up,
                usize::MAX => &mut blocks.down,
                _ => {
                    return shape("target level", to_level, false, "must be a level next to the one it comes from")
                        .map(|()| blocks);
                }
            };
            shape("target phase", to_phase, to_phase < block.ncols(), "must be a phase of its level, counted from 0")?;
            block[(phase, to_phase)] += rate;
            out += rate;
        }
        blocks.local[(phase, phase)] = -out;
    }
    Ok(blocks)
}
