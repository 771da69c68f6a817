//! Tiles: equal parts of an array. Results do not depend on the blocks in which the array was read.

/// The number of elements of a tile.
pub(super) const TILE: usize = 1024;

/// Uses the elements of an array.
pub(super) trait TileUser: Send {
    /// Takes the bytes of a tile: [`TILE`] elements without gaps, fewer at the end. `first` is the number of the first
    /// element.
    fn take(&mut self, first: u64, raw: &[u8]);
}

/// Divides elements into tiles.
pub(super) struct Tiles<'a> {
    /// The size of an element.
    size: usize,
    /// The number of the first element that is not in a full tile yet.
    first: u64,
    pending: Vec<u8>,
    user: &'a mut dyn TileUser,
}

impl<'a> Tiles<'a> {
    pub(super) fn new(size: usize, user: &'a mut dyn TileUser) -> Self {
        Self { size, first: 0, pending: Vec::with_capacity(TILE * size), user }
    }

    fn give(&mut self, raw: &[u8]) {
        self.user.take(self.first, raw);
        self.first += (raw.len() / self.size) as u64;
    }

    /// Adds elements that follow each other without gaps.
    pub(super) fn add(&mut self, mut raw: &[u8]) {
        let whole = TILE * self.size;
        if !self.pending.is_empty() {
            let (head, rest) = raw.split_at(raw.len().min(whole - self.pending.len()));
            self.pending.extend_from_slice(head);
            raw = rest;
            if self.pending.len() < whole {
                return;
            }
            let mut full = std::mem::take(&mut self.pending);
            self.give(&full);
            full.clear();
            self.pending = full;
        }
        let tiles = raw.chunks_exact(whole);
        self.pending.extend_from_slice(tiles.remainder());
        tiles.for_each(|tile| self.give(tile));
    }

    /// Gives the rest, which is not a whole tile.
    pub(super) fn end(mut self) {
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            self.give(&rest);
        }
    }
}
