//! The views: their contents, and the rows that keys act on.

pub(crate) mod across;
pub(crate) mod array;
pub(crate) mod breakpoints;
pub(crate) mod code;
pub(crate) mod code_rows;
pub mod code_state;
mod list_rows;
pub(crate) mod machine;
pub(crate) mod memory;
pub mod memory_state;
pub(crate) mod merged;
pub(crate) mod messages;
pub(crate) mod output;
pub mod ranks;
mod reference;
pub(crate) mod signals;
pub(crate) mod source;
pub(crate) mod stack;
pub(crate) mod stack_rows;
pub(crate) mod threads;
pub(crate) mod variable_row;
pub(crate) mod variables;
pub mod variables_state;
