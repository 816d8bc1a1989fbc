//! The jobs beyond the largest size to which sizes are followed one by one.
//!
//! Laws with an index next to 1 have load at sizes that no double holds. Beyond b = 1e90 a law that still has jobs is taken as a power
//! law with the index that it has at b, α = E[X; X>b]/E[X−b; X>b], which is exact for Pareto tails.

use super::level::Level;

/// The sizes beyond b.
#[derive(Debug, Clone, Copy)]
pub(super) struct Far {
    /// The level at b.
    pub level: Level,
    /// P(X > b)
    pub share: f64,
    /// E[(X − b)⁺]
    pub rest: f64,
    /// 1 − ρ of all jobs
    pub spare: f64,
    /// r/(1−ρ) with r = λE[X; X > b]
    pub ratio: f64,
}

impl Far {
    pub(super) fn new(level: Level) -> Self {
        let Level { x, rate, spare_of_all: spare, rate_above, load_above, .. } = level;
        let rest = ((load_above - rate_above * x) / rate).max(0.0);
        Self { level, share: rate_above / rate, rest, spare, ratio: load_above / spare }
    }

    /// The index α.
    pub(super) fn index(&self) -> f64 {
        self.level.load_above / (self.level.rate * self.rest)
    }

    /// ∫ λD(x) f(x) / 2(1−ρ(x))² dx for a second moment λD of the given value at b that grows like x^{2−α}.
    ///
    /// In r(x) = λE[X; X > x], with f dx = −dr/λx and D/x ∝ r: (D/2br²) ∫₀ʳ y dy/(1−ρ+cy)², where `ratio` = cr/(1−ρ).
    pub(super) fn first_stretch(&self, second: f64, ratio: f64) -> f64 {
        if !(ratio > 0.0) {
            return 0.0;
        }
        let scale = self.level.load_above / self.spare / ratio;
        let integral = scale * scale * (ratio.ln_1p() - ratio / (1.0 + ratio));
        second / (2.0 * self.level.x * self.level.rate * self.level.load_above) * integral
    }

    /// E[Xρ(X)/(1−ρ(X)); X > b] = (1/λ)∫₀ʳ (1/(1−ρ+cy) − 1) dy, where `ratio` = cr/(1−ρ).
    pub(super) fn stretched_size(&self, ratio: f64) -> f64 {
        if !(ratio > 0.0) {
            return 0.0;
        }
        self.level.load_above / self.level.rate * (ratio.ln_1p() / (ratio * self.spare) - 1.0)
    }
}
