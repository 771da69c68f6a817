//! The descriptor string: read and written side by side.

mod reader;
mod writer;
