//! What is kept of a stream of jobs: sums, batch means and a histogram.

use super::histogram::Histogram;
use crate::numeric::sum::Sum;

/// Sums over jobs, by position.
pub(crate) const WAIT: usize = 0;
pub(crate) const WAIT_2: usize = 1;
pub(crate) const WAIT_3: usize = 2;
pub(crate) const SIZE: usize = 3;
pub(crate) const RESPONSE_2: usize = 4;
pub(crate) const SLOWDOWN: usize = 5;
pub(crate) const SLOWDOWN_2: usize = 6;
pub(crate) const WAITED: usize = 7;
pub(crate) const SUMS: usize = 8;

/// E[W], E[W²], E[W³], E[X], E[T²], E[W/X], E[(W/X)²] and P(W > 0) over some jobs, or the sums behind them.
pub(crate) type Sums = [f64; SUMS];

/// Between half as many and so many batches are kept.
const MOST_BATCHES: usize = 64;

/// The longest block of jobs that is summed at once.
pub(crate) const BLOCK: usize = 256;

/// One stream of jobs (all, a class, a range of sizes) in the order in which they are recorded.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    /// a block of jobs, and how many of it are there
    waits: Vec<f64>,
    sizes: Vec<f64>,
    held: usize,
    terms: Terms,
    block: usize,
    totals: [Sum; SUMS],
    jobs: u64,
    batches: Vec<Sums>,
    /// blocks in a batch, and in the one that is being filled
    blocks: u64,
    filled: u64,
    current: Sums,
    /// kept unless other tallies together tell it
    histogram: Option<Histogram>,
}

impl Tally {
    /// For a stream of about so many jobs.
    pub(crate) fn new(expected: u64) -> Self {
        let block = (expected / MOST_BATCHES as u64).clamp(1, BLOCK as u64) as usize;
        Self {
            waits: vec![0.0; block],
            sizes: vec![0.0; block],
            held: 0,
            terms: Terms::default(),
            block,
            totals: [Sum::default(); SUMS],
            jobs: 0,
            batches: Vec::with_capacity(MOST_BATCHES),
            blocks: 1,
            filled: 0,
            current: [0.0; SUMS],
            histogram: Some(Histogram::default()),
        }
    }

    /// A job that waited so long beyond its own size.
    #[inline]
    pub(crate) fn push(&mut self, wait: f64, size: f64) {
        (self.waits[self.held], self.sizes[self.held]) = (wait, size);
        self.held += 1;
        if self.held == self.block {
            self.flush();
        }
    }

    /// Many jobs.
    pub(crate) fn extend(&mut self, mut waits: &[f64], mut sizes: &[f64]) {
        while !waits.is_empty() {
            if self.held == 0 && waits.len() >= self.block {
                let sums = self.add(&waits[..self.block], &sizes[..self.block]);
                self.batch(&sums);
                (waits, sizes) = (&waits[self.block..], &sizes[self.block..]);
                continue;
            }
            let count = waits.len().min(self.block - self.held);
            let held = self.held..self.held + count;
            self.waits[held.clone()].copy_from_slice(&waits[..count]);
            self.sizes[held].copy_from_slice(&sizes[..count]);
            self.held += count;
            (waits, sizes) = (&waits[count..], &sizes[count..]);
            if self.held == self.block {
                self.flush();
            }
        }
    }

    /// A full block.
    fn flush(&mut self) {
        let sums = self.add_held();
        self.batch(&sums);
    }

    /// Adds what is left over to the totals: it makes no batch.
    pub(crate) fn finish(&mut self) {
        self.add_held();
    }

    /// The jobs held go to the totals.
    fn add_held(&mut self) -> Sums {
        let (waits, sizes) = (std::mem::take(&mut self.waits), std::mem::take(&mut self.sizes));
        let sums = self.add(&waits[..self.held], &sizes[..self.held]);
        (self.waits, self.sizes, self.held) = (waits, sizes, 0);
        sums
    }

    fn add(&mut self, waits: &[f64], sizes: &[f64]) -> Sums {
        let sums = self.terms.sums(waits, sizes);
        for (total, sum) in self.totals.iter_mut().zip(sums) {
            total.add(sum);
        }
        self.jobs += waits.len() as u64;
        if let Some(histogram) = &mut self.histogram {
            histogram.add_all(&self.terms.responses);
        }
        sums
    }

