//! Reports as lines to be read aloud, for screen readers (`--plain`): no columns, no signs before lines, and every line
//! says what it is about.

mod lines;
mod sets;

pub use lines::spoken_lines;
