//! What a law gets from its tail, density and atoms alone: quadrature in ln x and root finding.

use super::{Atom, Complex64, Cutoff, JobSize};
use crate::numeric::power::power;
use crate::numeric::quadrature::adaptive;
use crate::numeric::root::monotone_in_log;
use crate::numeric::sum::Sum;

/// The relative error that the quadrature defaults aim at, with a margin of a hundred.
pub(super) const QUADRATURE_ERROR: f64 = 1e-10;

/// Width in ln x of the pieces into which open ends are cut.
const PIECE: f64 = 4.0;

/// E[X^r; a < X <= b] by quadrature of x^{r+1} f(x) in ln x, plus the atoms in (a, b].
pub(super) fn partial_moment<S: JobSize + ?Sized>(law: &S, r: f64, a: f64, b: f64) -> f64 {
    let mut sum: Sum = atoms_within(law, a, b).iter().map(|atom| atom.probability * power(atom.size, r)).collect();
    let (low, high) = law.support();
    let (low, high) = (low.max(a), high.min(b));
    if low < high {
        sum.add(continuous_moment(law, r, low, high));
    }
    sum.value()
}

fn atoms_within<S: JobSize + ?Sized>(law: &S, a: f64, b: f64) -> &[Atom] {
    let atoms = law.atoms();
    let (from, to) = (atoms.partition_point(|atom| atom.size <= a), atoms.partition_point(|atom| atom.size <= b));
    &atoms[from..to.max(from)]
}

fn continuous_moment<S: JobSize + ?Sized>(law: &S, r: f64, low: f64, high: f64) -> f64 {
    let mut integrand = |u: f64| {
        let x = u.exp();
        let density = law.density(x);
        if density > 0.0 { density * ((r + 1.0) * u).exp() } else { 0.0 }
    };
    // Marks from which to work: the finite ends, the break points, and the middle of the mass, so that no piece misses it.
    let mut marks: Vec<f64> = vec![middle_of_mass(law)];
    marks.extend(law.break_points().iter().map(|x| x.ln()));
    let (from, to) = (low.ln(), high.ln());
    marks.retain(|mark| *mark > from && *mark < to);
    marks.extend([from, to].iter().filter(|end| end.is_finite()));
    if marks.is_empty() {
        return 0.0;
    }
    marks.sort_unstable_by(f64::total_cmp);
    let mut sum = Sum::default();
    for pair in marks.windows(2) {
        let pieces = ((pair[1] - pair[0]) / PIECE).ceil().clamp(1.0, 400.0);
        let width = (pair[1] - pair[0]) / pieces;
        for i in 0..pieces as u32 {
            let from = pair[0] + f64::from(i) * width;
            let to = if f64::from(i + 1) == pieces { pair[1] } else { from + width };
            let beside = sum.value();
            sum.add(adaptive(&mut integrand, from, to, 1e-12, beside).0);
        }
    }
    if low == 0.0 {
        sum.add(open_end(&mut integrand, marks[0], -1.0, r, sum.value()));
    }
    if high.is_infinite() {
        let last = marks[marks.len() - 1];
        sum.add(open_end(&mut integrand, last, 1.0, r, sum.value()));
    }
    sum.value()
}

/// ln x at the median, to a factor of two.
fn middle_of_mass<S: JobSize + ?Sized>(law: &S) -> f64 {
    let (mut low, mut high) = (-1022, 1023);
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if law.sf((2.0_f64).powi(middle)) <= 0.5 { high = middle } else { low = middle }
    }
    f64::from(high) * std::f64::consts::LN_2
}

