//! Laws from their text form, `name:key=value,...`.

use super::summary::ASSUMPTION;
use super::{
    BoundedPareto, Cutoff, Deterministic, Empirical, Erlang, Exponential, Gamma, HyperExponential, Interval, Law,
    LogNormal, Mixture, Pareto, PhaseType, Uniform, Weibull, phase_type,
};
use crate::error::{Error, Result};
use std::str::FromStr;

/// How deep laws may be nested in a text: enough for any use, shallow enough for any stack.
pub(super) const DEEPEST: usize = 32;

impl FromStr for Law {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        parse(text.trim(), 0)
    }
}

fn parse(text: &str, depth: usize) -> Result<Law> {
    if depth > DEEPEST {
        return Err(refuse(&text.chars().take(20).collect::<String>(), "laws nested at most 32 deep"));
    }
    let (name, body) = text.split_once(':').unwrap_or((text, ""));
    match name.trim().replace('_', "-").to_ascii_lowercase().as_str() {
        "mixture" => mixture(body, depth),
        "empirical" => Ok(empirical(body)?.into()),
        // The atoms of a law that was made up from a summary.
        "summary" => Ok(empirical(body)?.assuming(ASSUMPTION).into()),
        "interval" => interval(text, body, depth),
        "exponential" => Fields::of(text, body)?.exponential(),
        "erlang" => Fields::of(text, body)?.erlang(),
        "gamma" => Fields::of(text, body)?.gamma(),
        "hyperexponential" | "hyper-exponential" | "h2" => Fields::of(text, body)?.hyper_exponential(),
        "weibull" => Fields::of(text, body)?.weibull(),
        "lognormal" | "log-normal" => Fields::of(text, body)?.log_normal(),
        "pareto" => Fields::of(text, body)?.pareto(),
        "bounded-pareto" => Fields::of(text, body)?.bounded_pareto(),
        "uniform" => Fields::of(text, body)?.uniform(),
        "deterministic" => Fields::of(text, body)?.deterministic(),
        "phase-type" => Ok(phase_type::parse(body)?.into()),
        "coxian2" => Fields::of(text, body)?.coxian2(),
        "web-files" => Fields::of(text, body)?.web_files(),
        _ => Err(refuse(
            name,
            "one of exponential, erlang, gamma, hyperexponential, weibull, lognormal, pareto, bounded-pareto, uniform, \
             deterministic, phase-type, coxian2, web-files, mixture, empirical, interval",
        )),
    }
}

fn refuse(text: &str, expected: &str) -> Error {
    Error::Parse { text: text.to_owned(), requirement: format!("expected {expected}") }
}

/// Splits at a separator that stands outside all parentheses.
fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_i32, 0, Vec::new());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            // The sign of an exponent, as in 1e+3, separates nothing.
            _ if c == separator && depth == 0 && !(c == '+' && matches!(before, 'e' | 'E')) => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
        before = c;
    }
    parts.push(&text[from..]);
    parts
}

fn number(text: &str) -> Result<f64> {
    text.trim().parse().map_err(|_| refuse(text.trim(), "a number"))
}

/// `(law)` without its parentheses, parsed.
fn nested(text: &str, depth: usize) -> Result<Law> {
    let inner = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    parse(inner.ok_or_else(|| refuse(text.trim(), "a law in parentheses"))?, depth + 1)
}

fn mixture(body: &str, depth: usize) -> Result<Law> {
    let part = |text: &str| {
        let (weight, law) = text.split_once('*').ok_or_else(|| refuse(text, "weight*(law)"))?;
        Ok((number(weight)?, nested(law, depth)?))
    };
    let parts = split_outside(body, '+').into_iter().map(part).collect::<Result<Vec<_>>>()?;
    Ok(Mixture::new(parts)?.into())
}

