//! Reverse connections: a batch job writes a request file, a front end answers with a response file.
//!
//! ```text
//! HOST-PID-RANDOM.request.json    written by tvconnect, touched every few seconds for as long as it waits
//! HOST-PID-RANDOM.response.json   written by the one front end that answers first, deleted by tvconnect
//! ```
//!
//! What stands in the files is parsed and printed in [`ConnectRequest`] and [`ConnectResponse`]; who may read and write
//! them is [`ConnectDirectory`]'s business; whether the writer of a request still lives is told by [`Pulse`].

mod answer_once;
mod directory;
mod directory_error;
mod host;
mod id;
mod pulse;
mod request;
mod response;

pub use directory::{CONNECT_VARIABLE, ConnectDirectory, Stamp, connect_path, is_temporary};
pub use directory_error::ConnectError;
pub use host::{boot_id, host_name, own_addresses, user_name};
pub use id::RequestId;
pub use pulse::{HEARTBEAT, Pulse, STALE_AFTER};
pub use request::{BatchJob, ConnectRequest, LARGEST_REQUEST, RequestFault, RequestReading};
pub use response::{ConnectResponse, LARGEST_RESPONSE, ResponseFault};
