//! How many busy hosts are in each phase: the states of a level.

use std::collections::HashMap;

/// All ways in which so many busy hosts spread over the phases, numbered.
#[derive(Debug)]
pub(super) struct Occupancies {
    all: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, usize>,
}

impl Occupancies {
    pub(super) fn new(busy: usize, phases: usize) -> Self {
        let mut all = Vec::new();
        let mut current = vec![0; phases];
        spread(busy as u32, 0, &mut current, &mut all);
        let numbers = all.iter().enumerate().map(|(i, occupancy)| (occupancy.clone(), i)).collect();
        Self { all, numbers }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, number: usize) -> &[u32] {
        &self.all[number]
    }

    /// The number of an occupancy that sums to the busy hosts.
    pub(super) fn index(&self, occupancy: &[u32]) -> usize {
        self.numbers[occupancy]
    }
}

/// All ways to put `left` into the phases from `phase` on.
fn spread(left: u32, phase: usize, current: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    if phase + 1 == current.len() {
        current[phase] = left;
        all.push(current.clone());
        return;
    }
    for here in 0..=left {
        current[phase] = here;
        spread(left - here, phase + 1, current, all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_once() {
        let three = Occupancies::new(4, 3);
        assert_eq!(three.len(), 15);
        for i in 0..three.len() {
            assert_eq!(three.get(i).iter().sum::<u32>(), 4);
            assert_eq!(three.index(three.get(i)), i);
        }
        assert_eq!(Occupancies::new(0, 2).len(), 1);
    }
}
