//! Key bindings: chords, sequences, the key map, and `docs/KEYS.md`.

mod chord;
mod keymap;
mod page;

pub use chord::{Chord, ChordError};
pub use keymap::{KeyMap, Lookup};
pub use page::{keys, keys_page};
