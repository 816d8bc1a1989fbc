//! All laws in one type.

use super::{
    BoundedPareto, Deterministic, Empirical, Erlang, Exponential, Gamma, HyperExponential, Interval, JobSize,
    LogNormal, Mixture, Pareto, PhaseType, Uniform, Weibull, forward_job_size,
};
use std::sync::Arc;

/// Any job-size law: what a program reads from a command line or keeps in a list.
///
/// The text form is `name:key=value,...`, the same for [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr):
///
/// | text | law |
/// |---|---|
/// | `exponential:mean=2` (or `rate`) | [`Exponential`] |
/// | `erlang:stages=3,mean=2` | [`Erlang`] |
/// | `gamma:shape=2,scale=3` (or `mean`, `scv`) | [`Gamma`] |
/// | `hyperexponential:p1=0.9,mean1=0.5,mean2=8` (or `mean`, `scv`: balanced; further branches `p2`, `p3`, ...) | [`HyperExponential`] |
/// | `weibull:shape=0.5,scale=2` (or `mean`, `scv`) | [`Weibull`] |
/// | `lognormal:mu=0,sigma=1.5` (or `mean`, `scv`) | [`LogNormal`] |
/// | `pareto:k=1,alpha=2.5` (or `mean`, `alpha`; or `mean`, `scv`) | [`Pareto`] |
/// | `bounded-pareto:k=332,p=1e10,alpha=1.1` (or `mean`, `p`, `alpha`) | [`BoundedPareto`] |
/// | `uniform:a=1,b=4` (or `mean`, `scv`) | [`Uniform`] |
/// | `deterministic:value=3` | [`Deterministic`] |
/// | `coxian2:rate1=2,rate2=0.1,p=0.15` | [`PhaseType::coxian2`] |
/// | `phase-type:alpha=[1,0],t=[-2,0.3;0,-0.1]` (or with `exit=[1.7,0.1]`, to the last digit) | [`PhaseType`] |
/// | `web-files:mu=9.357,sigma=1.318,k=133000,alpha=1.1,tail=0.07` | [`Mixture::web_files`] |
/// | `mixture:0.9*(exponential:mean=1)+0.1*(pareto:k=1,alpha=2)` | [`Mixture`] |
/// | `empirical:2x2+1x4+1x8` (count x size); `summary:...` for one made by [`Summary::law`](super::Summary::law) | [`Empirical`] |
/// | `interval:a=1,b=3,law=(exponential:mean=2)` (and `below_a`, `below_b`: shares of split atoms) | [`Interval`] |
///
/// ```
/// use queueing::prelude::*;
/// let law: Law = "bounded-pareto:k=1,p=100,alpha=1".parse()?;
/// assert_eq!(law, BoundedPareto::new(1.0, 100.0, 1.0)?.into());
/// assert_eq!(law.to_string(), "bounded-pareto:k=1,p=100,alpha=1");
/// # Ok::<(), queueing::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Law {
    /// Exponential sizes.
    Exponential(Exponential),
    /// Erlang sizes.
    Erlang(Erlang),
    /// Gamma sizes.
    Gamma(Gamma),
    /// Hyperexponential sizes.
    HyperExponential(HyperExponential),
    /// Weibull sizes.
    Weibull(Weibull),
    /// Lognormal sizes.
    LogNormal(LogNormal),
    /// Pareto sizes.
    Pareto(Pareto),
    /// Bounded Pareto sizes.
    BoundedPareto(BoundedPareto),
    /// Uniform sizes.
    Uniform(Uniform),
    /// One size.
    Deterministic(Deterministic),
    /// Phase-type sizes.
    PhaseType(PhaseType),
    /// Several laws.
    Mixture(Mixture),
    /// A trace.
    Empirical(Box<Empirical>),
    /// The sizes between two cutoffs.
    Interval(Box<Interval<Law>>),
    /// A law of the user's own. Two of them are equal when they are the same object; it has no text form.
    Custom(Arc<dyn JobSize>),
}

impl Law {
    /// Wraps a law of your own.
    pub fn custom(law: impl JobSize + 'static) -> Self {
        Self::Custom(Arc::new(law))
    }

    fn as_job_size(&self) -> &dyn JobSize {
        match self {
            Self::Exponential(law) => law,
            Self::Erlang(law) => law,
            Self::Gamma(law) => law,
            Self::HyperExponential(law) => law,
            Self::Weibull(law) => law,
            Self::LogNormal(law) => law,
            Self::Pareto(law) => law,
            Self::BoundedPareto(law) => law,
            Self::Uniform(law) => law,
            Self::Deterministic(law) => law,
            Self::PhaseType(law) => law,
            Self::Mixture(law) => law,
            Self::Empirical(law) => law,
            Self::Interval(law) => law,
            Self::Custom(law) => law,
        }
    }
}

impl JobSize for Law {
    forward_job_size!(self => self.as_job_size());
}

impl PartialEq for Law {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exponential(a), Self::Exponential(b)) => a == b,
            (Self::Erlang(a), Self::Erlang(b)) => a == b,
            (Self::Gamma(a), Self::Gamma(b)) => a == b,
            (Self::HyperExponential(a), Self::HyperExponential(b)) => a == b,
            (Self::Weibull(a), Self::Weibull(b)) => a == b,
            (Self::LogNormal(a), Self::LogNormal(b)) => a == b,
            (Self::Pareto(a), Self::Pareto(b)) => a == b,
            (Self::BoundedPareto(a), Self::BoundedPareto(b)) => a == b,
            (Self::Uniform(a), Self::Uniform(b)) => a == b,
            (Self::Deterministic(a), Self::Deterministic(b)) => a == b,
            (Self::PhaseType(a), Self::PhaseType(b)) => a == b,
            (Self::Mixture(a), Self::Mixture(b)) => a == b,
            (Self::Empirical(a), Self::Empirical(b)) => a == b,
            (Self::Interval(a), Self::Interval(b)) => a == b,
            (Self::Custom(a), Self::Custom(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

macro_rules! into_law {
    ($($law:ident)*) => { $(
        impl From<$law> for Law {
            fn from(law: $law) -> Self {
                Self::$law(law)
            }
        }
    )* };
}
into_law!(Exponential Erlang Gamma HyperExponential Weibull LogNormal Pareto BoundedPareto Uniform Deterministic PhaseType Mixture);

impl From<Empirical> for Law {
    fn from(law: Empirical) -> Self {
        Self::Empirical(Box::new(law))
    }
}

impl<S: Into<Law> + JobSize> From<Interval<S>> for Law {
    fn from(interval: Interval<S>) -> Self {
        Self::Interval(Box::new(interval.into_law()))
    }
}
