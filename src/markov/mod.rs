//! Markov chains and phase types: the numerical core under multi-server queues, cycle stealing and schedulers.

mod classes;
mod qbd;

pub use nalgebra::DMatrix;
pub use qbd::{Blocks, Drift, FirstPassage, Qbd, QbdSolution, Reduction};
