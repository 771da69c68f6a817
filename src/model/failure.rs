//! Errors: codes and messages.

use serde::{Deserialize, Serialize};

/// The code of an error (wire, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorCode(pub u32);

/// Defines the codes as constants, and the table of all codes.
macro_rules! error_codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $code:literal;)+) => {
        impl ErrorCode {
            $($(#[doc = $meaning])+ pub const $name: Self = Self($code);)+

            /// Every code with its meaning, in ascending order.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, concat!($($meaning),+))),+];
        }
    };
}

error_codes! {
    /// The engine cannot do this.
    NOT_IMPLEMENTED = 1;
    /// The message could not be read.
    BAD_MESSAGE = 3;
    /// Anything else that went wrong in the debugger.
    DEBUGGER = 4;
    /// No engine.
    NO_BACK_END = 5;
    /// Nothing has been started.
    NOT_STARTED = 8;
    /// A session is there already.
    ALREADY_STARTED = 9;
    /// No code for the line.
    NO_LINE = 10;
    /// No such function.
    NO_FUNCTION = 11;
    /// No such source file.
    NO_SOURCE = 12;
    /// No such breakpoint.
    NO_BREAKPOINT = 13;
    /// No such symbol.
    NO_SYMBOL = 14;
    /// Memory that is not there.
    MEMORY = 15;
    /// Needs a stopped rank.
    RUNNING = 18;
    /// Needs a live rank.
    NOT_RUN = 19;
    /// No stack.
    NO_STACK = 24;
    /// No such file.
    NO_FILE = 26;
    /// No debug information.
    NO_DEBUG_SYMBOLS = 27;
    /// Not an executable.
    NOT_EXECUTABLE = 32;
    /// A set that is empty or malformed.
    BAD_SET = 36;
    /// No such type.
    UNKNOWN_TYPE = 38;
    /// No such variable.
    UNKNOWN_VARIABLE = 39;
    /// No such thread.
    NO_THREAD = 40;
    /// The rank has stopped in a function that the expression called.
    STOPPED_IN_CALL = 41;
}

/// The reason an operation failed on some ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Failure {
    /// The code, for programs.
    pub code: ErrorCode,
    /// The message for people: what failed, where, what to do.
    pub message: String,
    /// Position of the error in the expression or location, in characters from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
}

impl Failure {
    /// A failure without a position.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), position: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_means_one_thing() {
        assert!(ErrorCode::ALL.windows(2).all(|pair| pair[0].0 < pair[1].0), "{:?}", ErrorCode::ALL);
        assert!(ErrorCode::ALL.iter().all(|(_, meaning)| meaning.trim().ends_with('.')));
        assert!(ErrorCode::ALL.contains(&(ErrorCode::NO_THREAD, " No such thread.")));
    }
}
