//! The command line.

use crate::help::{COMPARE, CROSSCHECK, EXAMPLES, SIMULATE, SINGLE};
use crate::sizes::monitoring::Monitoring;
use crate::stealing::arguments::Stealing;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use queueing::farm::sita::Cutoffs;
use queueing::size::Law;
use queueing::{Discipline, Hosts};
use std::path::PathBuf;

/// As many hosts as the library optimises cutoffs for: the answer has a line for each.
pub(crate) const MOST_HOSTS: usize = 10_000;

/// How long jobs wait in servers and server farms, by analysis instead of simulation.
#[derive(Debug, Parser)]
#[command(name = "queueing", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compare task assignment policies: which one to use, and where to put its cutoffs
    Compare(Box<Compare>),
    /// Shorts on idle long hosts: what cycle stealing gains for shorts, and what longs pay
    Stealing(Box<Stealing>),
    /// One host under every discipline: means, slowdowns by size, and percentiles
    Mg1(Single),
    /// Simulate a policy: means, squares and percentiles with their errors
    Simulate(Simulate),
    /// Hold the results of another simulator against a policy
    Crosscheck(Crosscheck),
}

#[derive(Debug, Args)]
#[command(after_help = SINGLE)]
pub(crate) struct Single {
    #[command(flatten)]
    pub source: Source,
    /// The load, between 0 and 1 [default: 0.8]
    #[arg(long, help_heading = "Options", value_name = "RHO", value_parser = load, allow_hyphen_values = true)]
    pub load: Option<f64>,
    /// The arrival rate of all jobs, instead of the load
    #[arg(long, help_heading = "Options", value_name = "LAMBDA", value_parser = rate, conflicts_with = "load")]
    #[arg(allow_hyphen_values = true)]
    pub rate: Option<f64>,
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{COMPARE}\n\n{EXAMPLES}"))]
pub(crate) struct Compare {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub farm: FarmOptions,
    /// Let SITA-V, too, split the jobs of one size between hosts, at random
    #[arg(long, help_heading = "Options")]
    pub split: bool,
    /// Add cycle stealing at its best cutoffs (two hosts; may take minutes)
    #[arg(long, help_heading = "Options")]
    pub stealing: bool,
    /// Add a row for these cutoffs, one fewer than hosts, such as 10,200
    #[arg(long, help_heading = "Options", value_name = "SIZES", value_parser = cutoffs, allow_hyphen_values = true)]
    pub cutoffs: Option<Cutoffs>,
    /// Add simulated rows, of so many jobs [default: 1000000]
    #[arg(long, help_heading = "Options", value_name = "JOBS", value_parser = jobs, require_equals = true)]
    #[arg(num_args = 0..=1, default_missing_value = "1e6")]
    pub simulate: Option<u64>,
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = SIMULATE)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub farm: FarmOptions,
    #[command(flatten)]
    pub policy: PolicyOptions,
    #[command(flatten)]
    pub run: RunOptions,
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = CROSSCHECK)]
pub(crate) struct Crosscheck {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub farm: FarmOptions,
    #[command(flatten)]
    pub policy: PolicyOptions,
    /// The CSV file of the simulator: a row a metric, or a row a job
    #[arg(long, help_heading = "Options", value_name = "FILE")]
    pub observed: PathBuf,
    /// How often a right model may be called inconsistent
    #[arg(long, help_heading = "Options", value_name = "P", default_value = "0.01", value_parser = level)]
    pub level: f64,
    #[command(flatten)]
    pub run: RunOptions,
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Policy")]
pub(crate) struct PolicyOptions {
    /// Who goes where, by a name below
    #[arg(long, value_name = "NAME", default_value = "random", hide_possible_values = true)]
    #[arg(value_parser = ["random", "round-robin", "jsq", "jsq2", "jiq", "lwl", "sita-e", "sita-v-waiting", "sita-v-slowdown", "sita", "tags"])]
    pub policy: String,
    /// What a host does, by a name below
    #[arg(long, value_name = "NAME", default_value = "fcfs", value_parser = discipline)]
    pub discipline: Discipline,
    /// The cutoffs of sita and tags, one fewer than hosts, such as 10,200
    #[arg(long, value_name = "SIZES", value_parser = cutoffs, allow_hyphen_values = true)]
    pub cutoffs: Option<Cutoffs>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Simulation")]
pub(crate) struct RunOptions {
    /// Jobs to count
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = jobs)]
    pub jobs: u64,
    /// The result is a function of the seed
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Independent runs that share the jobs
    #[arg(long, value_name = "N", default_value = "8")]
    pub replications: u32,
    /// Jobs of each run that are not counted [default: a tenth of its jobs]
    #[arg(long, value_name = "N", value_parser = jobs_or_none)]
    pub warm_up: Option<u64>,
    /// Stop when the mean response time is known so well, as a share of it
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Threads; the result does not depend on them
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Allow a --rate that brings a load of 1 or more: means of the first jobs
    #[arg(long, requires = "rate")]
    pub transient: bool,
}

