//! The command line.

use crate::help::{COMPARE, EXAMPLES};
use crate::sizes::monitoring::Monitoring;
use crate::stealing::arguments::Stealing;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use queueing::Hosts;
use queueing::farm::sita::Cutoffs;
use queueing::size::Law;
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
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub format: Format,
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
