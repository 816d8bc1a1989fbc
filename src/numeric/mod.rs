//! Scalar numerics. Functions from outside crates enter the library only here.

pub(crate) mod dense;
pub(crate) mod double_double;
pub(crate) mod exponential_integral;
pub(crate) mod gamma;
pub(crate) mod least_squares;
pub(crate) mod legendre;
pub(crate) mod normal;
pub(crate) mod power;
pub(crate) mod quadrature;
pub(crate) mod root;
pub(crate) mod running;
pub(crate) mod semigroup;
pub(crate) mod stirling;
#[cfg(feature = "sim")]
pub(crate) mod student;
pub(crate) mod sum;
pub(crate) mod triplet;
pub(crate) mod walk;
