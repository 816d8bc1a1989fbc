//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use queueing::Hosts;
use queueing::size::Law;
use std::path::PathBuf;

/// As many hosts as the library optimises cutoffs for: the answer has a line for each.
pub(crate) const MOST_HOSTS: usize = 10_000;

const EXAMPLES: &str = "\
Examples:
  queueing compare                                     the embedded trace, 8 hosts at load 0.8
  queueing compare --hosts 4 --load 0.6 --sizes jobs.txt
  queueing compare --sizes jobs.csv --column runtime   a column of a CSV file
  queueing compare --sizes log.swf --rate 0.01         a log of the Parallel Workloads Archive
  cut -f 3 log.tsv | queueing compare --sizes -        standard input
  queueing compare --law bounded-pareto:k=332,p=1e10,alpha=1.1 --hosts 2
  queueing compare --format json | jq '.policies[].metrics.mean_slowdown'";

const COMPARE: &str = "\
Policies:
  Random/FCFS        each job to a host drawn at random; hosts serve first come, first served
  Random/PS          the same; hosts share their speed among all their jobs (processor sharing)
  SITA-E             each host serves one range of sizes, ranges bring equal loads; FCFS hosts;
                     splits the jobs of one size between hosts where equal loads require it
  SITA-V (waiting)   the ranges that minimise the mean waiting time; FCFS hosts
  SITA-V (slowdown)  the ranges that minimise the mean slowdown; FCFS hosts
SITA-V keeps the jobs of one size together unless --split is given.
Jobs arrive in a Poisson stream, sizes are independent, SITA knows them on arrival. The response
time T is waiting plus service; the slowdown is T/X, the response time over the job's size X. The
load is per host: arrival rate x mean size / hosts.

Files of sizes (plain text, the format is recognised; comments after #, blank lines and a header
line are fine; commas, tabs or semicolons separate):
  one size a line
  size,count         columns of these names, or two columns without names
  CSV                with --column NAME, and --counts NAME if a row stands for several jobs
  SWF                Standard Workload Format: header lines with ;, 18 columns; reads the run time
Sizes of 0, and the -1 (unknown) of SWF, are left out, counted, and reported on standard error.

Laws (scv is the squared coefficient of variation, Var[X]/E[X]^2):
  exponential:mean=2                         or rate
  erlang:stages=3,mean=2
  gamma:shape=2,scale=3                      or mean, scv
  hyperexponential:p1=0.9,mean1=0.5,mean2=8  or mean, scv (balanced); or p1, mean1, p2, mean2, ...
  weibull:shape=0.5,scale=2                  or mean, scv
  lognormal:mu=0,sigma=1.5                   or mean, scv
  pareto:k=1,alpha=2.5                       or mean, alpha; or mean, scv
  bounded-pareto:k=332,p=1e10,alpha=1.1      or mean, p, alpha
  uniform:a=1,b=4                            or mean, scv
  deterministic:value=3
  web-files:mu=9.357,sigma=1.318,k=133000,alpha=1.1,tail=0.07    lognormal, Pareto tail from k on
  mixture:0.9*(exponential:mean=1)+0.1*(pareto:k=1,alpha=2)      weight*(law)+...
  empirical:2x2+1x4+1x8                                          count x size
  interval:a=1,b=3,law=(exponential:mean=2)                      X given a < X <= b
Laws with parentheses or * need quotes in a shell.

Formats:
  table  to read: at most 100 columns wide, numbers rounded
  csv    a number a line: section,policy,host,quantity,value,accuracy,error,note; infinity is inf
  json   an object of workload, farm, policies, without_largest_job; infinity is the text \"inf\"
CSV and JSON hold every digit and all metrics, also by host. The accuracy is exact (rounding only),
numerical (error: its relative error), approximate, or simulated (error: the standard error);
exact is exact for the law, not for the world.

Exit status: 0 for an answer, even if a policy is infeasible or its mean infinite; 2 for bad input.";

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
    Compare(Compare),
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
    /// How to print the answer: table, csv or json
    #[arg(long, help_heading = "Options", value_name = "FORMAT", default_value = "table", hide_possible_values = true)]
    pub format: Format,
}

/// The job sizes: by default the run times of the Google cluster trace of 2011.
#[derive(Debug, Args)]
#[command(next_help_heading = "Job sizes (default: the Google cluster trace of 2011)")]
pub(crate) struct Source {
    /// Read the sizes from a file, `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "law")]
    pub sizes: Option<PathBuf>,
    /// Take this column of a CSV file, each row one job
    #[arg(long, value_name = "NAME", requires = "sizes")]
    pub column: Option<String>,
    /// Take this column of a CSV file for the number of jobs in a row
    #[arg(long, value_name = "NAME", requires = "column")]
    pub counts: Option<String>,
    /// Use a law instead of a trace, such as weibull:mean=1,scv=40
    #[arg(long, value_name = "SPEC")]
    pub law: Option<Law>,
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
    /// The arrival rate of jobs at the farm, instead of the load
    #[arg(long, value_name = "LAMBDA", value_parser = rate, allow_hyphen_values = true, conflicts_with = "load")]
    pub rate: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Csv,
    Json,
}

fn hosts(text: &str) -> Result<Hosts, String> {
    let count = text.trim().parse::<usize>().ok().filter(|&count| count <= MOST_HOSTS);
    let hosts = count.and_then(|count| Hosts::identical(count).ok());
    hosts.ok_or_else(|| format!("give a whole number of hosts, from 1 to {MOST_HOSTS}"))
}

fn load(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else if value >= 1.0 {
        Err("at load 1 or more queues grow without bound; give a load below 1".to_owned())
    } else {
        Err("give a load above 0 and below 1".to_owned())
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err("give a positive, finite rate, in jobs per unit of time".to_owned())
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number".to_owned())
}
