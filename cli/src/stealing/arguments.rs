//! The options of `stealing`.

use crate::arguments::{Format, Source, load, number, rate};
use crate::help::{STEALING, STEALING_EXAMPLES};
use crate::sizes::monitoring::Monitoring;
use clap::{Args, ValueEnum};
use queueing::Metric;
use queueing::size::{Cutoff, Law};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = format!("{STEALING}\n\n{STEALING_EXAMPLES}"))]
pub(crate) struct Stealing {
    #[command(flatten)]
    pub shorts: ShortOptions,
    #[command(flatten)]
    pub longs: LongOptions,
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub division: Division,
    /// Short hosts, each of speed one, 1 to 64
    #[arg(long, help_heading = "Hosts", value_name = "N", default_value = "1", value_parser = short_hosts)]
    #[arg(allow_hyphen_values = true)]
    pub short_hosts: usize,
    /// Long hosts, 1 to 8; several need exponential sizes
    #[arg(long, help_heading = "Hosts", value_name = "N", default_value = "1", value_parser = long_hosts)]
    #[arg(allow_hyphen_values = true)]
    pub long_hosts: usize,
    /// Several loads of the shorts instead of one, such as 0.5,0.9,1.2
    #[arg(long, help_heading = "Options", value_name = "LOADS", value_delimiter = ',', value_parser = offered)]
    #[arg(allow_hyphen_values = true, conflicts_with_all = ["short_load", "short_rate"])]
    pub sweep: Vec<f64>,
    /// Solve to this relative tolerance, 1e-11 to 0.1 [default: 1e-6]
    #[arg(long, help_heading = "Options", value_name = "EPS", value_parser = tolerance, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// Match only three moments of busy periods: faster, up to 15 % off
    #[arg(long, help_heading = "Options", conflicts_with = "tolerance")]
    pub three_moments: bool,
    /// Solve the renaming policies even where that may take minutes
    #[arg(long, help_heading = "Options")]
    pub renaming: bool,
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub format: Format,
}

/// One workload, divided into shorts and longs by size.
#[derive(Debug, Args)]
#[command(next_help_heading = "One workload, divided by size (when no class is given)")]
pub(crate) struct Division {
    /// The load of a host, between 0 and 1 [default: 0.8]
    #[arg(long, value_name = "RHO", value_parser = load, allow_hyphen_values = true)]
    pub load: Option<f64>,
    /// The arrival rate of all jobs (also those of size 0), instead of the load
    #[arg(long, value_name = "LAMBDA", value_parser = rate, allow_hyphen_values = true, conflicts_with = "load")]
    pub rate: Option<f64>,
    /// Jobs up to this size are short [default: the best cutoff of each policy]
    #[arg(long, value_name = "SIZE", value_parser = cutoff, allow_hyphen_values = true)]
    pub split_by: Option<Cutoff>,
    /// What the best cutoff minimises: response or slowdown
    #[arg(long, value_name = "MEAN", default_value = "response", conflicts_with = "split_by")]
    #[arg(hide_possible_values = true, ignore_case = true)]
    pub minimise: Objective,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Objective {
    Response,
    Slowdown,
}

impl Objective {
    pub(crate) fn metric(self) -> Metric {
        match self {
            Self::Response => Metric::MeanResponseTime,
            Self::Slowdown => Metric::MeanSlowdown,
        }
    }
}

/// The options of one class.
pub(crate) struct ClassOptions {
    /// The prefix of its options.
    pub word: &'static str,
    pub source: Source,
    pub load: Option<f64>,
    pub rate: Option<f64>,
}

impl ClassOptions {
    pub(crate) fn has_sizes(&self) -> bool {
        let Source { sizes, law, summary, .. } = &self.source;
        sizes.is_some() || law.is_some() || summary.is_some()
    }

