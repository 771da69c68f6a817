//! Regular expressions as gdb has them: POSIX basic ones with GNU's additions, found anywhere in a text.

mod classes;
mod extended;
mod fault;
mod matching;
mod parser;
#[cfg(test)]
mod tests;

pub use fault::RegularExpressionError;
pub use matching::RegularExpression;
