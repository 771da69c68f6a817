//! Expressions and values on a table instead of a process. The expectations are gdb 13's, on a C program with these
//! variables.

mod arrays;
mod each_element;
mod expressions;
mod function_names;
mod large_maps;
mod limits;
mod names;
mod printers;
mod program;
pub(crate) mod table;
mod values;