fn empirical(body: &str) -> Result<Empirical> {
    let atom = |text: &str| {
        let (count, size) = text.split_once('x').ok_or_else(|| refuse(text, "count x size"))?;
        Ok((number(size)?, number(count)?))
    };
    let atoms = split_outside(body, '+').into_iter().map(atom).collect::<Result<Vec<_>>>()?;
    Empirical::from_atoms(&atoms)
}

fn interval(text: &str, body: &str, depth: usize) -> Result<Law> {
    let (mut law, mut numbers) = (None, Vec::new());
    for part in split_outside(body, ',') {
        match part.split_once('=') {
            Some((key, _)) if key.trim() == "law" && law.is_some() => return Err(refuse(part, "each key once")),
            Some((key, value)) if key.trim() == "law" => law = Some(nested(value, depth)?),
            _ => numbers.push(part),
        }
    }
    let law = law.ok_or_else(|| refuse(text, "a=..., b=..., law=(...)"))?;
    let numbers = numbers.join(",");
    let mut fields = Fields::of(text, &numbers)?;
    let shares = ["below_a", "below_b"].map(|key| fields.take(key).unwrap_or(1.0));
    let [a, b] = fields.values(["a", "b"], "; below_a, below_b where an end splits an atom; and law")?;
    let [below_a, below_b] = shares;
    if shares == [1.0, 1.0] {
        return Ok(Interval::new(law, a, b)?.into());
    }
    Ok(Interval::between(law, Cutoff::end(a, below_a)?, Cutoff::end(b, below_b)?)?.into())
}

/// The `key=value` pairs of a law.
struct Fields<'a> {
    text: &'a str,
    pairs: Vec<(&'a str, f64)>,
}