    pub(crate) fn is_given(&self) -> bool {
        self.has_sizes() || self.load.is_some() || self.rate.is_some()
    }
}

/// The options of a class of jobs: those of sizes, and its load or rate.
macro_rules! class {
    ($name:ident, $word:literal, $heading:literal) => {
        #[derive(Debug, Args)]
        #[command(next_help_heading = $heading)]
        pub(crate) struct $name {
            #[arg(id = concat!($word, "_sizes"), long = concat!($word, "-sizes"), value_name = "FILE")]
            #[arg(help = "Read the sizes from a file, as --sizes does")]
            #[arg(conflicts_with_all = [concat!($word, "_law"), concat!($word, "_summary")])]
            sizes: Option<PathBuf>,
            #[arg(id = concat!($word, "_column"), long = concat!($word, "-column"), value_name = "NAME")]
            #[arg(help = "Take this column of the file", requires = concat!($word, "_sizes"))]
            column: Option<String>,
            #[arg(id = concat!($word, "_counts"), long = concat!($word, "-counts"), value_name = "NAME")]
            #[arg(help = "Take this column for the number of jobs in a row", requires = concat!($word, "_column"))]
            counts: Option<String>,
            #[arg(id = concat!($word, "_law"), long = concat!($word, "-law"), value_name = "SPEC")]
            #[arg(help = "Use a law, such as exponential:mean=1", conflicts_with = concat!($word, "_summary"))]
            law: Option<Law>,
            #[arg(id = concat!($word, "_summary"), long = concat!($word, "-summary"), value_name = "VALUES")]
            #[arg(help = "Use what monitoring tells, such as mean=2,max=90,p99=20")]
            summary: Option<Monitoring>,
            #[arg(id = concat!($word, "_load"), long = concat!($word, "-load"), value_name = "RHO")]
            #[arg(value_parser = offered, allow_hyphen_values = true)]
            #[arg(help = "Their load in hosts, arrival rate x mean size; not per host")]
            load: Option<f64>,
            #[arg(id = concat!($word, "_rate"), long = concat!($word, "-rate"), value_name = "LAMBDA")]
            #[arg(value_parser = rate, allow_hyphen_values = true, conflicts_with = concat!($word, "_load"))]
            #[arg(help = "Their arrival rate (also of those of size 0), instead of the load")]
            rate: Option<f64>,
        }

        impl $name {
            pub(crate) fn class(&self) -> ClassOptions {
                let Self { sizes, column, counts, law, summary, load, rate } = self;
                let source = Source {
                    sizes: sizes.clone(),
                    column: column.clone(),
                    counts: counts.clone(),
                    law: law.clone(),
                    summary: summary.clone(),
                };
                ClassOptions { word: $word, source, load: *load, rate: *rate }
            }
        }
    };
}

class!(ShortOptions, "short", "Shorts");
class!(LongOptions, "long", "Longs");

fn short_hosts(text: &str) -> Result<usize, String> {
    count(text, 64)
}

fn long_hosts(text: &str) -> Result<usize, String> {
    count(text, 8)
}

fn count(text: &str, most: usize) -> Result<usize, String> {
    let count = text.trim().parse().ok().filter(|count| (1..=most).contains(count));
    count.ok_or_else(|| format!("give a whole number of hosts, from 1 to {most}"))
}

/// The load of a class, in hosts.
fn offered(text: &str) -> Result<f64, String> {
    if let Some(percent) = text.trim().strip_suffix('%') {
        return Err(format!("give the load in hosts: {}", number(percent)? / 100.0));
    }
    let value = number(text)?;
    if value > 0.0 && value <= 1e300 {
        Ok(value)
    } else {
        Err("give a positive, finite load: arrival rate x mean size, in hosts".to_owned())
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if (1e-11..=0.1).contains(&value) {
        Ok(value)
    } else {
        Err("give a relative tolerance between 1e-11 and 0.1".to_owned())
    }
}

fn cutoff(text: &str) -> Result<Cutoff, String> {
    let size = number(text)?;
    Cutoff::at(size).map_err(|_| "give a positive, finite size".to_owned())
}
