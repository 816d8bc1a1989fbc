//! Serve short connections first: how much faster, and who pays? SRPT against processor sharing for web files.
//!
//! For two laws of file sizes and loads from 0.5 to 0.95: by which factor SRPT shortens the mean response time, the mean slowdown
//! T/X at size percentiles under SRPT (under processor sharing it is 1/(1-load) for all), and who is worse off by how much. Crovella,
//! Frangioso and Harchol-Balter (1999) reported "factors of four or five".

use queueing::prelude::*;

const PERCENTILES: [(&str, f64); 6] =
    [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999), ("p99.999", 0.99999)];

fn main() -> queueing::Result<()> {
    let laws: [(&str, Law); 2] = [
        ("bounded Pareto, 332 to 1e10, index 1.1", BoundedPareto::new(332.0, 1e10, 1.1)?.into()),
        ("lognormal body, Pareto tail of index 1.1", Mixture::web_files(9.357, 1.318, 133_000.0, 1.1, 0.07)?.into()),
    ];
    for (name, size) in laws {
        println!("{name}: mean {:.4e}", size.mean());
        print!("{:>5} {:>8} {:>8}", "load", "PS/SRPT", "PS: T/X");
        for (name, _) in PERCENTILES {
            print!(" {name:>8}");
        }
        println!(" {:>10} {:>10} {:>8}", "jobs worse", "load worse", "largest");
        for load in [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] {
            let jobs = Workload::with_load(&size, load)?;
            let (srpt, sharing) = (mg1::srpt(&jobs)?, mg1::ps(&jobs)?);
            let gain = sharing.mean_response_time()? / srpt.mean_response_time()?;
            print!("{load:>5} {gain:>8.3} {:>8.3}", sharing.mean_slowdown()?);
            for (_, p) in PERCENTILES {
                print!(" {:>8.3}", mg1::slowdown_at_percentile(&jobs, Discipline::Srpt, p)?.value);
            }
            let fairness = mg1::fairness(&jobs, Discipline::Srpt)?;
            println!(
                " {:>10.1e} {:>10.1e} {:>8.4}",
                fairness.jobs_worse_off, fairness.load_worse_off, fairness.largest_ratio
            );
        }
        println!();
    }
    println!("jobs worse, load worse: shares of the jobs and of the load that do worse than under processor sharing;");
    println!("largest: the largest mean slowdown over that of processor sharing");
    Ok(())
}
