//! Partial moments of phase types.

use super::{KEPT, PhaseType};
use crate::numeric::dense::dot;
use crate::numeric::gamma::{Span, partial_gamma};
use crate::numeric::power::power;
use crate::numeric::quadrature::adaptive;
use crate::numeric::sum::Sum;
use crate::size::JobSize;

/// How far the series of jumps reaches, in units of 1/θ.
const SERIES_REACH: f64 = 64.0;

/// The largest whole order that has a closed form here; factorials beyond it leave the doubles.
const LARGEST_ORDER: f64 = 100.0;

/// E[X^r; a < X <= b], with jobs of size 0 counted where a = 0.
pub(super) fn partial(law: &PhaseType, r: f64, a: f64, b: f64) -> f64 {
    if !(a < b) || r.is_nan() {
        return 0.0;
    }
    let zero = law.mass_at_zero();
    if a <= 0.0 && zero > 0.0 && r < 0.0 {
        return f64::INFINITY;
    }
    let atom = if a <= 0.0 && r == 0.0 { zero } else { 0.0 };
    let a = a.max(0.0);
    if r == 0.0 && a == 0.0 && b.is_infinite() {
        return 1.0;
    }
    if r >= 0.0 && r.fract() == 0.0 && r <= LARGEST_ORDER {
        return atom + whole(law, r as usize, a, b);
    }
    real(law, r, a, b)
}

/// Orders r = 0, 1, 2, ... from what is left at a: with X = a + U, X^r = Σ C(r,j) a^{r−j} U^j.
fn whole(law: &PhaseType, r: usize, a: f64, b: f64) -> f64 {
    if law.chain().is_forever(a) {
        return 0.0;
    }
    let start = if a == 0.0 { law.alpha.clone() } else { law.chain().after(&law.alpha, a, 0).phases };
    let orders: Vec<f64> = if law.chain().is_forever(b - a) {
        // E[U^j] = j! v (−T)⁻ʲ 1
        let more;
        let columns = if r < KEPT {
            &law.columns
        } else {
            more = law.tail_columns(r).unwrap_or_default();
            &more
        };
        let mut factorial = 1.0;
        let column = |(j, column): (usize, &Vec<f64>)| {
            factorial *= j.max(1) as f64;
            factorial * dot(&start, column)
        };
        columns.iter().take(r + 1).enumerate().map(column).collect()
    } else {
        law.chain().after(&start, b - a, r + 1).absorbed
    };
    if a == 0.0 {
        return orders[r];
    }
    let mut factor = 1.0;
    let mut sum = 0.0;
    for j in (0..=r).rev() {
        sum += factor * orders[j];
        // C(r, j−1) a^{r−j+1} from C(r, j) a^{r−j}
        factor *= a * j as f64 / (r - j + 1) as f64;
    }
    sum
}

/// Other orders: Σ αPᵏt θ^{−r−1} (1/k!) ∫ y^{k+r} e^{−y} dy up to y = 64, beyond by quadrature of x^r f(x) over octaves.
fn real(law: &PhaseType, r: f64, a: f64, b: f64) -> f64 {
    let chain = law.chain();
    let theta = chain.fastest();
    let reach = SERIES_REACH / theta;
    let mut sum = Sum::default();
    if a < reach {
        let over = Span::scaled(a, b.min(reach), 1.0 / theta, 1.0);
        let terms = law.phases() + (2.5 * SERIES_REACH) as usize;
        let mut left = Sum::default();
        chain.exits(&law.alpha, theta, terms, |k, _, exit| {
            if exit > 0.0 {
                left.add(exit / theta * partial_gamma(k as f64 + 1.0, r, over));
            }
        });
        sum.add(left.value() * theta.powf(-r));
    }
    let mut integrand = |x: f64| {
        let density = law.density(x);
        if density > 0.0 { power(x, r) * density } else { 0.0 }
    };
    let mut from = a.max(reach);
    for _ in 0..2200 {
        if from >= b || !(rest_at_most(law, r, from) > 1e-17 * sum.value()) || sum.value().is_infinite() {
            break;
        }
        let to = (2.0 * from).min(b);
        sum.add(adaptive(&mut integrand, from, to, 1e-13, sum.value()).0);
        from = to;
    }
    sum.value()
}

/// A bound of E[X^r; X > x]: x^{r−m} E[X^m; X > x] with the next whole order m.
fn rest_at_most(law: &PhaseType, r: f64, x: f64) -> f64 {
    let m = r.ceil().clamp(0.0, LARGEST_ORDER);
    x.powf(r - m) * whole(law, m as usize, x, f64::INFINITY)
}
