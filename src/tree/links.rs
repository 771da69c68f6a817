//! Tasks that read links and accept new ones; what they read goes to the one owner of the state.

use super::node::LinkId;
use crate::protocol::{Doorstep, Message, Receiver, Sender, Visit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What becomes of links.
#[derive(Debug)]
pub enum LinkNews<Out, In> {
    /// Somebody dialled and proved who it is.
    Opened(LinkId, Sender<Out>),
    /// It says something.
    Said(LinkId, In),
    /// It is gone, with the reason in words.
    Closed(LinkId, String),
    /// Somebody was not let in, with the reason in words. It is in the log.
    Refused(String),
}

/// Lets in whoever has proved itself, for as long as the task lives; each link is numbered, read, and reported by `tell`,
/// which says whether anybody still listens. `numbers` is that of the last link; doors to one room share it.
pub async fn accept_all<Out, In, Tell>(mut door: Doorstep, numbers: Arc<AtomicU64>, tell: Tell)
where
    Out: Message + Send + 'static,
    In: Message + Send + 'static,
    Tell: Fn(LinkNews<Out, In>) -> bool + Clone + Send + 'static,
{
    loop {
        match door.next().await {
            Visit::Welcome(connection) => {
                let id = LinkId(numbers.fetch_add(1, Ordering::Relaxed) + 1);
                let (sender, receiver) = connection.split();
                if !tell(LinkNews::Opened(id, sender)) {
                    return;
                }
                tokio::spawn(read_all(id, receiver, tell.clone()));
            }
            Visit::Left(why) => tracing::info!("left before it was let in: {why}"),
            Visit::Refused(why) => {
                tracing::warn!("not let in: {why}");
                if !tell(LinkNews::Refused(why)) {
                    return;
                }
            }
        }
    }
}

/// Reads a link to its end.
pub async fn read_all<Out, In: Message>(
    id: LinkId,
    mut receiver: Receiver<In>,
    tell: impl Fn(LinkNews<Out, In>) -> bool,
) {
    let why = loop {
        match receiver.receive().await {
            Ok(Some(message)) => {
                if !tell(LinkNews::Said(id, message)) {
                    return;
                }
            }
            Ok(None) => break format!("{} closed the link", receiver.peer()),
            Err(fault) => break format!("the link to {} broke: {fault}", receiver.peer()),
        }
    };
    tell(LinkNews::Closed(id, why));
}
