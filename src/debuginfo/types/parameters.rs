//! Parameters of functions in languages that pass the addresses of their arguments.

use std::sync::Arc;

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As the debug information has it.
    pub name: Option<Arc<str>>,
    /// True if the compiler added it.
    pub artificial: bool,
    /// How its argument is passed.
    pub passing: Passing,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The argument itself.
    Value,
    /// The address of the argument.
    Address,
    /// The address of a descriptor of the argument, an array.
    Descriptor,
}
