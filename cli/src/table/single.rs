//! The page of `mg1`.

use super::layout::{Grid, clip, join, plain, wrap};
use super::{MEANS, WIDTH, mean};
use crate::number::{digits, short, size};
use crate::report::Measured;
use crate::single::{Report, Row, Times};
use queueing::Metric;

pub(crate) fn render(report: &Report) -> String {
    [workload(report), means(report), by_size(report), percentiles(&report.percentiles)].join("\n")
}

fn workload(report: &Report) -> String {
    let summary = &report.workload;
    let facts = [
        format!("mean {}", short(summary.mean)),
        format!("scv {}", short(summary.scv)),
        format!("smallest {}", size(summary.smallest)),
        format!("largest {}", size(summary.largest)),
    ];
    let server =
        format!("one host at load {}, Poisson arrivals at rate {}", plain(report.load), short(report.arrival_rate));
    clip(&summary.source, WIDTH) + "\n" + &join(&facts, "   ", 2, WIDTH) + &wrap(&server, WIDTH)
}

fn means(report: &Report) -> String {
    let sharing = report.disciplines.iter().find(|row| row.discipline == "PS");
    let reference = sharing.and_then(|row| row.metrics.value(Metric::MeanResponseTime));
    let mut grid = Grid::new("lrrrr");
    grid.row(["", "waiting", "response", "slowdown", "T over"]);
    grid.row(["Discipline", "time T-X", "time T", "T/X", "that of PS"]);
    for row in &report.disciplines {
        let [waiting, response, slowdown] = MEANS.map(|metric| mean(&row.metrics, metric));
        let ratio =
            row.metrics.value(Metric::MeanResponseTime).zip(reference).map(|(time, reference)| time / reference);
        let ratio = ratio.map_or_else(|| "-".to_owned(), |ratio| digits(ratio, 4));
        grid.row([row.discipline.clone(), waiting, response, slowdown, ratio]);
    }
    format!("Means over all jobs, in the unit of the sizes\n{}", grid.render())
}

fn by_size(report: &Report) -> String {
    let mut grid = Grid::new("lrrrrrr");
    let Some(Row { slowdown_by_size: sizes, .. }) = report.disciplines.first() else { return String::new() };
    grid.row(["Size".to_owned()].into_iter().chain(sizes.iter().map(|at| at.percentile.to_owned())));
    grid.row([String::new()].into_iter().chain(sizes.iter().map(|at| size(at.size))));
    for row in &report.disciplines {
        let slowdowns = row
            .slowdown_by_size
            .iter()
            .map(|at| at.slowdown.map_or_else(|| "-".to_owned(), |slowdown| digits(slowdown, 4)));
        grid.row([row.discipline.clone()].into_iter().chain(slowdowns));
    }
    format!("Mean slowdown T/X of a job of one size, by the share of the jobs up to that size\n{}", grid.render())
}

fn percentiles(percentiles: &[Times]) -> String {
    let mut grid = Grid::new("lrrrrr");
    let told = |time: &Option<Measured>| time.as_ref().map_or_else(|| "-".to_owned(), |time| short(time.value));
    grid.row([String::new()].into_iter().chain(percentiles.iter().map(|p| p.percentile.to_owned())));
    grid.row(["waiting time W".to_owned()].into_iter().chain(percentiles.iter().map(|p| told(&p.waiting_time))));
    grid.row(["response time T".to_owned()].into_iter().chain(percentiles.iter().map(|p| told(&p.response_time))));
    format!("Percentiles under FCFS\n{}", grid.render())
}
