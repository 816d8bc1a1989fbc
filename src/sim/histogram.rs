//! Counts of values by size, from which percentiles are read.

/// Bits of the mantissa that tell buckets apart: 128 to an octave, each 0.8 % wide at most.
const BITS: u32 = 7;
const SHIFT: u32 = 52 - BITS;

/// How many values lie in each of 128 equal parts of every octave, over the whole range of doubles.
///
/// Histograms merge by adding counts, and a percentile is good to half a bucket: 0.4 %. Memory: eight bytes a bucket from the smallest to
/// the largest value seen, 34 kB for ten decades.
///
/// ```
/// use queueing::sim::Histogram;
/// let mut times = Histogram::default();
/// (1..=1000).for_each(|time| times.add(f64::from(time)));
/// assert!((times.quantile(0.99).unwrap() / 990.0 - 1.0).abs() < 0.004);
/// assert_eq!(times.quantile(1.5), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    /// bucket of the first count, at least 1 once there are counts: zeros have no bucket
    base: usize,
    counts: Vec<u64>,
    /// values that are zero (or below)
    zero: u64,
    /// infinite values
    infinite: u64,
}

impl Histogram {
    /// Counts a value. Negative numbers and NaN count as 0.
    pub fn add(&mut self, value: f64) {
        self.add_all(&[value]);
    }

    /// Counts values.
    pub fn add_all(&mut self, values: &[f64]) {
        let (base, counts) = (self.base, self.counts.as_mut_slice());
        for (i, value) in values.iter().enumerate() {
            let slot = ((value.to_bits() >> SHIFT) as usize).wrapping_sub(base);
            // Zeros are below all buckets; negative numbers and NaN are above.
            match counts.get_mut(slot) {
                Some(count) => *count += 1,
                None => return self.add_slowly(&values[i..]),
            }
        }
    }

    /// The first value has no bucket yet.
    #[cold]
    fn add_slowly(&mut self, values: &[f64]) {
        let Some((&value, rest)) = values.split_first() else { return };
        if !(value > 0.0) {
            let zeros = values.iter().take_while(|value| !(**value > 0.0)).count();
            self.zero += zeros as u64;
            return self.add_all(&values[zeros..]);
        }
        if value.is_infinite() {
            self.infinite += 1;
        } else {
            let bucket = bucket(value);
            self.reach(bucket, bucket + 1);
            self.counts[bucket - self.base] += 1;
        }
        self.add_all(rest);
    }

    /// Makes room for the buckets from..to.
    fn reach(&mut self, from: usize, to: usize) {
        /// An octave more than asked for, so that growing is rare.
        const SPARE: usize = 1 << BITS;
        let last = f64::INFINITY.to_bits() as usize >> SHIFT;
        if self.counts.is_empty() {
            self.base = from;
        }
        if from < self.base {
            let base = from.saturating_sub(SPARE).max(1);
            self.counts.splice(0..0, std::iter::repeat_n(0, self.base - base));
            self.base = base;
        }
        if to > self.base + self.counts.len() {
            self.counts.resize((to + SPARE).min(last) - self.base, 0);
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.zero += other.zero;
        self.infinite += other.infinite;
        if other.counts.is_empty() {
            return;
        }
        self.reach(other.base, other.base + other.counts.len());
        let from = other.base - self.base;
        for (count, more) in self.counts[from..].iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// How many values were counted.
    pub fn count(&self) -> u64 {
        self.zero + self.infinite + self.counts.iter().sum::<u64>()
    }

    /// The value that a share p of the values does not exceed; nothing without values or for p outside 0..=1.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let total = self.count();
        if total == 0 || !(0.0..=1.0).contains(&p) {
            return None;
        }
        let wanted = p * total as f64;
        let mut below = self.zero as f64;
        if below >= wanted && self.zero > 0 {
            return Some(0.0);
        }
        for (slot, &count) in self.counts.iter().enumerate() {
            let next = below + count as f64;
            if count > 0 && next >= wanted {
                let (low, high) = self.bounds(slot);
                return Some(low + (high - low) * ((wanted - below) / count as f64).clamp(0.0, 1.0));
            }
            below = next;
        }
        Some(f64::INFINITY)
    }

    /// The share of the values above `value`, interpolated inside its bucket.
    pub fn sf(&self, value: f64) -> f64 {
        let total = self.count();
        if total == 0 {
            return 0.0;
        }
        let above = self.counts.iter().enumerate().map(|(slot, &count)| {
            let (low, high) = self.bounds(slot);
            count as f64 * ((high - value) / (high - low)).clamp(0.0, 1.0)
        });
        let zeros = if value < 0.0 { self.zero as f64 } else { 0.0 };
        let infinite = if value < f64::INFINITY { self.infinite as f64 } else { 0.0 };
        (above.sum::<f64>() + zeros + infinite) / total as f64
    }

    fn bounds(&self, slot: usize) -> (f64, f64) {
        let edge = |bucket: usize| f64::from_bits((bucket as u64) << SHIFT);
        (edge(self.base + slot), edge(self.base + slot + 1).min(f64::MAX))
    }
}

/// The bucket of a positive number. The least numbers of all, below 2^−1029, share the next one.
fn bucket(value: f64) -> usize {
    ((value.to_bits() >> SHIFT) as usize).max(1)
}
