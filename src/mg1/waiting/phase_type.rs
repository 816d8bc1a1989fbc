//! Phase-type sizes: the waiting time is of phase type too.

use crate::error::Result;
use crate::numeric::dense::matrix;
use crate::size::PhaseType;

/// W = a geometric number of residuals X_e: start law ρα_e, and from an exit, with rate t, with probability ρ to α_e again.
///
/// The rates are T + ρtα_e, all that is added is positive, and what is missing of the start law is P(W = 0) = 1 − ρ.
pub(in crate::mg1) fn waiting_time(law: &PhaseType, load: f64, spare: f64) -> Result<PhaseType> {
    let residual = law.residual()?;
    let (n, start, exit) = (law.phases(), residual.alpha(), law.exit_rates());
    let between = law.sub_generator();
    let rates: Vec<f64> =
        (0..n * n).map(|at| between[(at / n, at % n)] + load * exit[at / n] * start[at % n]).collect();
    let alpha: Vec<f64> = start.iter().map(|p| load * p).collect();
    let left: Vec<f64> = exit.iter().map(|rate| spare * rate).collect();
    PhaseType::with_exits(&alpha, &matrix(n, n, &rates), &left)
}
