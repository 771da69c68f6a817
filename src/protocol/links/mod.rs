//! Links: connecting, authenticating, and sending messages.

pub(super) mod connection;
pub(super) mod endpoints;
pub(super) mod hello;
pub(super) mod host_name;
pub(super) mod keepalive;
pub(super) mod log_rate_limit;
pub(super) mod own_addresses;
pub(super) mod pending_connections;
pub(super) mod port_range;
pub(super) mod priority;
pub(super) mod read_ahead;
pub(super) mod secure;
pub(super) mod send_queue;
