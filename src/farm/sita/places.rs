//! Where cutoffs may stand: the axis of cumulative work.
//!
//! A cutoff is known by the work below it, λE[X; X <= x], in units of one host: differences of works are loads of hosts, and
//! 1 − load stays exact where a size would not resolve it.

use super::equal_load;
use crate::error::Result;
use crate::size::{Cutoff, JobSize};
use crate::workload::Farm;

/// A possible cutoff and the work below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub work: f64,
    pub cutoff: Cutoff,
}

impl Place {
    /// Nothing below.
    pub(super) const LOWEST: Self = Self { work: 0.0, cutoff: Cutoff::LOWEST };
}

/// A place with two moments of the sizes below and above it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile {
    pub place: Place,
    pub below: [f64; 2],
    pub above: [f64; 2],
}

impl Profile {
    /// A moment between this place and a higher one, as the difference of whichever sums are smaller.
    #[inline]
    pub(super) fn moment_up_to(&self, upper: &Self, order: usize) -> f64 {
        let (below, above) = (upper.below[order], self.above[order]);
        if below <= above && below.is_finite() {
            (below - self.below[order]).max(0.0)
        } else if above.is_finite() {
            (above - upper.above[order]).max(0.0)
        } else {
            f64::INFINITY
        }
    }
}

/// Atoms squared, times hosts, up to which all atoms are on the grid: the costs of its path, some tenths of a second.
const ALL_ATOMS: usize = 40_000_000;

/// The axis of a farm.
pub(super) struct Axis<'a, S> {
    pub farm: &'a Farm<S>,
    /// The whole work, in units of one host.
    pub total: f64,
    /// Whether cutoffs may split atoms.
    pub splitting: bool,
}

