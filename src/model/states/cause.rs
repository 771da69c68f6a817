//! The cause of a fatal signal or of a reported error, as the state of the program shows it.

use crate::SourcePlace;
use serde::{Deserialize, Serialize};

/// The kind of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CauseKind {
    /// A failed assertion of the C library.
    Assert,
    /// The C library ended the program: a damaged heap or stack, an overflown buffer.
    Abort,
    /// An exception that nobody caught.
    Exception,
    /// The MPI library ends the job, because the program asked for it or used it in a wrong way.
    MpiAbort,
    /// Fortran's run-time library ends the program.
    Fortran,
    /// A sanitizer has found a fault.
    Sanitizer,
    /// A stack without room for another frame.
    StackOverflow,
    /// An access to an address near 0.
    NullPointer,
    /// An access to any other address without memory, or that the memory does not allow.
    WildPointer,
    /// An access through a pointer to memory that was freed, or through one that was read there.
    FreedPointer,
    /// No room in memory, or in the file system of mapped memory.
    OutOfMemory,
    /// Arithmetic without a result.
    Fpe,
    /// An exception of a GPU, in the words of cuda-gdb.
    CudaException,
}

impl CauseKind {
    /// The word for it in batch output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Assert => "assert",
            Self::Abort => "abort",
            Self::Exception => "exception",
            Self::MpiAbort => "mpi_abort",
            Self::Fortran => "fortran",
            Self::Sanitizer => "sanitizer",
            Self::StackOverflow => "stack_overflow",
            Self::NullPointer => "null_pointer",
            Self::WildPointer => "wild_pointer",
            Self::FreedPointer => "freed_pointer",
            Self::OutOfMemory => "out_of_memory",
            Self::Fpe => "fpe",
            Self::CudaException => "cuda_exception",
        }
    }
}

/// The cause of a fatal signal or of a reported error. Equal on ranks that failed alike: the text has no addresses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cause {
    /// The kind of the cause.
    pub kind: CauseKind,
    /// For an assertion its condition, otherwise words for the user. Text of the program, not made safe for a terminal.
    pub text: String,
    /// The place in the source that the program named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePlace>,
}
