//! A thread that has stopped for a fatal signal, as every engine of real processes can show it.

use debuginfo::{ReadMemory, Registers};
use model::{Frame, VirtualAddress};
use std::path::PathBuf;

/// A thread that has stopped for a fatal signal. Looking at it neither runs nor changes the program.
pub(crate) trait FailedThread {
    /// The memory of its process, without the debugger's traps.
    fn memory(&self) -> &dyn ReadMemory;

    /// The registers of its innermost frame.
    fn registers(&self) -> Registers;

    /// Returns its innermost frames, at most this number of them.
    fn frames(&self, most: u32) -> Vec<Frame>;

    /// False if the line being executed is known to be of another function than the innermost frame, in whose names it
    /// must not be read: optimizing compilers leave out frames.
    fn executes_own_line(&self) -> bool;

    /// Returns the address above the return address of its innermost function that has one.
    fn frame_address(&self) -> Option<u64>;

    /// Evaluates an expression in its innermost frame to the value of a pointer or an integer, or the address of an
    /// array. An expression that has to call a function has no value.
    fn value(&self, expression: &str) -> Option<u64>;

    /// Returns the address of a symbol of the program or of a library whose file name begins with one of these words.
    fn symbol(&self, libraries: &[&str], name: &str) -> Option<VirtualAddress>;

    /// Returns the name of the function that begins at an address.
    fn function_at(&self, address: VirtualAddress) -> Option<String>;

    /// Returns the path at which a source file is now.
    fn source_path(&self, file: &str) -> PathBuf;
}
