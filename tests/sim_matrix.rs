//! Every policy with a value known by other means, and its simulation: 99.9 % intervals of seeded runs must hold the value.
//!
//! A cell is a policy, the values that are known of it (the crate's own formula, or a reference row where it has none), and its
//! simulation.
#![cfg(feature = "sim")]

mod common;
use common::{Row, law, number, table};
use queueing::farm::sita::Cutoffs;
use queueing::prelude::*;
use queueing::sim::{self, Dispatch, Input, Method, Run, Sample, Simulated, Stealing, System};
use queueing::stealing::{CentralQueue, ImmediateDispatch, Renaming};
use std::collections::BTreeMap;
use std::time::Instant;

/// Jobs of a cell: what takes less than a second.
const BY_RECURSION: u64 = 4_000_000;
const BY_EVENTS: u64 = 1_600_000;
const CONFIDENCE: f64 = 0.999;
const SEED: u64 = 2026;

/// A policy, the values known of its classes (or of all jobs), and its simulation.
struct Cell {
    policy: String,
    values: Vec<(Option<usize>, Metric, f64)>,
    simulate: Box<Simulate>,
    jobs: u64,
}

type Simulate = dyn Fn(&Run<'_>) -> queueing::Result<Simulated>;

fn metric(name: &str) -> Option<Metric> {
    let plain = name.replace('_', "");
    Metric::ALL.into_iter().find(|metric| format!("{metric:?}").to_lowercase() == plain)
}

/// Rows of one setting together, those that `keep` wants.
fn settings(file: &str, columns: &[&str], keep: impl Fn(&Row) -> bool) -> BTreeMap<String, Vec<Row>> {
    let mut settings: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in table(file).into_iter().filter(keep) {
        let key: Vec<&str> = columns.iter().map(|column| row[*column].as_str()).collect();
        settings.entry(key.join(" ")).or_default().push(row);
    }
    settings
}

fn values(rows: &[Row], wanted: &[Metric]) -> Vec<(Option<usize>, Metric, f64)> {
    let value = |row: &Row| {
        let metric = metric(&row["quantity"]).filter(|metric| wanted.contains(metric))?;
        Some((None, metric, number(row, "value")?)).filter(|(_, _, value)| value.is_finite())
    };
    rows.iter().filter_map(value).collect()
}

/// The crate's own value where it has one, else the reference row: what a formula does not give yet it is held to by others.
fn by_formula(
    values: Vec<(Option<usize>, Metric, f64)>,
    formula: Option<&Performance>,
) -> Vec<(Option<usize>, Metric, f64)> {
    let own = |metric| formula.and_then(|formula| formula.estimate(metric).ok()).map(|estimate| estimate.value);
    values.into_iter().map(|(class, metric, value)| (class, metric, own(metric).unwrap_or(value))).collect()
}

/// The finite values that a formula gives of each class.
fn known_of_classes(formula: &ByClass, wanted: &[Metric]) -> Vec<(Option<usize>, Metric, f64)> {
    let of_class = |(class, outcome): (usize, &Outcome)| -> Vec<(Option<usize>, Metric, f64)> {
        let Ok(performance) = outcome.performance() else { return Vec::new() };
        let known = performance.metrics().filter(|(metric, known)| wanted.contains(metric) && known.value.is_finite());
        known.map(|(metric, known)| (Some(class), metric, known.value)).collect()
    };
    formula.classes.iter().enumerate().flat_map(of_class).collect()
}

const MEANS: [Metric; 6] = [
    Metric::MeanWaitingTime,
    Metric::MeanResponseTime,
    Metric::MeanSlowdown,
    Metric::MeanWaitingSlowdown,
    Metric::ProbabilityOfWaiting,
    Metric::Utilisation,
];

const ALL: [Metric; 9] = [
    Metric::MeanWaitingTime,
    Metric::SecondMomentWaitingTime,
    Metric::ThirdMomentWaitingTime,
    Metric::MeanResponseTime,
    Metric::SecondMomentResponseTime,
    Metric::MeanSlowdown,
    Metric::MeanWaitingSlowdown,
    Metric::VarianceSlowdown,
    Metric::ProbabilityOfWaiting,
];

/// Laws whose high moments a run of a second finds.
fn is_light(law: &str) -> bool {
    ["exponential", "erlang", "uniform", "deterministic", "coxian2", "gamma"].contains(&law)
}

/// Laws whose means it finds.
fn is_tame(row: &Row) -> bool {
    !["pareto", "bounded_pareto"].contains(&row["law"].as_str()) || row["params"] == "k=1;p=1000;alpha=1.5"
}

fn one_host() -> Vec<Cell> {
    let disciplines = [
        ("fcfs", Discipline::Fcfs),
        ("lcfs", Discipline::Lcfs),
        ("siro", Discipline::Siro),
        ("ps", Discipline::Ps),
        ("plcfs", Discipline::PreemptiveLcfs),
        ("sjf", Discipline::Sjf),
        ("psjf", Discipline::PreemptiveSjf),
        ("srpt", Discipline::Srpt),
        ("fb", Discipline::Fb),
        ("lrpt", Discipline::Lrpt),
    ];
    let keep = |row: &Row| row["x"].is_empty() && is_tame(row) && number(row, "load").unwrap() < 0.85;
    let settings = settings("mg1.csv", &["discipline", "law", "params", "load"], keep);
    let cell = |(policy, rows): (String, Vec<Row>)| {
        let discipline = disciplines.iter().find(|(name, _)| *name == rows[0]["discipline"]).unwrap().1;
        let jobs = Workload::with_load(law(&rows[0]), number(&rows[0], "load").unwrap()).unwrap();
        let wanted = if is_light(&rows[0]["law"]) { &ALL[..] } else { &MEANS[..] };
        let formula = mg1::performance(&jobs, discipline).ok();
        let values = by_formula(values(&rows, wanted), formula.as_ref());
        let simulate = move |run: &Run<'_>| sim::mg1(&jobs, discipline, run);
        let count = match discipline {
            Discipline::Fcfs => BY_RECURSION,
            Discipline::Lrpt => BY_EVENTS / 2,
            _ => BY_EVENTS,
        };
        Cell { policy, values, simulate: Box::new(simulate), jobs: count }
    };
    settings.into_iter().map(cell).collect()
}

fn several_classes() -> Vec<Cell> {
    let settings = settings("priority.csv", &["discipline", "laws", "params", "loads"], |row| {
        !row["laws"].contains("pareto|") && row["loads"] != "0.6|0.7"
    });
    let cell = |(policy, rows): (String, Vec<Row>)| {
        let parts = |column: &str| rows[0][column].split('|').map(str::to_owned).collect::<Vec<_>>();
        let laws = parts("laws").into_iter().zip(parts("params"));
        let laws = laws.map(|(law, params)| format!("{law}:{}", params.replace(';', ",")).parse::<Law>().unwrap());
        let classes: Vec<Workload<Law>> = laws
            .zip(parts("loads"))
            .map(|(law, load)| Workload::with_load(law, load.parse().unwrap()).unwrap())
            .collect();
        let is_light = rows[0]["laws"].split('|').all(is_light);
        let wanted = if is_light { &ALL[..] } else { &MEANS[..] };
        let preemptive = rows[0]["discipline"] == "preemptive_resume";
        let formula =
            if preemptive { mg1::preemptive_priority(&classes) } else { mg1::non_preemptive_priority(&classes) };
        let values = known_of_classes(&formula.unwrap(), wanted);
        let simulate = move |run: &Run<'_>| sim::priorities(&classes, preemptive, run);
        // Squares of waiting times of low classes have long tails: more jobs bring their means near the normal law.
        Cell { policy, values, simulate: Box::new(simulate), jobs: 2 * BY_EVENTS }
    };
    settings.into_iter().map(cell).collect()
}

fn cycle_stealing() -> Vec<Cell> {
    let keep = |row: &Row| {
        let load = number(row, "load_short").unwrap();
        row["method"] == "exact" && load != 1.4 && number(row, "mean_response_short").is_some_and(f64::is_finite)
    };
    let columns = ["policy", "short_hosts", "short_law", "long_law", "long_params", "load_short", "load_long"];
    let cell = |(policy, rows): (String, Vec<Row>)| {
        let row = &rows[0];
        let stealing = match row["policy"].as_str() {
            "dedicated" => Stealing::Dedicated,
            "id" => Stealing::ImmediateDispatch,
            "cq_n" => Stealing::CentralQueue(Renaming::Never),
            "cq_e" => Stealing::CentralQueue(Renaming::Eager),
            "cq_lz" => Stealing::CentralQueue(Renaming::Lazy),
            other => panic!("{other}"),
        };
        let stream = |class: &str| {
            let law = format!("{}:{}", row[&format!("{class}_law")], row[&format!("{class}_params")].replace(';', ","));
            Workload::with_load(law.parse::<Law>().unwrap(), number(row, &format!("load_{class}")).unwrap()).unwrap()
        };
        let (shorts, longs) = (stream("short"), stream("long"));
        let hosts = |count: &str| Hosts::identical(count.parse().unwrap()).unwrap();
        let (k, c) = (hosts(&row["short_hosts"]), hosts("1"));
        let value = |class, column| number(row, column).map(|value| (Some(class), Metric::MeanResponseTime, value));
        let values = [value(0, "mean_response_short"), value(1, "mean_response_long")].into_iter().flatten().collect();
        let simulate = move |run: &Run<'_>| sim::stealing(&shorts, &longs, k, c, stealing, run);
        Cell { policy, values, simulate: Box::new(simulate), jobs: BY_EVENTS }
    };
    settings("stealing.csv", &columns, keep).into_iter().map(cell).collect()
}

/// Hosts, stealing in both directions, waiting times and their squares: by the crate's own solver.
fn cycle_stealing_by_formula() -> Vec<Cell> {
    let central = CentralQueue::default().tolerance(1e-6);
    let rules = [
        (Stealing::ImmediateDispatch, None),
        (Stealing::CentralQueue(Renaming::Never), Some(central)),
        (Stealing::CentralQueue(Renaming::Eager), Some(central.renaming(Renaming::Eager))),
        (Stealing::CentralQueue(Renaming::Lazy), Some(central.renaming(Renaming::Lazy))),
        (Stealing::BothWays, Some(central.both_ways())),
    ];
    let mut cells = Vec::new();
    for (k, c) in [(1, 1), (2, 1), (1, 2), (3, 2)] {
        for (stealing, central) in rules {
            let stream =
                |load: f64, mean: f64| Workload::with_load(Exponential::with_mean(mean).unwrap(), load).unwrap();
            let (shorts, longs) = (stream(0.8 * k as f64, 1.0), stream(0.5 * c as f64, 2.0));
            let both = if let Some(options) = central {
                stealing::central_queue(&shorts, &longs, options.short_hosts(k).long_hosts(c))
            } else {
                let options = ImmediateDispatch::default().short_hosts(k).long_hosts(c).tolerance(1e-6);
                stealing::immediate_dispatch(&shorts, &longs, options)
            };
            let both = both.unwrap();
            let wanted = [
                Metric::MeanWaitingTime,
                Metric::SecondMomentWaitingTime,
                Metric::MeanResponseTime,
                Metric::ProbabilityOfWaiting,
            ];
            let value = |(class, metric): (usize, Metric)| {
                Some((Some(class), metric, both.by_class.classes[class].estimate(metric).ok()?.value))
            };
            let values =
                [0, 1].into_iter().flat_map(|class| wanted.map(|metric| (class, metric))).filter_map(value).collect();
            let hosts = |count| Hosts::identical(count).unwrap();
            let simulate = move |run: &Run<'_>| sim::stealing(&shorts, &longs, hosts(k), hosts(c), stealing, run);
            cells.push(Cell {
                policy: format!("{stealing:?} {k} {c}"),
                values,
                simulate: Box::new(simulate),
                jobs: BY_EVENTS,
            });
        }
    }
    cells
}

fn farm_of(row: &Row, hosts: &str) -> Farm<Law> {
    let hosts = Hosts::identical(row[hosts].parse().unwrap()).unwrap();
    Farm::with_load(law(row), hosts, number(row, "load").unwrap()).unwrap()
}

fn fcfs_cell(policy: String, farm: Farm<Law>, dispatch: Dispatch, values: Vec<(Option<usize>, Metric, f64)>) -> Cell {
    let simulate = move |run: &Run<'_>| sim::farm(&farm, &dispatch, Discipline::Fcfs, run);
    Cell { policy, values, simulate: Box::new(simulate), jobs: BY_RECURSION }
}

fn size_intervals() -> Vec<Cell> {
    // TAGS beyond the first host is an approximation of the reference.
    let keep = |row: &Row| {
        ["random", "round_robin", "sita_e", "sita_fair", "sita_at_cutoffs"].contains(&row["policy"].as_str())
            && is_tame(row)
    };
    let settings = settings("sita.csv", &["policy", "hosts", "law", "params", "load", "cutoffs"], keep);
    let cell = |(policy, rows): (String, Vec<Row>)| {
        let row = &rows[0];
        let cutoffs: Vec<f64> = row["cutoffs"].split(';').filter_map(|cutoff| cutoff.parse().ok()).collect();
        let dispatch = match row["policy"].as_str() {
            "random" => Dispatch::Random,
            "round_robin" => Dispatch::RoundRobin,
            _ => Dispatch::Sita(Cutoffs::new(&cutoffs).unwrap()),
        };
        let wanted = if is_light(&row["law"]) { &ALL[..] } else { &MEANS[..] };
        let overall: Vec<Row> = rows.iter().filter(|row| row["index"].is_empty()).cloned().collect();
        let farm = farm_of(row, "hosts");
        let formula = match &dispatch {
            Dispatch::Sita(cutoffs) => {
                sita::evaluate(&farm, cutoffs, Discipline::Fcfs).unwrap().overall.performance().cloned().ok()
            }
            Dispatch::Random => farm::random(&farm, Discipline::Fcfs).ok(),
            _ => None,
        };
        let values = by_formula(values(&overall, wanted), formula.as_ref());
        fcfs_cell(policy, farm, dispatch, values)
    };
    settings.into_iter().map(cell).collect()
}

/// Units of total speed one: a response of n hosts is n times that of hosts of speed one.
fn dispatchers() -> Vec<Cell> {
    let keep = |row: &Row| {
        ["rr", "jiq", "jsq", "lwl", "random"].contains(&row["model"].as_str())
            && row["quantity"] == "mean_response_time"
    };
    let settings = settings("dispatch.csv", &["model", "servers", "law", "load"], keep);
    let cell = |(policy, rows): (String, Vec<Row>)| {
        let row = &rows[0];
        let farm = farm_of(row, "servers");
        let value = number(row, "value").unwrap() / farm.hosts().count() as f64;
        let dispatch = match row["model"].as_str() {
            "rr" => Dispatch::RoundRobin,
            "jiq" => Dispatch::JoinIdleQueue,
            "jsq" => Dispatch::JoinShortestQueue,
            "lwl" => Dispatch::LeastWorkLeft,
            _ => Dispatch::Random,
        };
        let is_by_events = dispatch == Dispatch::JoinShortestQueue;
        let cell = fcfs_cell(policy, farm, dispatch, vec![(None, Metric::MeanResponseTime, value)]);
        Cell { jobs: if is_by_events { BY_EVENTS } else { cell.jobs }, ..cell }
    };
    settings.into_iter().map(cell).collect()
}

fn several_hosts() -> Vec<Cell> {
    let keep = |row: &Row| is_tame(row) && number(row, "load").unwrap() < 0.85;
    let settings = settings("multiserver.csv", &["system", "servers", "law", "params", "load"], keep);
    let cell = |(policy, rows): (String, Vec<Row>)| {
        let dispatch = if rows[0]["system"] == "e_n/g/1" { Dispatch::RoundRobin } else { Dispatch::LeastWorkLeft };
        let farm = farm_of(&rows[0], "servers");
        let is_queue = dispatch == Dispatch::LeastWorkLeft;
        let formula = if is_queue { Some(farm::least_work_left(&farm).unwrap().overall) } else { None };
        fcfs_cell(policy, farm, dispatch, by_formula(values(&rows, &ALL), formula.as_ref()))
    };
    // Where fewer than a thousand jobs wait their mean is no normal number.
    let is_rare = |cell: &Cell| {
        let waits = |(_, metric, value): &(_, Metric, f64)| {
            *metric == Metric::ProbabilityOfWaiting && value * (cell.jobs as f64) < 1000.0
        };
        cell.values.iter().any(waits)
    };
    settings.into_iter().map(cell).filter(|cell| !cell.values.is_empty() && !is_rare(cell)).collect()
}

/// Policies that the reference tables lack, against the crate's own formulas. Later policies are added here.
fn own_formulas() -> Vec<Cell> {
    let farm = |law: &str, hosts, load| {
        Farm::with_load(law.parse::<Law>().unwrap(), Hosts::identical(hosts).unwrap(), load).unwrap()
    };
    let known = |outcome: &Performance, wanted: &[Metric]| -> Vec<(Option<usize>, Metric, f64)> {
        let finite =
            outcome.metrics().filter(|(metric, estimate)| wanted.contains(metric) && estimate.value.is_finite());
        finite.map(|(metric, estimate)| (None, metric, estimate.value)).collect()
    };
    let with_number = [&ALL[..], &[Metric::MeanNumberInSystem, Metric::Utilisation]].concat();
    let mut cells = Vec::new();

    let three = farm("uniform:a=1,b=4", 3, 0.7);
    let random = farm::random(&three, Discipline::Fcfs).unwrap();
    cells.push(fcfs_cell("random, metrics of the farm".into(), three, Dispatch::Random, known(&random, &with_number)));

    let shared = farm("erlang:stages=2,mean=1", 3, 0.7);
    let ps = farm::random(&shared, Discipline::Ps).unwrap();
    let simulate = {
        let shared = shared.clone();
        move |run: &Run<'_>| sim::farm(&shared, &Dispatch::Random, Discipline::Ps, run)
    };
    let (policy, values) = ("random, PS hosts".to_owned(), known(&ps, &with_number));
    cells.push(Cell { policy, values, simulate: Box::new(simulate), jobs: BY_EVENTS });

    // Two sizes, the smaller of which is split between two hosts.
    let atoms = farm("empirical:6x1+1x4", 3, 0.7);
    let equal = sita::equal_load(&atoms).unwrap();
    assert!(equal.as_slice().iter().any(|cutoff| cutoff.share() < 1.0));
    let overall = sita::evaluate(&atoms, &equal, Discipline::Fcfs).unwrap().overall;
    let values = known(overall.performance().unwrap(), &with_number);
    cells.push(fcfs_cell("SITA-E with a split atom".into(), atoms.clone(), Dispatch::Sita(equal.clone()), values));

    let overall = sita::evaluate(&atoms, &equal, Discipline::Ps).unwrap().overall;
    let values = known(overall.performance().unwrap(), &with_number);
    let simulate = move |run: &Run<'_>| sim::farm(&atoms, &Dispatch::Sita(equal.clone()), Discipline::Ps, run);
    cells.push(Cell { policy: "SITA-E, PS hosts".into(), values, simulate: Box::new(simulate), jobs: BY_EVENTS });

    // An order that does not look at sizes changes no mean.
    let jobs = Workload::with_load("uniform:a=1,b=4".parse::<Law>().unwrap(), 0.7).unwrap();
    let values = known(&mg1::fcfs(&jobs).unwrap(), &[MEANS.as_slice(), &[Metric::MeanNumberInSystem]].concat());
    let simulate = move |run: &Run<'_>| sim::mg1(&jobs, Discipline::Siro, run);
    cells.push(Cell { policy: "random order".into(), values, simulate: Box::new(simulate), jobs: BY_EVENTS });

    let many = farm("exponential:mean=1", 30, 0.9);
    let queue = farm::least_work_left(&many).unwrap().overall;
    cells.push(fcfs_cell("M/M/30".into(), many, Dispatch::LeastWorkLeft, known(&queue, &with_number)));
    cells
}

/// All cells of a group in one run each; the largest deviation in units of the half-width is printed.
fn check(cells: &[Cell], least: usize) {
    assert!(cells.len() >= least, "{} cells", cells.len());
    let (mut values, mut worst, mut widths) = (0, 0.0_f64, Vec::new());
    let mut slowest = (0.0, "");
    for (index, Cell { policy, values: known, simulate, jobs }) in cells.iter().enumerate() {
        let began = Instant::now();
        let seen = simulate(&Run::new(SEED + index as u64).jobs(*jobs)).unwrap();
        let took = began.elapsed().as_secs_f64();
        if took > slowest.0 {
            slowest = (took, policy);
        }
        for (class, metric, value) in known {
            let sample: &Sample = class.map_or(&seen.overall, |class| &seen.classes[class]);
            let found = sample.estimate(*metric).unwrap().value;
            let width = sample.half_width(*metric, CONFIDENCE, Method::Batches).unwrap();
            let ratio = (found - value).abs() / width;
            assert!(ratio <= 1.0, "{policy}, class {class:?}, {metric}: {found} +- {width} against {value}");
            (values, worst) = (values + 1, worst.max(ratio));
            widths.push(width / value);
        }
    }
    widths.sort_by(f64::total_cmp);
    let median = widths[widths.len() / 2];
    println!(
        "{} cells, {values} values, worst {worst:.2} half-widths; median relative half-width {median:.1e}; \
         slowest cell {:.2} s: {}",
        cells.len(),
        slowest.0,
        slowest.1
    );
}

#[test]
fn one_host_under_every_discipline() {
    check(&one_host(), 40);
}

#[test]
fn priorities() {
    check(&several_classes(), 8);
}

#[test]
fn cycle_stealing_in_all_renamings() {
    check(&cycle_stealing(), 25);
}

#[test]
fn cycle_stealing_on_more_hosts() {
    check(&cycle_stealing_by_formula(), 20);
}

#[test]
fn random_round_robin_and_size_intervals() {
    check(&size_intervals(), 15);
}

#[test]
fn join_idle_join_shortest_and_least_work() {
    check(&dispatchers(), 13);
}

#[test]
fn central_queues_and_turns() {
    check(&several_hosts(), 25);
}

#[test]
fn policies_by_the_formulas_of_the_crate() {
    check(&own_formulas(), 6);
}

/// Each host in turn.
struct Turns(usize);
impl sim::Policy for Turns {
    fn arrive(&mut self, _: &sim::Task, hosts: &sim::View, _: &mut queueing::Random) -> Option<usize> {
        self.0 += 1;
        Some((self.0 - 1) % hosts.hosts())
    }
}

/// A whole farm by events gives what its recursion gives: the two share no code but the arrivals.
#[test]
fn the_engine_and_the_recursion_agree_job_by_job() {
    let farm = Farm::with_load(Exponential::with_mean(1.0).unwrap(), Hosts::identical(3).unwrap(), 0.7).unwrap();
    let run = Run::new(5).jobs(20_000).replications(2);
    let input = Input::poisson(farm.jobs());
    let by_events = sim::simulate_with(&input, "turns", || (sim::hosts(3, Discipline::Fcfs), Turns(0)), &run).unwrap();
    let system = System::Farm { hosts: farm.hosts(), dispatch: Dispatch::RoundRobin, service: Discipline::Fcfs.into() };
    let by_recursion = sim::simulate(&input, &system, &run).unwrap();
    for metric in [Metric::MeanWaitingTime, Metric::SecondMomentResponseTime, Metric::ThirdMomentWaitingTime] {
        let [one, other] = [&by_events, &by_recursion].map(|seen| seen.overall.estimate(metric).unwrap().value);
        assert_close!(one, other, 1e-10, "{metric}");
    }
}
