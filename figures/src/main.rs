//! Draws `docs/figures/*.svg` and writes the tables of `docs/`, all of them or those that are named:
//! `cargo run --release -p figures -- cycle_stealing`. A further figure is a file beside this one and a line in [`FIGURES`].

mod cycle_stealing;
mod dr_accuracy;
mod draw;
mod web_scheduling;

use std::error::Error;
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

type Draw = fn() -> Result<()>;

const FIGURES: [(&str, Draw); 3] = [
    ("cycle_stealing", cycle_stealing::draw),
    ("dr_accuracy", dr_accuracy::draw),
    ("web_scheduling", web_scheduling::draw),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| FIGURES.iter().all(|(known, _)| known != name)) {
        let known: Vec<&str> = FIGURES.iter().map(|(name, _)| *name).collect();
        eprintln!("error: no figure `{unknown}`; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    for (name, draw) in FIGURES.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|known| known == name))
    {
        if let Err(error) = draw() {
            eprintln!("error: {name}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