/// The integral from `start` to the open end in the given direction, piece by piece until nothing is added.
///
/// At the end of the doubles a power law is still falling geometrically from piece to piece: its rest is added; one that does not
/// fall has an infinite integral.
fn open_end(integrand: &mut impl FnMut(f64) -> f64, start: f64, direction: f64, r: f64, so_far: f64) -> f64 {
    let furthest = 690.0 / (r.abs() + 2.0);
    let (mut sum, mut previous, mut from) = (Sum::default(), f64::INFINITY, start);
    let mut idle = 0;
    loop {
        let to = from + direction * PIECE;
        let piece = adaptive(integrand, from.min(to), from.max(to), 1e-12, so_far + sum.value()).0;
        if !piece.is_finite() {
            return f64::INFINITY;
        }
        sum.add(piece);
        let scale = so_far + sum.value();
        idle = if piece <= 1e-17 * scale { idle + 1 } else { 0 };
        // A gap in the density may look like the end: some pieces must be idle, and more before anything was found.
        if idle >= if scale > 0.0 { 4 } else { 100 } {
            return sum.value();
        }
        if (to - start).abs() > furthest.max(40.0) + start.abs() {
            let ratio = piece / previous;
            return if piece == 0.0 {
                sum.value()
            } else if ratio < 1.0 - 1e-9 {
                sum.value() + piece * ratio / (1.0 - ratio)
            } else {
                f64::INFINITY
            };
        }
        (previous, from) = (piece, to);
    }
}

/// Var[X]/E[X]²; over a narrow support by ∫ (x/m − 1)² f dx, which loses nothing.
pub(super) fn scv<S: JobSize + ?Sized>(law: &S) -> f64 {
    let (mean, (low, high)) = (law.mean(), law.support());
    if mean.is_infinite() {
        return f64::INFINITY;
    }
    if !(high < 1.5 * low) {
        return (law.moment(2.0) / mean / mean - 1.0).max(0.0);
    }
    let off = |x: f64| ((x - mean) / mean).powi(2);
    let atoms: f64 = law.atoms().iter().map(|atom| atom.probability * off(atom.size)).sum();
    let marks: Vec<f64> = [low]
        .into_iter()
        .chain(law.break_points().iter().copied().filter(|x| *x > low && *x < high))
        .chain([high])
        .collect();
    let pieces =
        marks.windows(2).map(|ends| adaptive(&mut |x| law.density(x) * off(x), ends[0], ends[1], 1e-12, 0.0).0);
    atoms + pieces.sum::<f64>()
}

/// Sums of probabilities of atoms that should meet a probability exactly miss it by rounding: what is that close counts as met.
pub(super) const ROUNDING: f64 = 1.0 - 1e-14;

/// The smallest x with P(X <= x) >= p, by the smaller of p and q = 1 − p.
pub(super) fn quantile<S: JobSize + ?Sized>(law: &S, p: f64, q: f64) -> f64 {
    let (low, high) = law.support();
    if !(p > 0.0) {
        return low;
    }
    if !(q > 0.0) {
        return high;
    }
    let atoms = law.atoms();
    let reaches = |x: f64| if p <= q { law.cdf(x) >= p * ROUNDING } else { law.sf(x) * ROUNDING <= q };
    let next = atoms.partition_point(|atom| !reaches(atom.size));
    if next < atoms.len() && !reaches(atoms[next].size.next_down()) {
        return atoms[next].size;
    }
    let mut gap = |x: f64| if p <= q { law.cdf(x) / p - 1.0 } else { 1.0 - law.sf(x) / q };
    let (low, high) = stretch(law, next, &mut gap);
    monotone_in_log(&mut gap, low, starting_point(low, high), high)
}

