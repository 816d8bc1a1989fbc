//! Mean response times of shorts and longs against the load of the shorts, a column of panels a ratio of mean sizes.

use crate::Result;
use crate::draw::{Panel, curve, save};
use queueing::prelude::*;
use queueing::stealing::{Policy, Renaming};

const POLICIES: [(Policy, &str); 4] = [
    (Policy::Dedicated, "Dedicated"),
    (Policy::ImmediateDispatch, "SBCS-ID"),
    (Policy::CentralQueue(Renaming::Never), "SBCS-CQ"),
    (Policy::CentralQueue(Renaming::Eager), "SBCS-CQ, eager renaming"),
];

const TOLERANCE: f64 = 1e-6;

/// Beyond it, response times leave the picture.
const LARGEST_SHORT: f64 = 100.0;

pub(crate) fn draw() -> Result<()> {
    for (name, scv) in [("cycle_stealing", 1.0), ("cycle_stealing_scv8", 8.0)] {
        let mut shorts = Vec::new();
        let mut longs = Vec::new();
        for (short, long) in [(1.0, 1.0), (1.0, 10.0), (10.0, 1.0)] {
            let (short_curves, long_curves) = curves(short, long, scv)?;
            let panel = |class: &str, log_y, curves| Panel {
                title: format!("{class}; mean sizes {short} and {long}"),
                x: "load of the shorts",
                y: "E[T] over the mean size",
                log_x: false,
                log_y,
                y_range: None,
                curves,
            };
            shorts.push(panel("shorts", true, short_curves));
            longs.push(panel("longs", false, long_curves));
        }
        shorts.append(&mut longs);
        save(name, 2, 3, shorts)?;
    }
    Ok(())
}

type Curves = Vec<kuva::render::plots::Plot>;

fn curves(short: f64, long: f64, scv: f64) -> Result<(Curves, Curves)> {
    let sizes: Law =
        if scv > 1.0 { HyperExponential::balanced(long, scv)?.into() } else { Exponential::with_mean(long)?.into() };
    let longs = Workload::with_load(sizes, 0.5)?;
    let loads: Vec<f64> = (2..=73).map(|i| 0.02 * f64::from(i)).collect();
    let policies = POLICIES.map(|(policy, _)| policy);
    let points = stealing::sweep(&Exponential::with_mean(short)?, &longs, &loads, &policies, Some(TOLERANCE))?;
    let mut drawn = (Vec::new(), Vec::new());
    for (i, (_, name)) in POLICIES.iter().enumerate() {
        let of = |class: usize, mean: f64, largest: f64| -> Vec<(f64, f64)> {
            let value = |point: &stealing::Point| point.policies[i].1.by_class.classes[class].mean_response_time();
            let values = points.iter().filter_map(|point| Some((point.short_load, value(point).ok()? / mean)));
            values.filter(|(_, value)| *value <= largest).collect()
        };
        drawn.0.push(curve(&of(0, short, LARGEST_SHORT), i, name));
        drawn.1.push(curve(&of(1, long, f64::INFINITY), i, name));
    }
    Ok(drawn)
}
