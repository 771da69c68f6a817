//! Message queues of ranks: merged, and as text and JSON

mod merged_queues;
pub(super) mod message_queues;
