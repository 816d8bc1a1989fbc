//! Random numbers that are a pure function of a seed.

mod ziggurat;

use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use ziggurat::{ENDS, HEIGHTS};

/// A stream of random numbers: xoshiro256++, seeded through SplitMix64.
///
/// The stream is part of the interface: the same seed gives the same numbers, bit for bit, on every machine (laws that need ln, exp
/// or a power take them from the platform's library, which may differ in the last digit). Exponential numbers come from a
/// ziggurat of 256 layers, normal ones from that of `rand_distr`.
///
/// Source: D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators" (2021); G. Marsaglia and W. Tsang, "The
/// ziggurat method for generating random variables" (2000).
///
/// ```
/// use queueing::Random;
/// let (mut one, mut same, mut other) = (Random::new(7), Random::new(7), Random::stream(7, 1));
/// assert_eq!(one.uniform(), same.uniform());
/// assert!(one.uniform() != other.uniform());
/// ```
#[derive(Debug, Clone)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The first stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Stream `index` of a seed: 2^192 numbers away from the one before it. Cost: `index` jumps of some 0.3 µs.
    pub fn stream(seed: u64, index: u32) -> Self {
        let mut random = Self::new(seed);
        (0..index).for_each(|_| random.leap());
        random
    }

    /// Goes on to the next stream of its seed.
    pub(crate) fn leap(&mut self) {
        self.0.long_jump();
    }

    /// Splits off the 2^128 numbers that come next; this stream goes on after them.
    #[must_use]
    pub fn split(&mut self) -> Self {
        let part = self.clone();
        self.0.jump();
        part
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on (0, 1], a multiple of 2^−53.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 * (0.5 / (1_u64 << 52) as f64)
    }

    /// Exponential with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        let bits = self.bits();
        let (layer, x) = ziggurat::point(bits);
        if x < ENDS[layer + 1] { x } else { self.exponential_above(bits) }
    }

    /// Fills `out` with exponential numbers of mean 1: those that [`exponential`](Self::exponential) gives, in another order of bits.
    pub fn exponentials(&mut self, out: &mut [f64]) {
        const BLOCK: usize = 64;
        let (mut bits, mut above) = ([0; BLOCK], [0_u8; BLOCK]);
        for out in out.chunks_mut(BLOCK) {
            // All at once, without branches; one in ninety is not yet decided.
            let mut random = self.0.clone();
            bits[..out.len()].fill_with(|| random.next_u64());
            self.0 = random;
            let mut count = 0;
            for (i, (x, &bits)) in out.iter_mut().zip(&bits).enumerate() {
                let (layer, point) = ziggurat::point(bits);
                *x = point;
                above[count & (BLOCK - 1)] = i as u8;
                count += usize::from(point >= ENDS[layer + 1]);
            }
            for &i in &above[..count] {
                out[usize::from(i)] = self.exponential_above(bits[usize::from(i)]);
            }
        }
    }

    /// The point is not inside the next layer: in the tail, under the curve, or rejected.
    #[cold]
    fn exponential_above(&mut self, mut bits: u64) -> f64 {
        loop {
            let (layer, x) = ziggurat::point(bits);
            if x < ENDS[layer + 1] {
                return x;
            }
            if layer == 0 {
                return ziggurat::TAIL - self.uniform().ln();
            }
            let height = HEIGHTS[layer + 1] + (HEIGHTS[layer] - HEIGHTS[layer + 1]) * self.uniform();
            if height < (-x).exp() {
                return x;
            }
            bits = self.bits();
        }
    }

    /// Normal with mean 0 and variance 1.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }

    /// Fills `out` with gamma numbers of the given shape and scale; 0 where a tiny shape makes them underflow.
    pub(crate) fn gamma(&mut self, shape: f64, scale: f64, out: &mut [f64]) {
        const MOST_STAGES: f64 = 8.0;
        if shape.fract() == 0.0 && shape <= MOST_STAGES {
            return out.fill_with(|| scale * (0..shape as u32).map(|_| self.exponential()).sum::<f64>());
        }
        match rand_distr::Gamma::new(shape, scale) {
            Ok(law) => out.fill_with(|| law.sample(&mut self.0)),
            Err(_) => out.fill(0.0),
        }
    }

    /// A whole number below `bound`, each equally likely to within `bound`·2^−64; 0 for bound 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        // Lemire: the high half of the product
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// The position of a part drawn by its weight. The weights sum to 1, up to rounding.
    #[inline]
    pub(crate) fn part(&mut self, weights: impl Iterator<Item = f64>) -> usize {
        let (mut left, mut last) = (self.uniform(), 0);
        for (i, weight) in weights.enumerate() {
            left -= weight;
            last = i;
            if left <= 0.0 {
                break;
            }
        }
        last
    }
}
