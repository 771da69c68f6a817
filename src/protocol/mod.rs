//! The text wire: frames, the base dialect, rankscope's own messages, authenticated links.

mod message;

pub use message::{
    JobRank, LaunchPlan, Reply, Request, ServerIndex, SessionCommand, SessionEvent, TreeDown, TreeUp, WaitPolicy,
};