impl<'a> Fields<'a> {
    fn of(text: &'a str, body: &'a str) -> Result<Self> {
        let mut pairs: Vec<(&str, f64)> = Vec::new();
        for part in body.split(',').filter(|part| !part.trim().is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| refuse(part, "key=value"))?;
            if pairs.iter().any(|(known, _)| *known == key.trim()) {
                return Err(refuse(part, "each key once"));
            }
            pairs.push((key.trim(), number(value)?));
        }
        Ok(Self { text, pairs })
    }

    fn get(&self, key: &str) -> Option<f64> {
        self.pairs.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// The value of a key that need not be given, which is then gone.
    fn take(&mut self, key: &str) -> Option<f64> {
        let at = self.pairs.iter().position(|(known, _)| *known == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// Whether exactly these keys are given.
    fn has(&self, keys: &[&str]) -> bool {
        self.pairs.len() == keys.len() && keys.iter().all(|key| self.get(key).is_some())
    }

    /// The values of exactly these keys. `or` names what else the law takes.
    fn values<const N: usize>(&self, keys: [&str; N], or: &str) -> Result<[f64; N]> {
        if !self.has(&keys) {
            return Err(refuse(self.text, &format!("the keys {}{or}", keys.join(", "))));
        }
        Ok(keys.map(|key| self.get(key).unwrap_or(0.0)))
    }

    /// The values of these keys if exactly they are given.
    fn given<const N: usize>(&self, keys: [&str; N]) -> Option<[f64; N]> {
        self.has(&keys).then(|| keys.map(|key| self.get(key).unwrap_or(0.0)))
    }

    fn exponential(&self) -> Result<Law> {
        if let Some([rate]) = self.given(["rate"]) {
            return Ok(Exponential::with_rate(rate)?.into());
        }
        let [mean] = self.values(["mean"], "; or rate")?;
        Ok(Exponential::with_mean(mean)?.into())
    }

    fn erlang(&self) -> Result<Law> {
        let [stages, mean] = self.values(["stages", "mean"], "")?;
        if stages.fract() != 0.0 || !(1.0..=1e9).contains(&stages) {
            return Err(refuse(self.text, "a whole number of stages, at least 1"));
        }
        Ok(Erlang::with_mean(stages as u32, mean)?.into())
    }

    fn gamma(&self) -> Result<Law> {
        if let Some([mean, scv]) = self.given(["mean", "scv"]) {
            return Ok(Gamma::with_mean_and_scv(mean, scv)?.into());
        }
        let [shape, scale] = self.values(["shape", "scale"], "; or mean, scv")?;
        Ok(Gamma::new(shape, scale)?.into())
    }

    fn hyper_exponential(&self) -> Result<Law> {
        if let Some([mean, scv]) = self.given(["mean", "scv"]) {
            return Ok(HyperExponential::balanced(mean, scv)?.into());
        }
        if let Some([p1, mean1, mean2]) = self.given(["p1", "mean1", "mean2"]) {
            return Ok(HyperExponential::two(p1, mean1, mean2)?.into());
        }
        let branches = self.pairs.len() / 2;
        let branch = |i: usize| Some((self.get(&format!("p{i}"))?, self.get(&format!("mean{i}"))?));
        let found: Vec<_> = (1..=branches).filter_map(branch).collect();
        if found.len() != branches || self.pairs.len() != 2 * branches || branches == 0 {
            return Err(refuse(self.text, "the keys mean, scv; or p1, mean1, mean2; or p1, mean1, p2, mean2, ..."));
        }
        Ok(HyperExponential::new(&found)?.into())
    }

    fn weibull(&self) -> Result<Law> {
        if let Some([mean, scv]) = self.given(["mean", "scv"]) {
            return Ok(Weibull::with_mean_and_scv(mean, scv)?.into());
        }
        let [shape, scale] = self.values(["shape", "scale"], "; or mean, scv")?;
        Ok(Weibull::new(shape, scale)?.into())
    }

    fn log_normal(&self) -> Result<Law> {
        if let Some([mean, scv]) = self.given(["mean", "scv"]) {
            return Ok(LogNormal::with_mean_and_scv(mean, scv)?.into());
        }
        let [mu, sigma] = self.values(["mu", "sigma"], "; or mean, scv")?;
        Ok(LogNormal::new(mu, sigma)?.into())
    }

    fn pareto(&self) -> Result<Law> {
        if let Some([mean, alpha]) = self.given(["mean", "alpha"]) {
            return Ok(Pareto::with_mean(mean, alpha)?.into());
        }
        if let Some([mean, scv]) = self.given(["mean", "scv"]) {
            return Ok(Pareto::with_mean_and_scv(mean, scv)?.into());
        }
        let [k, alpha] = self.values(["k", "alpha"], "; or mean, alpha; or mean, scv")?;
        Ok(Pareto::new(k, alpha)?.into())
    }

    fn bounded_pareto(&self) -> Result<Law> {
        if let Some([mean, p, alpha]) = self.given(["mean", "p", "alpha"]) {
            return Ok(BoundedPareto::with_mean(mean, p, alpha)?.into());
        }
        let [k, p, alpha] = self.values(["k", "p", "alpha"], "; or mean, p, alpha")?;
        Ok(BoundedPareto::new(k, p, alpha)?.into())
    }

    fn uniform(&self) -> Result<Law> {
        if let Some([mean, scv]) = self.given(["mean", "scv"]) {
            return Ok(Uniform::with_mean_and_scv(mean, scv)?.into());
        }
        let [a, b] = self.values(["a", "b"], "; or mean, scv")?;
        Ok(Uniform::new(a, b)?.into())
    }

    fn deterministic(&self) -> Result<Law> {
        let [value] = self.values(["value"], "")?;
        Ok(Deterministic::new(value)?.into())
    }

    fn coxian2(&self) -> Result<Law> {
        let [rate1, rate2, p] = self.values(["rate1", "rate2", "p"], "")?;
        Ok(PhaseType::coxian2(rate1, rate2, p)?.into())
    }

    fn web_files(&self) -> Result<Law> {
        let [mu, sigma, k, alpha, tail] = self.values(["mu", "sigma", "k", "alpha", "tail"], "")?;
        Ok(Mixture::web_files(mu, sigma, k, alpha, tail)?.into())
    }
}
