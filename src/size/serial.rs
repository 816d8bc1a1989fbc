//! Laws in serialised data are their text form.

use super::{
    BoundedPareto, Deterministic, Empirical, Erlang, Exponential, Gamma, HyperExponential, Interval, Law, LogNormal,
    Mixture, Pareto, PhaseType, Uniform, Weibull,
};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

impl Serialize for Law {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Custom(_) => Err(S::Error::custom("a custom law has no text form")),
            Self::Interval(interval) if interval.ends().0.share() < 1.0 || interval.ends().1.share() < 1.0 => {
                Err(S::Error::custom("an interval that splits an atom has no text form"))
            }
            law => serializer.collect_str(law),
        }
    }
}

impl<'de> Deserialize<'de> for Law {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

macro_rules! serial {
    ($($law:ident: $unpack:expr;)*) => { $(
        impl Serialize for $law {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Law::from(self.clone()).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $law {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Law::deserialize(deserializer)? {
                    Law::$law(law) => Ok($unpack(law)),
                    other => Err(D::Error::custom(format!("expected the law {}, found {other}", stringify!($law)))),
                }
            }
        }
    )* };
}

serial! {
    Exponential: std::convert::identity;
    Erlang: std::convert::identity;
    Gamma: std::convert::identity;
    HyperExponential: std::convert::identity;
    Weibull: std::convert::identity;
    LogNormal: std::convert::identity;
    Pareto: std::convert::identity;
    BoundedPareto: std::convert::identity;
    Uniform: std::convert::identity;
    Deterministic: std::convert::identity;
    PhaseType: std::convert::identity;
    Mixture: std::convert::identity;
    Empirical: |law: Box<Empirical>| *law;
}

impl Serialize for Interval<Law> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Law::from(self.clone()).serialize(serializer)
    }
}
