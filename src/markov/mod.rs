//! Markov chains and phase types: the numerical core under multi-server queues, cycle stealing and schedulers.

mod busy_period;
mod classes;
mod ctmc;
mod elimination;
pub mod fit;
mod map;
mod map_queue;
mod qbd;
mod row;

pub use busy_period::{BusyPeriod, moments_of_sum};
pub use ctmc::Ctmc;
pub use map::Map;
pub use map_queue::MapQueue;
pub use nalgebra::DMatrix;
pub use qbd::{Blocks, Drift, FirstPassage, Qbd, QbdSolution, Reduction};
