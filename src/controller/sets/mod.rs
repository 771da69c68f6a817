//! The language of process sets: `0-3,7`, `all - stopped`, `in(kernel) & host(node*)`, `{x > 3}`.

mod parse;
mod resolve;
mod threads;

pub use parse::{SetSyntaxError, parse_prefix, parse_scope, parse_set};
pub use resolve::{ConditionResults, SetError, conditions, needed_stacks, resolve};
pub use threads::{ThreadChoice, ThreadGroup, scope_of};

use model::{LocationSpec, ProcessSet};
use std::fmt;

/// A set as the user wrote it: its members depend on the present state of the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetExpr {
    /// `all`
    All,
    /// `none`
    None,
    /// `.`
    Focus,
    /// `0-3,7,0-62:2`; never empty.
    Ranks(ProcessSet),
    /// A named set.
    Group(String),
    /// `stopped`
    Stopped,
    /// `running`
    Running,
    /// `exited`: ended by itself or by a signal.
    Exited,
    /// `lost`
    Lost,
    /// `held`
    Held,
    /// `at(ring.c:12)`: in any frame.
    At(LocationSpec),
    /// `in(kernel)`: in any frame.
    In(String),
    /// `top(kernel)`: in the innermost frame.
    Top(String),
    /// `host(node*)`
    Host(String),
    /// `state(killed)`
    State(String),
    /// `{x > 3}`: asked of the stopped ranks.
    Condition(String),
    /// `!a`
    Not(Box<SetExpr>),
    /// `a & b`
    And(Box<SetExpr>, Box<SetExpr>),
    /// `a | b`
    Or(Box<SetExpr>, Box<SetExpr>),
    /// `a - b`
    Minus(Box<SetExpr>, Box<SetExpr>),
}

/// A set, and the threads of each rank when some are named: `0-3.2`, `0-3.{2,5}`, `0-3.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The ranks that it names.
    pub set: SetExpr,
    /// `None`: the thread that stopped.
    pub threads: Option<ThreadChoice>,
}

/// Words that cannot name a group.
pub const PREDICATES: [&str; 12] =
    ["all", "none", "stopped", "running", "exited", "lost", "held", "at", "in", "top", "host", "state"];

impl SetExpr {
    /// True if it names lost ranks explicitly: then their loss is known to the user.
    pub fn names_lost(&self) -> bool {
        match self {
            Self::Lost => true,
            Self::State(word) => word == "lost",
            Self::And(a, b) | Self::Or(a, b) => a.names_lost() || b.names_lost(),
            Self::Minus(a, _) => a.names_lost(),
            _ => false,
        }
    }

    /// True if the expression or a part of it satisfies `is`.
    pub fn mentions(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        let inside = match self {
            Self::Not(inner) => inner.mentions(is),
            Self::And(a, b) | Self::Or(a, b) | Self::Minus(a, b) => a.mentions(is) || b.mentions(is),
            _ => false,
        };
        inside || is(self)
    }

    /// True if its members depend on the state of the ranks, or on the focus.
    pub fn changes(&self) -> bool {
        self.mentions(&|part| {
            matches!(
                part,
                Self::Focus
                    | Self::Stopped
                    | Self::Running
                    | Self::Exited
                    | Self::Lost
                    | Self::Held
                    | Self::At(_)
                    | Self::In(_)
                    | Self::Top(_)
                    | Self::State(_)
                    | Self::Condition(_)
            )
        })
    }

    /// Returns the precedence: an operand with a lower one is printed in parentheses.
    fn binding(&self) -> u8 {
        match self {
            Self::Or(..) | Self::Minus(..) => 0,
            Self::And(..) => 1,
            Self::Not(_) => 2,
            _ => 3,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, needed: u8) -> fmt::Result {
        if self.binding() < needed {
            return write!(f, "({self})");
        }
        match self {
            Self::All => f.write_str("all"),
            Self::None => f.write_str("none"),
            Self::Focus => f.write_str("."),
            Self::Ranks(ranks) => write!(f, "{ranks}"),
            Self::Group(name) => f.write_str(name),
            Self::Stopped => f.write_str("stopped"),
            Self::Running => f.write_str("running"),
            Self::Exited => f.write_str("exited"),
            Self::Lost => f.write_str("lost"),
            Self::Held => f.write_str("held"),
            Self::At(location) => write!(f, "at({location})"),
            Self::In(function) => write!(f, "in({function})"),
            Self::Top(function) => write!(f, "top({function})"),
            Self::Host(pattern) => write!(f, "host({pattern})"),
            Self::State(name) => write!(f, "state({name})"),
            Self::Condition(expression) => write!(f, "{{{expression}}}"),
            Self::Not(inner) => {
                f.write_str("!")?;
                inner.write(f, 2)
            }
            Self::And(left, right) => {
                left.write(f, 1)?;
                f.write_str(" & ")?;
                right.write(f, 2)
            }
            Self::Or(left, right) => {
                left.write(f, 0)?;
                f.write_str(" | ")?;
                right.write(f, 1)
            }
            Self::Minus(left, right) => {
                left.write(f, 0)?;
                f.write_str(" - ")?;
                right.write(f, 1)
            }
        }
    }
}

impl fmt::Display for SetExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.threads {
            None => write!(f, "{}", self.set),
            Some(threads) => {
                self.set.write(f, 3)?;
                write!(f, ".{threads}")
            }
        }
    }
}