impl<S: JobSize> Axis<'_, S> {
    fn law(&self) -> &S {
        self.farm.jobs().size()
    }

    /// Whether all jobs have sizes of positive probability and stay together: then only atoms are places.
    pub(super) fn is_staircase(&self) -> bool {
        !self.splitting && self.law().is_discrete()
    }

    pub(super) fn highest(&self) -> Place {
        Place { work: self.total, cutoff: Cutoff::HIGHEST }
    }

    /// Whether a [`grid`](Self::grid) of a staircase holds all its places, so that the best path is the best there is.
    pub(super) fn has_all_atoms_on_its_grid(&self) -> bool {
        self.law().atoms().len().saturating_pow(2).saturating_mul(self.farm.hosts().count()) <= ALL_ATOMS
    }

    /// The place with this work below it, or without splitting the nearest one there is.
    pub(super) fn at(&self, work: f64) -> Place {
        let (floor, ceiling) = self.around(work);
        if work - floor.work <= ceiling.work - work { floor } else { ceiling }
    }

    /// The nearest places at or below and at or above this work: the same but inside an atom that must not be split.
    pub(super) fn around(&self, work: f64) -> (Place, Place) {
        if work <= 0.0 {
            return (Place::LOWEST, Place::LOWEST);
        }
        if work >= self.total {
            return (self.highest(), self.highest());
        }
        let cutoff = self.law().load_quantile(work / self.total, (self.total - work) / self.total);
        if self.splitting || cutoff.share() == 1.0 {
            let place = Place { work, cutoff };
            return (place, place);
        }
        (self.under(cutoff.size()), self.through(cutoff.size()))
    }

    /// The place just above the jobs of a size.
    pub(super) fn through(&self, size: f64) -> Place {
        let (below, above) = (self.work(0.0, size), self.work(size, f64::INFINITY));
        if above <= 0.0 {
            return self.highest();
        }
        let work = if below <= above { below } else { self.total - above };
        Place { work, cutoff: Cutoff::raw(size, 1.0) }
    }

    /// The place just below the jobs of an atom's size: at the next lower atom if nothing lies between.
    fn under(&self, size: f64) -> Place {
        let atoms = self.law().atoms();
        let index = atoms.partition_point(|atom| atom.size < size);
        let previous = if index > 0 { atoms[index - 1].size } else { 0.0 };
        let beneath = size.next_down();
        let next = if self.law().partial_moment(0.0, previous, beneath) > 0.0 { beneath } else { previous };
        if next > 0.0 { self.through(next) } else { Place::LOWEST }
    }

    fn work(&self, a: f64, b: f64) -> f64 {
        self.farm.jobs().rate() * self.law().partial_moment(1.0, a, b)
    }

    /// Places for each cutoff, by increasing work: dense in log size, in work, and towards the edges of its feasible window.
    ///
    /// The works below cutoff i lie between R − (h − i) and i, since no host takes more than one. `always` is on the grid.
    pub(super) fn grid(&self, always: &[Place]) -> Result<Vec<Vec<Place>>> {
        let hosts = self.farm.hosts().count();
        // Some 190 places for one cutoff, fewer each for many: the path costs their square.
        let density = 64.min(1000 / hosts).max(16) as u32;
        let balanced = equal_load(self.farm)?;
        let mut layers = Vec::with_capacity(hosts - 1);
        for (i, &kept) in (1..hosts).zip(always) {
            let low = (self.total - (hosts - i) as f64).max(0.0);
            let high = self.total.min(i as f64);
            let mut places = vec![kept];
            if self.splitting || self.law().atoms().is_empty() {
                let work = self.farm.load() * i as f64;
                places.push(Place { work, cutoff: balanced.as_slice()[i - 1] });
            }
            self.spread(low, high, density, &mut places);
            places.retain(|place| place.work >= low && place.work <= high);
            places.sort_unstable_by(|a, b| {
                let by_share = a.cutoff.share().total_cmp(&b.cutoff.share());
                a.work.total_cmp(&b.work).then(a.cutoff.size().total_cmp(&b.cutoff.size())).then(by_share)
            });
            places.dedup();
            layers.push(places);
        }
        Ok(layers)
    }

    fn spread(&self, low: f64, high: f64, density: u32, places: &mut Vec<Place>) {
        let width = high - low;
        let atoms = self.law().atoms();
        // A cutoff at an end of the support leaves hosts without jobs: of use only where there are fewer atoms than hosts.
        if !atoms.is_empty() {
            places.extend([Place::LOWEST, self.highest()]);
        }
        if self.has_all_atoms_on_its_grid() {
            let (from, to) = (self.at(low).cutoff.size(), self.at(high).cutoff.size());
            let first = atoms.partition_point(|atom| atom.size < from);
            let within = atoms[first..].iter().take_while(|atom| atom.size <= to);
            places.extend(within.map(|atom| self.through(atom.size)));
        }
        for &size in self.law().break_points() {
            places.push(self.through(size));
        }
        let share = |j: u32, of: u32| f64::from(j) / f64::from(of);
        for j in 1..density {
            places.push(self.at(low + width * share(j, density)));
        }
        // Half decades towards both edges, where a host fills up or empties.
        for j in 2..=density / 2 {
            let step = width * 10.0_f64.powf(-30.0 * share(j, density));
            places.extend([self.at(low + step), self.at(high - step)]);
        }
        let (support_low, support_high) = self.law().support();
        let end =
            |work: f64, place: Place, end: f64| if work > 0.0 && work < self.total { place.cutoff.size() } else { end };
        let from = end(low, self.at(low), support_low).max(self.at(low + 1e-12 * width).cutoff.size());
        let to = end(high, self.at(high), support_high).min(self.at(high - 1e-12 * width).cutoff.size());
        if from > 0.0 && to > from && to.is_finite() {
            let range = (to / from).ln();
            for j in 1..density {
                places.push(self.through(from * (range * share(j, density)).exp()));
            }
        }
    }

    /// Works of unsplit cutoffs that make the largest load as small as it can be, and that load.
    ///
    /// For a continuous law, or with splitting, that is the balanced load.
    pub(super) fn least_peak(&self) -> (Vec<Place>, f64) {
        let hosts = self.farm.hosts().count();
        let balanced = self.total / hosts as f64;
        if self.splitting || self.law().atoms().is_empty() {
            return ((1..hosts).map(|i| self.at(balanced * i as f64)).collect(), balanced);
        }
        // Fill hosts from below up to a cap; the least cap that leaves the last host within it.
        let fill = |cap: f64| {
            let mut places: Vec<Place> = Vec::with_capacity(hosts - 1);
            let mut work = 0.0;
            for _ in 1..hosts {
                let place = self.around(work + cap).0;
                work = place.work;
                places.push(place);
            }
            let last = self.total - work;
            (places, last)
        };
        let (mut low, mut high) = (balanced, self.total);
        for _ in 0..60 {
            let cap = 0.5 * (low + high);
            if fill(cap).1 <= cap { high = cap } else { low = cap }
        }
        let (places, last) = fill(high);
        (places, high.max(last))
    }

    /// The atom that brings the most load.
    pub(super) fn heaviest_atom(&self) -> Option<(f64, f64)> {
        let load = |atom: &crate::size::Atom| self.farm.jobs().rate() * atom.probability * atom.size;
        self.law().atoms().iter().map(|atom| (atom.size, load(atom))).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}
