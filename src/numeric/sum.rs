//! Compensated summation.

/// A running sum with Neumaier's correction: exact to the last digit but one for any number of terms of one sign.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    total: f64,
    correction: f64,
}

impl Sum {
    /// Adds a term. Infinite terms make the sum infinite.
    pub(crate) fn add(&mut self, term: f64) {
        let next = self.total + term;
        if next.is_finite() {
            self.correction +=
                if self.total.abs() >= term.abs() { (self.total - next) + term } else { (term - next) + self.total };
        }
        self.total = next;
    }

    /// The sum of what has been added.
    pub(crate) fn value(self) -> f64 {
        self.total + self.correction
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}
