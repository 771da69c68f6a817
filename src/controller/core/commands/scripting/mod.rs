//! Scripts: blocks of lines, commands that the user defines, and commands that run by themselves.

pub(in crate::core) mod blocks;
pub(in crate::core) mod command_files;
pub(in crate::core) mod deciding;
pub(in crate::core) mod definitions;
pub(in crate::core) mod diverging;
pub(in crate::core) mod hooks;
pub(in crate::core) mod ignoring;
pub(in crate::core) mod occasions;
pub(in crate::core) mod printing;
pub(in crate::core) mod shell;
