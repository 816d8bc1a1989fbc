//! Cycle stealing: what idle long hosts do for the shorts, and what the longs pay.
//!
//! Osogami's thesis (2005) found that the shorts gain up to an order of magnitude while the longs pay a few per cent, and that the
//! central queue (SBCS-CQ) beats immediate dispatch (SBCS-ID) for both classes. The tables show where this holds. Longs have load 0.5;
//! all numbers are solved to a relative error of 1e-8, so no difference below is one of the approximation.

use queueing::prelude::*;
use queueing::stealing::{CentralQueue, ImmediateDispatch, Policy, Renaming};

const POLICIES: [Policy; 4] = [
    Policy::Dedicated,
    Policy::ImmediateDispatch,
    Policy::CentralQueue(Renaming::Never),
    Policy::CentralQueue(Renaming::Eager),
];

/// Dedicated keeps up with the shorts below 1, SBCS-ID below 1.28, SBCS-CQ below 1.5.
const LOADS: [f64; 8] = [0.3, 0.5, 0.7, 0.8, 0.9, 1.1, 1.2, 1.4];

const TOLERANCE: f64 = 1e-8;

/// Mean response times of shorts and longs under each policy; nothing without a steady state.
type Means = [[Option<f64>; POLICIES.len()]; 2];

fn main() -> queueing::Result<()> {
    let mut claims = Claims::default();
    for (short, long) in [(1.0, 1.0), (1.0, 10.0), (10.0, 1.0)] {
        let exponential: Law = Exponential::with_mean(long)?.into();
        let variable: Law = HyperExponential::balanced(long, 8.0)?.into();
        for (name, sizes) in [("exponential longs", exponential), ("longs of scv 8", variable)] {
            println!("shorts of mean {short}, {name} of mean {long}");
            heading("load");
            let longs = Workload::with_load(sizes, 0.5)?;
            for point in stealing::sweep(&Exponential::with_mean(short)?, &longs, &LOADS, &POLICIES, Some(TOLERANCE))? {
                let mut means = Means::default();
                for (i, (_, both)) in point.policies.iter().enumerate() {
                    means[0][i] = both.shorts().mean_response_time().ok();
                    means[1][i] = both.longs().mean_response_time().ok();
                }
                line(point.short_load, &means);
                claims.add(format!("mean sizes {short} and {long}:"), &means);
            }
            println!();
        }
    }
    short_hosts()?;
    claims.print();
    Ok(())
}

/// The same donor for more short hosts, each at load 0.9.
fn short_hosts() -> queueing::Result<()> {
    println!("k short hosts at load 0.9 each, all sizes exponential of mean 1");
    heading("k");
    let size = Exponential::with_mean(1.0)?;
    let longs = Workload::with_load(size, 0.5)?;
    for k in [1, 2, 4, 8] {
        let shorts = Workload::with_load(size, 0.9 * k as f64)?;
        let alone = farm::least_work_left(&Farm::new(shorts.clone(), Hosts::identical(k)?))?;
        let immediate = ImmediateDispatch::default().short_hosts(k).tolerance(TOLERANCE);
        let central = CentralQueue::default().short_hosts(k).tolerance(TOLERANCE);
        let stealing = [
            stealing::immediate_dispatch(&shorts, &longs, immediate)?,
            stealing::central_queue(&shorts, &longs, central)?,
            stealing::central_queue(&shorts, &longs, central.renaming(Renaming::Eager))?,
        ];
        let mut means =
            [[alone.overall.mean_response_time().ok(); 4], [mg1::fcfs(&longs)?.mean_response_time().ok(); 4]];
        for (i, both) in stealing.iter().enumerate() {
            means[0][i + 1] = both.shorts().mean_response_time().ok();
            means[1][i + 1] = both.longs().mean_response_time().ok();
        }
        line(k as f64, &means);
    }
    println!();
    Ok(())
}

fn heading(label: &str) {
    println!("{:>5} | {:^39} | {:^39}", "", "shorts: E[T]", "longs: E[T]");
    let names = format!("{:>9} {:>9} {:>9} {:>9}", "Dedicated", "ID", "CQ", "CQ eager");
    println!("{label:>5} | {names} | {names}");
}

fn line(label: f64, means: &Means) {
    let cells = means.map(|class| class.map(|mean| mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"))));
    let [shorts, longs] =
        cells.map(|class| class.iter().map(|cell| format!("{cell:>9}")).collect::<Vec<_>>().join(" "));
    println!("{label:>5} | {shorts} | {longs}");
}

/// What the sweeps say of the two findings.
#[derive(Default)]
struct Claims {
    /// For each pair of mean sizes: the largest gain of the shorts and loss of the longs, SBCS-CQ over Dedicated, where both are stable.
    prices: Vec<(String, f64, f64)>,
    /// For shorts and longs: the cases in which both SBCS policies have them in a steady state.
    cases: [usize; 2],
    /// Of these, those where SBCS-CQ is better: with fixed roles, and with eager renaming.
    better: [[usize; 2]; 2],
}

impl Claims {
    fn add(&mut self, sizes: String, means: &Means) {
        if self.prices.last().is_none_or(|(last, ..)| *last != sizes) {
            self.prices.push((sizes, 0.0, 0.0));
        }
        if let ([Some(alone), _, Some(helped), _], [Some(own), _, Some(shared), _]) = (means[0], means[1])
            && let Some((_, gain, loss)) = self.prices.last_mut()
        {
            (*gain, *loss) = (gain.max(alone / helped), loss.max(shared / own - 1.0));
        }
        for (class, means) in means.iter().enumerate() {
            if let [_, Some(immediate), Some(never), Some(eager)] = *means {
                self.cases[class] += 1;
                for (i, central) in [never, eager].into_iter().enumerate() {
                    self.better[class][i] += usize::from(central < immediate);
                }
            }
        }
    }

    fn print(&self) {
        println!(
            "1. \"Shorts gain up to an order of magnitude, longs pay a few per cent\": SBCS-CQ against Dedicated up to load 0.9"
        );
        for (sizes, gain, loss) in &self.prices {
            println!("   {sizes:<28} shorts gain up to {gain:.1} times, longs pay up to {:.1} %", 100.0 * loss);
        }
        println!(
            "   The gain is unbounded at load 1, where Dedicated ends. The price is small if shorts are short, and only then."
        );
        println!("2. \"SBCS-CQ beats SBCS-ID for both classes\": of all rows above");
        for (class, name) in ["shorts", "longs"].into_iter().enumerate() {
            let ([never, eager], cases) = (self.better[class], self.cases[class]);
            println!("   {name:<6} in {never} of {cases} with fixed roles, in {eager} of {cases} with eager renaming");
        }
    }
}
