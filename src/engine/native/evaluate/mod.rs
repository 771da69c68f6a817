//! Expressions of the language, evaluated on a stopped thread, and values made into AIF.
