//! The text wire: frames, the base dialect, rankscope's own messages, authenticated links.

mod arguments;
mod error;
mod extension;
mod message;
mod packet;

pub use arguments::Arguments;
pub use error::ProtocolError;
pub use extension::{Direction, EXTENSIONS, Extension, FIRST_EXTENSION, HIGHEST_EXTENSION, Message, Refusal, Urgency};
pub use message::{
    JobRank, LaunchPlan, Reply, Request, ServerIndex, SessionCommand, SessionEvent, TreeDown, TreeUp, WaitPolicy,
};
pub use packet::{LARGEST_PACKET, MOST_ARGUMENTS, Packet, PacketCodec};
