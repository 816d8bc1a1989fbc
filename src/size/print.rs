//! Laws to their text form, which [`parse`](super::parse) reads back.

use super::{
    BoundedPareto, Deterministic, Empirical, Erlang, Exponential, Gamma, HyperExponential, Interval, JobSize, Law,
    LogNormal, Mixture, Pareto, Uniform, Weibull,
};
use std::fmt::{Display, Formatter};

/// `Display` as a pattern over the law's parameters.
macro_rules! display {
    ($($law:ty: $pattern:literal, $this:ident => $($value:expr),+;)*) => { $(
        impl Display for $law {
            fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
                let $this = self;
                write!(out, $pattern, $($value),+)
            }
        }
    )* };
}

display! {
    Exponential: "exponential:mean={}", law => law.mean();
    Erlang: "erlang:stages={},mean={}", law => law.stages(), law.mean();
    Gamma: "gamma:shape={},scale={}", law => law.shape(), law.scale();
    Weibull: "weibull:shape={},scale={}", law => law.shape(), law.scale();
    LogNormal: "lognormal:mu={},sigma={}", law => law.mu(), law.sigma();
    Pareto: "pareto:k={},alpha={}", law => law.k(), law.alpha();
    BoundedPareto: "bounded-pareto:k={},p={},alpha={}", law => law.k(), law.p(), law.alpha();
    Uniform: "uniform:a={},b={}", law => law.a(), law.b();
    Deterministic: "deterministic:value={}", law => law.value();
}

impl Display for HyperExponential {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str("hyperexponential:")?;
        for (i, (p, mean)) in self.branches().enumerate() {
            write!(out, "{}p{1}={p},mean{1}={mean}", if i > 0 { "," } else { "" }, i + 1)?;
        }
        Ok(())
    }
}

impl Display for Mixture {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str("mixture:")?;
        for (i, (weight, law)) in self.parts().iter().enumerate() {
            write!(out, "{}{weight}*({law})", if i > 0 { "+" } else { "" })?;
        }
        Ok(())
    }
}

impl Display for Empirical {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str(if self.assumption().is_some() { "summary:" } else { "empirical:" })?;
        for (i, (size, count)) in self.counts().enumerate() {
            write!(out, "{}{count}x{size}", if i > 0 { "+" } else { "" })?;
        }
        Ok(())
    }
}

impl<S: Display + JobSize> Display for Interval<S> {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let (lower, upper) = self.ends();
        write!(out, "interval:a={},b={}", lower.size(), upper.size())?;
        // The share of the jobs of exactly this size that go below, where an end splits an atom.
        for (key, share) in [("below_a", lower.share()), ("below_b", upper.share())] {
            if share != 1.0 {
                write!(out, ",{key}={share}")?;
            }
        }
        write!(out, ",law=({})", self.law())
    }
}

impl Display for Law {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exponential(law) => law.fmt(out),
            Self::Erlang(law) => law.fmt(out),
            Self::Gamma(law) => law.fmt(out),
            Self::HyperExponential(law) => law.fmt(out),
            Self::Weibull(law) => law.fmt(out),
            Self::LogNormal(law) => law.fmt(out),
            Self::Pareto(law) => law.fmt(out),
            Self::BoundedPareto(law) => law.fmt(out),
            Self::Uniform(law) => law.fmt(out),
            Self::Deterministic(law) => law.fmt(out),
            Self::PhaseType(law) => law.fmt(out),
            Self::Mixture(law) => law.fmt(out),
            Self::Empirical(law) => law.fmt(out),
            Self::Interval(law) => law.fmt(out),
            Self::Custom(law) => write!(out, "custom:{law:?}"),
        }
    }
}
