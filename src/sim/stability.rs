//! Whether there is a steady state.

use super::input::{Class, Input};
use super::stealing::Stealing;
use super::system::{Dispatch, System};
use crate::error::{Error, Result};
use crate::size::{Cutoff, JobSize, moment_between};
use crate::stealing::Renaming;

/// An [`Error::Unstable`] where a system is known to have no steady state. A trace ends, so it is never refused.
pub(super) fn check(input: &Input<'_>, system: &System) -> Result<()> {
    if input.trace.is_some() {
        return Ok(());
    }
    let total = input.load();
    match system {
        System::Farm { hosts, dispatch, .. } => {
            below(total / hosts.count() as f64, 1.0)?;
            match dispatch {
                // With bad estimates the loads of the hosts are others.
                Dispatch::Sita(cutoffs) if input.error.is_none() => {
                    let mut lower = Cutoff::LOWEST;
                    for upper in cutoffs.as_slice().iter().copied().chain([Cutoff::HIGHEST]) {
                        below(work(input, |class| moment_between(class.size, 1.0, lower, upper)), 1.0)?;
                        lower = upper;
                    }
                }
                // ρᵢ = λ (E[X; sᵢ₋₁ < X <= sᵢ] + sᵢ P(X > sᵢ))
                Dispatch::Tags(cutoffs) => {
                    let mut lower = 0.0;
                    for upper in cutoffs.sizes().chain([f64::INFINITY]) {
                        let killed = |size: &dyn JobSize| if upper.is_finite() { upper * size.sf(upper) } else { 0.0 };
                        let load =
                            |class: &Class<'_>| class.size.partial_moment(1.0, lower, upper) + killed(class.size);
                        below(work(input, load), 1.0)?;
                        lower = upper;
                    }
                }
                _ => {}
            }
            Ok(())
        }
        System::Stealing { short_hosts, long_hosts, stealing } => {
            let (k, c) = (short_hosts.count() as f64, long_hosts.count() as f64);
            let [shorts, longs] = [0, 1].map(|class| input.classes.get(class).map_or(0.0, |class| class.load));
            match stealing {
                Stealing::Dedicated => below(longs / c, 1.0).and_then(|()| below(shorts / k, 1.0)),
                Stealing::BothWays => below((shorts + longs) / (k + c), 1.0),
                Stealing::CentralQueue(Renaming::Never | Renaming::Lazy | Renaming::Eager) => {
                    below(longs / c, 1.0).and_then(|()| below((shorts + longs) / (k + c), 1.0))
                }
                Stealing::ImmediateDispatch => {
                    below(longs / c, 1.0)?;
                    below((shorts + longs) / (k + c), 1.0)?;
                    // One long host is busy for a share h = (r_S + r_L)/(1 + r_S): the shorts that find it so are left. For more long hosts the
                    // limit is not known.
                    let busy = (shorts + longs) / (1.0 + shorts);
                    if c == 1.0 { below(shorts * busy / k, 1.0) } else { Ok(()) }
                }
            }
        }
    }
}

/// λE[tasks]·(a moment), over all classes.
fn work<'a>(input: &Input<'a>, moment: impl Fn(&Class<'a>) -> f64) -> f64 {
    input.tasks_per_job() * input.classes.iter().map(|class| class.rate * moment(class)).sum::<f64>()
}

fn below(load: f64, limit: f64) -> Result<()> {
    if load < limit { Ok(()) } else { Err(Error::Unstable { load, limit }) }
}
