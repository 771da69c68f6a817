//! The mean and the deviation of numbers, which parts join.

use super::array_numbers::Double;
use serde::{Deserialize, Serialize};

/// The number, the mean and the spread of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Moments {
    /// The number of them.
    pub count: u64,
    /// The arithmetic mean.
    pub mean: Double,
    /// The sum of the squared differences from the mean.
    squares: Double,
}

impl Default for Moments {
    fn default() -> Self {
        Self::of(0, 0.0, 0.0)
    }
}

impl Moments {
    /// The moments of `count` numbers with this mean and this standard deviation of the population.
    pub fn of(count: u64, mean: f64, deviation: f64) -> Self {
        Self { count, mean: Double::new(mean), squares: Double::new(deviation * deviation * count as f64) }
    }

    /// The standard deviation of the population.
    pub fn deviation(&self) -> f64 {
        (self.squares.get() / self.count.max(1) as f64).sqrt()
    }

    /// Adds the moments of other numbers, as Chan, Golub and LeVeque join them (Updating formulae and a pairwise
    /// algorithm for computing sample variances, 1979).
    pub fn join(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (own, also) = (self.count as f64, other.count as f64);
        let apart = other.mean.get() - self.mean.get();
        let part = also / (own + also);
        self.mean = Double::new(self.mean.get() + apart * part);
        self.squares = Double::new(self.squares.get() + other.squares.get() + apart * apart * own * part);
        self.count = self.count.saturating_add(other.count);
    }
}