    fn batch(&mut self, sums: &Sums) {
        for (current, sum) in self.current.iter_mut().zip(sums) {
            *current += sum;
        }
        self.filled += 1;
        if self.filled < self.blocks {
            return;
        }
        let jobs = (self.blocks * self.block as u64) as f64;
        self.batches.push(self.current.map(|sum| sum / jobs));
        (self.current, self.filled) = ([0.0; SUMS], 0);
        if self.batches.len() == MOST_BATCHES {
            // Two neighbours make one batch of twice the length.
            for i in 0..MOST_BATCHES / 2 {
                let (one, other) = (self.batches[2 * i], self.batches[2 * i + 1]);
                self.batches[i] = std::array::from_fn(|k| 0.5 * (one[k] + other[k]));
            }
            self.batches.truncate(MOST_BATCHES / 2);
            self.blocks *= 2;
        }
    }

    pub(crate) fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Means over all jobs.
    pub(crate) fn means(&self) -> Sums {
        self.totals.map(|total| total.value() / self.jobs.max(1) as f64)
    }

    pub(crate) fn batches(&self) -> &[Sums] {
        &self.batches
    }

    /// The response times, where they are kept.
    pub(crate) fn histogram(&self) -> Option<&Histogram> {
        self.histogram.as_ref()
    }

    /// Leaves the histogram to others.
    pub(crate) fn without_histogram(self) -> Self {
        Self { histogram: None, ..self }
    }

    /// Takes over what others have counted of the same jobs.
    pub(crate) fn with_histograms_of(mut self, parts: &[Self]) -> Self {
        if self.histogram.is_none() {
            let mut all = Histogram::default();
            parts.iter().filter_map(Self::histogram).for_each(|part| all.merge(part));
            self.histogram = Some(all);
        }
        self
    }
}

/// What the sums are made of, job by job.
#[derive(Debug, Clone, Default)]
struct Terms {
    responses: Vec<f64>,
    slowdowns: Vec<f64>,
}

impl Terms {
    /// The sums over one block. Each loop does little, so that it becomes vector instructions.
    fn sums(&mut self, waits: &[f64], sizes: &[f64]) -> Sums {
        fill(&mut self.responses, waits, sizes, |w, x| w + x);
        // A job of size 0 that waits has an infinite slowdown, one that does not wait has none.
        let least = f64::MIN_POSITIVE;
        fill(&mut self.slowdowns, waits, sizes, |w, x| w / if x > least { x } else { least });
        let [wait, wait_2, wait_3, waited] = sums(waits, |w| [w, w * w, w * w * w, if w > 0.0 { 1.0 } else { 0.0 }]);
        let [size] = sums(sizes, |x| [x]);
        let [response_2] = sums(&self.responses, |response| [response * response]);
        let [slowdown, slowdown_2] = sums(&self.slowdowns, |slowdown| [slowdown, slowdown * slowdown]);
        [wait, wait_2, wait_3, size, response_2, slowdown, slowdown_2, waited]
    }
}

#[inline]
fn fill(out: &mut Vec<f64>, waits: &[f64], sizes: &[f64], term: impl Fn(f64, f64) -> f64) {
    out.resize(waits.len(), 0.0);
    for ((out, w), x) in out.iter_mut().zip(waits).zip(sizes) {
        *out = term(*w, *x);
    }
}

/// Some sums, each in four parts, which do not wait for each other.
#[inline]
fn sums<const N: usize>(values: &[f64], terms: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    const LANES: usize = 4;
    let (fours, rest) = values.as_chunks::<LANES>();
    let mut parts = [[0.0; LANES]; N];
    for four in fours {
        let terms = four.map(&terms);
        for (n, parts) in parts.iter_mut().enumerate() {
            for (part, terms) in parts.iter_mut().zip(&terms) {
                *part += terms[n];
            }
        }
    }
    let mut left = [0.0; N];
    for value in rest {
        left.iter_mut().zip(terms(*value)).for_each(|(left, term)| *left += term);
    }
    std::array::from_fn(|n| (parts[n][0] + parts[n][2]) + (parts[n][1] + parts[n][3]) + left[n])
}