/// The job sizes: by default the run times of the Google cluster trace of 2011.
#[derive(Debug, Args)]
#[command(next_help_heading = "Job sizes (default: the Google cluster trace of 2011)")]
pub(crate) struct Source {
    /// Read the sizes from a file, `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["law", "summary"])]
    pub sizes: Option<PathBuf>,
    /// Take this column of the file, by name or number; each row is one job
    #[arg(long, value_name = "NAME", requires = "sizes")]
    pub column: Option<String>,
    /// Take this column for the number of jobs in a row
    #[arg(long, value_name = "NAME", requires = "column")]
    pub counts: Option<String>,
    /// Use a law instead of a trace, such as weibull:mean=1,scv=40
    #[arg(long, value_name = "SPEC", conflicts_with = "summary")]
    pub law: Option<Law>,
    /// Use what monitoring tells, such as mean=2,max=90,p50=1,p99=20
    #[arg(long, value_name = "VALUES")]
    pub summary: Option<Monitoring>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Farm")]
pub(crate) struct FarmOptions {
    /// The number of hosts, each of speed one, at most 10000
    #[arg(long, value_name = "N", default_value = "8", value_parser = hosts, allow_hyphen_values = true)]
    pub hosts: Hosts,
    /// The load of a host, between 0 and 1 [default: 0.8]
    #[arg(long, value_name = "RHO", value_parser = load, allow_hyphen_values = true)]
    pub load: Option<f64>,
    /// The arrival rate of all jobs (also those of size 0), instead of the load
    #[arg(long, value_name = "LAMBDA", value_parser = rate, allow_hyphen_values = true, conflicts_with = "load")]
    pub rate: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Csv,
    Json,
}

/// The command line. What cannot be read ends the program.
pub(crate) fn parse() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|mut error| {
        let bare = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(text)) if error.kind() == ErrorKind::UnknownArgument => text.as_str(),
            _ => "-",
        };
        if !bare.starts_with('-') {
            let option = if bare.parse::<Law>().is_ok() { "--law" } else { "--sizes" };
            let tip = format!("the job sizes come after an option: '{option} {bare}'").into();
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        }
        error.exit()
    })
}

fn hosts(text: &str) -> Result<Hosts, String> {
    let count = text.trim().parse::<usize>().ok().filter(|&count| count <= MOST_HOSTS);
    let hosts = count.and_then(|count| Hosts::identical(count).ok());
    hosts.ok_or_else(|| format!("give a whole number of hosts, from 1 to {MOST_HOSTS}"))
}

fn cutoffs(text: &str) -> Result<Cutoffs, String> {
    let sizes: Result<Vec<f64>, _> = text.split(',').map(|size| size.trim().parse()).collect();
    let sizes = sizes.map_err(|_| "give sizes separated by commas, such as 10,200")?;
    Cutoffs::new(&sizes).map_err(|error| error.to_string())
}

pub(crate) fn load(text: &str) -> Result<f64, String> {
    if let Some(percent) = text.trim().strip_suffix('%') {
        let percent = number(percent)?;
        return Err(format!("give the load as a share of 1: {}", percent / 100.0));
    }
    let value = number(text)?;
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else if value >= 1.0 {
        Err("at load 1 or more queues grow without bound; give a load below 1".to_owned())
    } else {
        Err("give a load above 0 and below 1".to_owned())
    }
}

pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err("give a positive, finite rate, in jobs per unit of time".to_owned())
    }
}

pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number".to_owned())
}

fn jobs(text: &str) -> Result<u64, String> {
    let count = jobs_or_none(text)?;
    if count > 0 { Ok(count) } else { Err("give at least one job".to_owned()) }
}

/// Also in the form 1e6.
fn jobs_or_none(text: &str) -> Result<u64, String> {
    let value = number(text)?;
    if value.fract() == 0.0 && (0.0..=1e15).contains(&value) {
        Ok(value as u64)
    } else {
        Err("give a whole number of jobs, at most 1e15".to_owned())
    }
}

fn level(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err("give a probability between 0 and 1".to_owned()) }
}

fn discipline(text: &str) -> Result<Discipline, String> {
    Ok(match text.trim().to_lowercase().as_str() {
        "fcfs" => Discipline::Fcfs,
        "lcfs" => Discipline::Lcfs,
        "siro" => Discipline::Siro,
        "ps" => Discipline::Ps,
        "plcfs" => Discipline::PreemptiveLcfs,
        "sjf" => Discipline::Sjf,
        "psjf" => Discipline::PreemptiveSjf,
        "srpt" => Discipline::Srpt,
        "fb" => Discipline::Fb,
        "lrpt" => Discipline::Lrpt,
        _ => return Err("give fcfs, lcfs, siro, ps, plcfs, sjf, psjf, srpt, fb or lrpt".to_owned()),
    })
}
