//! The text wire: frames, the base dialect, rankscope's own messages, authenticated links.

mod ahead;
mod arguments;
pub mod base;
mod connection;
mod doorstep;
mod error;
mod exhausted;
mod extension;
mod hello;
mod host_name;
mod link;
mod message;
pub mod own_file;
mod packet;
mod port_range;
mod process_identity;
mod reach;
mod refusals;
pub mod reverse;
mod secure;
mod send_queue;
mod session_directory;
mod session_directory_error;
mod session_key;
mod session_life;
mod session_removal;
mod urgency;
mod vigilance;

pub use ahead::{Ahead, Next};
pub use arguments::Arguments;
pub use connection::{Answers, Connection, GreetError, Receiver, SendError, Sender};
pub use doorstep::{Doorstep, Pass, Visit, expect_role};
pub use error::ProtocolError;
pub use exhausted::{exhausted, ran_out};
pub use extension::{Direction, EXTENSIONS, Extension, FIRST_EXTENSION, HIGHEST_EXTENSION, Message, Refusal};
pub use hello::{Hello, HelloError, Role, WIRE_VERSION};
pub use host_name::{NoHost, host_word};
pub use link::{Arrival, LinkError, Listener, dial_tcp, dial_unix};
pub use message::{
    AttachTarget, JobRank, LaunchPlan, Reply, Request, ServerIndex, SessionCommand, SessionEvent, TreeDown, TreeUp,
    WaitPolicy, output_weight,
};
pub use packet::{LARGEST_PACKET, MOST_ARGUMENTS, Packet, PacketCodec};
pub use port_range::{PortRange, PortRangeError, listen_everywhere};
pub use process_identity::ProcessIdentity;
pub use reach::{is_loopback, own_addresses, reachable};
pub use secure::HandshakeError;
pub use session_directory::{SessionDirectory, SessionInfo, lay_key, read_key};
pub use session_directory_error::DirectoryError;
pub use session_key::SessionKey;
pub use session_life::SessionLife;
pub use urgency::Urgency;
