//! From keys to actions: chords and their spelling, sequences, the page of all keys.

mod chord;
mod keymap;
mod page;

pub use chord::{Chord, ChordError};
pub use keymap::{KeyMap, Lookup};
pub use page::{keys, keys_page};
