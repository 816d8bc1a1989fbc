//! The work that a job waits for, and the time until it is done while jobs that go first keep arriving.
//!
//! All size-based disciplines and priorities have this form. A job waits for the relevant work U that it finds, and every unit of
//! it is stretched into a busy period of the jobs that go first. With a_j = λE[Y^j] of the jobs that count, and b_j the same of work
//! that counts once when nothing else does (the job in service; what a larger job has left):
//!
//! E[U] = (a₂ + b₂)/2(1−a₁),  E[U²] = ((a₃ + b₃)/3 + E[U]a₂)/(1−a₁)

/// Mean and variance of a time or an amount of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub mean: f64,
    pub variance: f64,
}

/// The relevant work that a job finds: with 1 − a₁ as `spare`, and (a₂, a₃), (b₂, b₃).
#[inline]
pub(super) fn relevant_work(spare: f64, [a2, a3]: [f64; 2], [b2, b3]: [f64; 2]) -> Spread {
    let mean = (a2 + b2) / (2.0 * spare);
    // Var[U] = (a₃ + b₃)/3(1−a₁) + E[U](a₂ − b₂)/2(1−a₁), which is E[U²] − E[U]² with the squares cancelled
    let third = (a3 + b3) / (3.0 * spare);
    let variance = if third.is_finite() { third + mean * ((a2 - b2) / (2.0 * spare)) } else { f64::INFINITY };
    Spread { mean, variance }
}

impl Spread {
    /// The busy period that this work starts, with jobs of load A₁ = 1 − `spare` and A₂ = λE[Y²] = `second` going first.
    ///
    /// E = V₁/(1−A₁), Var = Var[V]/(1−A₁)² + V₁A₂/(1−A₁)³
    #[inline]
    pub(super) fn stretched(self, spare: f64, second: f64) -> Self {
        let mean = self.mean / spare;
        Self { mean, variance: self.variance / (spare * spare) + interruptions(mean, spare, second) }
    }

    /// The time from the arrival of a job of size x to its end, less x: this work and x, stretched.
    ///
    /// (V₁ + x)/(1−A₁) − x = (V₁ + A₁x)/(1−A₁)
    #[inline]
    pub(super) fn stretched_with(self, x: f64, load: f64, spare: f64, second: f64) -> Self {
        let mean = (self.mean + load * x) / spare;
        Self { mean, variance: self.variance / (spare * spare) + interruptions(mean + x, spare, second) }
    }
}

/// The variance that interruptions bring to a busy period of the given mean: V₁A₂/(1−A₁)³.
#[inline]
fn interruptions(mean: f64, spare: f64, second: f64) -> f64 {
    if mean == 0.0 || second == 0.0 { 0.0 } else { mean * second / (spare * spare) }
}
