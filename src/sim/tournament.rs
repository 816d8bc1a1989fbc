//! The least of many numbers, any of which may change.

/// A winner tree: the least key and its place at once, a changed key in log₂ n steps.
#[derive(Debug, Clone)]
pub(crate) struct Tournament {
    /// places of a power of two
    width: usize,
    keys: Vec<f64>,
    /// winner of each match; the root is at 1, the players at `width`..
    winners: Vec<u32>,
}

impl Tournament {
    /// So many places, all with the same key.
    pub(crate) fn new(places: usize, key: f64) -> Self {
        let width = places.next_power_of_two();
        let mut keys = vec![f64::INFINITY; width];
        keys[..places].fill(key);
        let mut winners = vec![0; 2 * width];
        for (place, winner) in winners[width..].iter_mut().enumerate() {
            *winner = place as u32;
        }
        for node in (1..width).rev() {
            winners[node] = winners[2 * node];
        }
        Self { width, keys, winners }
    }

    /// The least key.
    #[inline]
    pub(crate) fn least(&self) -> (usize, f64) {
        let place = self.winners[1] as usize;
        (place, self.keys[place])
    }

    #[inline]
    pub(crate) fn key(&self, place: usize) -> f64 {
        self.keys[place]
    }

    /// Changes a key.
    #[inline]
    pub(crate) fn set(&mut self, place: usize, key: f64) {
        self.keys[place] = key;
        let (mut winner, mut best) = (place as u32, key);
        let mut node = self.width + place;
        while node > 1 {
            let rival = self.winners[node ^ 1];
            let other = self.keys[rival as usize];
            // Of equals the left one wins, whichever of them changed.
            let beaten = other < best || (other == best && rival < winner);
            winner = if beaten { rival } else { winner };
            best = if beaten { other } else { best };
            node >>= 1;
            self.winners[node] = winner;
        }
    }

    /// Moves the origin of all keys.
    pub(crate) fn shift(&mut self, by: f64) {
        self.keys.iter_mut().for_each(|key| *key -= by);
    }
}