/// The cutoff with the share `below` of the mean work below it.
pub(super) fn load_quantile<S: JobSize + ?Sized>(law: &S, below: f64, above: f64) -> Cutoff {
    let mean = law.mean();
    let (low, high) = law.support();
    if !(below > 0.0) {
        return Cutoff::raw(if law.atoms().is_empty() { low } else { 0.0 }, 1.0);
    }
    if !(above > 0.0) {
        return Cutoff::raw(high, 1.0);
    }
    // Positive once the work below x exceeds the target, relative to the smaller side.
    let mut excess = |x: f64| {
        if below <= above {
            law.partial_moment(1.0, 0.0, x) / (below * mean) - 1.0
        } else {
            1.0 - law.partial_moment(1.0, x, f64::INFINITY) / (above * mean)
        }
    };
    let atoms = law.atoms();
    let next = atoms.partition_point(|atom| excess(atom.size) < 0.0);
    if let Some(atom) = atoms.get(next) {
        let before = excess(atom.size.next_down());
        if before < 0.0 {
            // The target lies inside this atom: interpolate linearly between its two ends.
            let after = excess(atom.size);
            return Cutoff::raw(atom.size, (-before / (after - before)).clamp(0.0, 1.0));
        }
    }
    let (low, high) = stretch(law, next, &mut excess);
    Cutoff::raw(monotone_in_log(&mut excess, low, starting_point(low, high), high), 1.0)
}

/// The stretch of the support between the atoms before and at `next`, narrowed to the break points around the root of `excess`.
fn stretch<S: JobSize + ?Sized>(law: &S, next: usize, excess: &mut impl FnMut(f64) -> f64) -> (f64, f64) {
    let ((mut low, mut high), atoms) = (law.support(), law.atoms());
    if next > 0 {
        low = low.max(atoms[next - 1].size);
    }
    if let Some(atom) = atoms.get(next) {
        high = high.min(atom.size);
    }
    let breaks = law.break_points();
    let above = breaks.partition_point(|&x| excess(x) < 0.0);
    if above > 0 {
        low = low.max(breaks[above - 1]);
    }
    if let Some(&x) = breaks.get(above) {
        high = high.min(x);
    }
    (low, high)
}

fn starting_point(low: f64, high: f64) -> f64 {
    match (low > 0.0, high.is_finite()) {
        (true, true) => low.sqrt() * high.sqrt(),
        (true, false) => 2.0 * low,
        (false, true) => 0.5 * high,
        (false, false) => 1.0,
    }
}

/// E[e^{−sX}] by panels in ln x, narrow enough for the oscillation, until the tail is below rounding; plus the atoms.
pub(super) fn transform<S: JobSize + ?Sized>(law: &S, s: Complex64) -> Complex64 {
    if s == Complex64::ZERO {
        return Complex64::ONE;
    }
    let mut sum = Complex64::ZERO;
    for atom in law.atoms() {
        sum += (-s * atom.size).exp() * atom.probability;
    }
    if law.is_discrete() {
        return sum;
    }
    let (low, high) = law.support();
    let low = if low > 0.0 { low } else { law.quantile(1e-17).max(1e-300) };
    let high = if high.is_finite() { high } else { law.upper_quantile(1e-17) };
    // The neglected piece near 0 has e^{−sx} = 1.
    sum += law.cdf(low) - law.atoms().iter().filter(|atom| atom.size <= low).map(|atom| atom.probability).sum::<f64>();
    let mut integrand = |u: f64| {
        let x = u.exp();
        (-s * x).exp() * (x * law.density(x))
    };
    let (mut from, end) = (low.ln(), high.ln());
    let breaks: Vec<f64> = law.break_points().iter().map(|x| x.ln()).filter(|&u| u > from && u < end).collect();
    for _ in 0..MOST_PANELS {
        if from >= end || s.re * from.exp() > 745.0 {
            return sum;
        }
        // Four radians, half an e-fold, or the next break point.
        let step = (4.0 / (s.norm() * from.exp())).ln_1p().min(0.5);
        let next = breaks.iter().copied().find(|&u| u > from).unwrap_or(end);
        let to = (from + step).min(next).min(end);
        sum += adaptive(&mut integrand, from, to, 1e-13, 1.0).0;
        from = to;
    }
    // ∫ₓʸ f e^{−st} dt ~ (f(x) e^{−sx} − f(y) e^{−sy})/s after thousands of oscillations
    let end = |x: f64| (-s * x).exp() * law.density(x) / s;
    sum + end(from.exp()) - end(high)
}

/// Panels of a transform: some three thousand oscillations.
const MOST_PANELS: usize = 5000;
