//! Laws in serialised data are their text form, cutoffs the pair of size and share.

use super::parse::DEEPEST;
use super::{
    BoundedPareto, Cutoff, Deterministic, Empirical, Erlang, Exponential, Gamma, HyperExponential, Interval, Law,
    LogNormal, Mixture, Pareto, PhaseType, Uniform, Weibull,
};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

impl Serialize for Law {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match without_text(self, 0) {
            Some(reason) => Err(S::Error::custom(reason)),
            None => serializer.collect_str(self),
        }
    }
}

/// Why the text of a law could not be read back, wherever in it the reason lies.
fn without_text(law: &Law, depth: usize) -> Option<&'static str> {
    match law {
        _ if depth > DEEPEST => Some("laws nested more than 32 deep have no text form"),
        Law::Custom(_) => Some("a custom law has no text form"),
        Law::Mixture(mixture) => mixture.parts().iter().find_map(|(_, law)| without_text(law, depth + 1)),
        Law::Interval(interval) => without_text(interval.law(), depth + 1),
        _ => None,
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
    Interval: |law: Box<Interval>| *law;
}

/// A cutoff as it is written.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Pair(#[serde(with = "extended")] f64, f64);

impl TryFrom<Pair> for Cutoff {
    type Error = crate::Error;

    fn try_from(Pair(size, share): Pair) -> crate::Result<Self> {
        Self::end(size, share)
    }
}

impl From<Cutoff> for Pair {
    fn from(cutoff: Cutoff) -> Self {
        Self(cutoff.size(), cutoff.share())
    }
}

/// Reals with infinity: as numbers, and the infinite ones as the texts `inf` and `-inf` where a format has no number for them.
/// NaN is refused.
pub(crate) mod extended {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref)] // the shape that serde calls
    pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && !value.is_finite() {
            return value.to_string().serialize(serializer);
        }
        value.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        if !deserializer.is_human_readable() {
            return number(f64::deserialize(deserializer)?);
        }
        Extended::deserialize(deserializer)?.value()
    }

    /// A field that may be left out where formats name their fields; others always hold it.
    pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        if !deserializer.is_human_readable() {
            return number(f64::deserialize(deserializer)?).map(Some);
        }
        Option::<Extended>::deserialize(deserializer)?.map(Extended::value).transpose()
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Extended {
        Number(f64),
        Text(String),
    }

    impl Extended {
        fn value<E: Error>(self) -> Result<f64, E> {
            match self {
                Self::Number(value) => number(value),
                Self::Text(text) => number(text.parse().map_err(E::custom)?),
            }
        }
    }

    fn number<E: Error>(value: f64) -> Result<f64, E> {
        if value.is_nan() { Err(E::custom("expected a number, found NaN")) } else { Ok(value) }
    }
}
