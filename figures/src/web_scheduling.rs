//! SRPT against processor sharing by the size of a web file: mean slowdown over that of processor sharing.

use crate::Result;
use crate::draw::{Panel, curve, save};
use queueing::prelude::*;

const LOADS: [f64; 4] = [0.5, 0.8, 0.9, 0.95];

/// Places on a curve.
const PLACES: i32 = 60;

pub(crate) fn draw() -> Result<()> {
    let laws: [(&str, Law); 2] = [
        ("bounded Pareto, 332 to 1e10, index 1.1", BoundedPareto::new(332.0, 1e10, 1.1)?.into()),
        ("lognormal body, Pareto tail", Mixture::web_files(9.357, 1.318, 133_000.0, 1.1, 0.07)?.into()),
    ];
    let mut panels = Vec::new();
    for (name, size) in &laws {
        let (low, high) = (size.quantile(1e-3), size.upper_quantile(1e-8));
        let sizes: Vec<f64> = (0..=PLACES).map(|i| low * (high / low).powf(f64::from(i) / f64::from(PLACES))).collect();
        let mut curves = Vec::new();
        for (i, load) in LOADS.into_iter().enumerate() {
            let jobs = Workload::with_load(size, load)?;
            let ratio = |x: f64| -> Result<f64> {
                Ok(mg1::slowdown_given_size(&jobs, Discipline::Srpt, x)?.value * jobs.spare())
            };
            let points = sizes.iter().map(|&x| Ok((x, ratio(x)?))).collect::<Result<Vec<_>>>()?;
            curves.push(curve(&points, i, &format!("load {load}")));
        }
        panels.push(Panel {
            title: (*name).to_owned(),
            x: "size of the file",
            y: "slowdown, SRPT over PS",
            log_x: true,
            log_y: true,
            y_range: None,
            curves,
        });
    }
    save("web_scheduling", 1, 2, panels)
}
