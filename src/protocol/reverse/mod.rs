//! Reverse connections: a batch job writes a request file, a front end answers with a response file.
//!
//! ```text
//! HOST-PID-RANDOM.request.json    written by tvconnect, touched every few seconds for as long as it waits
//! HOST-PID-RANDOM.response.json   written by the one front end that answers first, deleted by tvconnect
//! ```
//!
//! [`ConnectRequest`] and [`ConnectResponse`] parse and print the files; [`ConnectDirectory`] checks who may read and
//! write them; [`Pulse`] tells whether the writer of a request is alive.

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
