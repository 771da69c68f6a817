//! The client for Python.

/// A module without dependencies, which `rankscope python` prints.
pub const CLIENT: &str = include_str!("rankscope.py");
