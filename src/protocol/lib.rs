//! The wire: packets, the base dialect, rankscope's own messages, authenticated links.
#![warn(unused_crate_dependencies)]

mod arguments;
mod beside_json;
mod codec;
mod error;
mod exhausted;
mod links;
mod message;
pub mod own_file;
mod packet;
pub mod ptp;
pub mod reverse;
mod session;

pub use crate::codec::{Direction, EXTENSIONS, Extension, FIRST_EXTENSION, HIGHEST_EXTENSION, Message, Refusal};
pub use crate::links::connection::{Answers, Connection, GreetError, Receiver, SendError, Sender};
pub use crate::links::endpoints::{Arrival, DialPatience, LinkError, Listener, dial_tcp, dial_tcp_within, dial_unix};
pub use crate::links::hello::{Hello, HelloError, Role, WIRE_VERSION};
pub use crate::links::host_name::{NoHost, host_word};
pub use crate::links::own_addresses::{is_loopback, own_addresses, reachable};
pub use crate::links::pending_connections::{Pass, PendingConnections, Visit, expect_role};
pub use crate::links::port_range::{PortRange, PortRangeError, listen_everywhere};
pub use crate::links::priority::Priority;
pub use crate::links::read_ahead::{Ahead, Next};
pub use crate::links::secure::HandshakeError;
pub use crate::session::directory::{SessionDirectory, SessionInfo, lay_key, read_key};
pub use crate::session::directory_error::DirectoryError;
pub use crate::session::key::SessionKey;
pub use crate::session::liveness::SessionLife;
pub use crate::session::process_identity::ProcessIdentity;
pub use arguments::Arguments;
pub use error::ProtocolError;
pub use exhausted::{exhausted, ran_out};
pub use message::{
    AttachTarget, JobRank, LaunchPlan, Reply, Request, ServerIndex, SessionCommand, SessionEvent, TreeDown, TreeUp,
    WaitPolicy, output_weight,
};
pub use packet::{LARGEST_PACKET, MOST_ARGUMENTS, Packet, PacketCodec};
