//! Tasks that read links and accept new ones; what they read goes to the single owner of the state.

use super::node::LinkId;
use protocol::{Ahead, Message, Next, PendingConnections, Receiver, Sender, Visit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;

/// An event on a link, or at a listener.
#[derive(Debug)]
pub enum LinkNews<Out, In> {
    /// A peer dialled and authenticated itself.
    Opened(LinkId, Sender<Out>),
    /// The peer sent a message.
    Said(LinkId, In),
    /// The link ended; holds the reason.
    Closed(LinkId, String),
    /// A connection was refused; holds the reason, which is also in the log.
    Refused(String),
}

/// Bytes of answers that may wait for a peer to read them; above this, none of its requests are taken up.
pub const MOST_UNREAD: usize = 4 << 20;
/// Requests that are read ahead of those taken up.
const UNDER_WAY: usize = 4;

/// Limits the requests of peers to those answered and read. The owner of the state reports each one it takes up.
#[derive(Clone, Debug)]
pub struct Pace(Arc<Semaphore>);

impl Default for Pace {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNDER_WAY)))
    }
}

impl Pace {
    /// Makes room for another request: one was taken up.
    pub fn taken(&self) {
        self.0.add_permits(1);
    }
}

/// Accepts every peer that authenticates itself, for as long as the task lives; numbers and reads each link, and
/// reports through `tell`, which returns false if nobody listens any more. `numbers` holds the number of the last link;
/// listeners of one node share it.
pub async fn accept_all<Out, In, Tell>(door: PendingConnections, numbers: Arc<AtomicU64>, tell: Tell)
where
    Out: Message + Send + 'static,
    In: Message + Send + 'static,
    Tell: Fn(LinkNews<Out, In>) -> bool + Clone + Send + 'static,
{
    accept_at(door, numbers, None, tell).await;
}

/// Like [`accept_all`] for peers that send requests, at this pace; a message for which `is_urgent` is true
/// kills ranks or ends everything and does not wait.
pub async fn accept_askers<Out, In, Tell>(
    door: PendingConnections,
    numbers: Arc<AtomicU64>,
    pace: Pace,
    is_urgent: fn(&In) -> bool,
    tell: Tell,
) where
    Out: Message + Send + 'static,
    In: Message + Send + 'static,
    Tell: Fn(LinkNews<Out, In>) -> bool + Clone + Send + 'static,
{
    accept_at(door, numbers, Some(Asking { pace, is_urgent }), tell).await;
}

/// Limits peers that send requests.
struct Asking<In> {
    pace: Pace,
    is_urgent: fn(&In) -> bool,
}

async fn accept_at<Out, In, Tell>(
    mut door: PendingConnections,
    numbers: Arc<AtomicU64>,
    asking: Option<Asking<In>>,
    tell: Tell,
) where
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
                match &asking {
                    Some(Asking { pace, is_urgent }) => {
                        drop(tokio::spawn(read_asker(id, receiver, pace.clone(), *is_urgent, tell.clone())));
                    }
                    None => drop(tokio::spawn(read_all(id, receiver, tell.clone()))),
                }
            }
            Visit::Left(why) => tracing::info!("peer closed the link before the handshake ended: {why}"),
            Visit::Refused(why) => {
                tracing::warn!("connection refused: {why}");
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

/// Reads the link of a peer that sends requests to its end. Requests are passed on no faster than they are taken up and
/// their answers read; messages that kill ranks or end everything overtake those that wait.
pub async fn read_asker<Out, In: Message>(
    id: LinkId,
    receiver: Receiver<In>,
    pace: Pace,
    is_urgent: fn(&In) -> bool,
    tell: impl Fn(LinkNews<Out, In>) -> bool,
) {
    let answers = receiver.answers();
    let mut ahead = Ahead::new(receiver, is_urgent);
    let why = loop {
        let room = async { if answers.read_to(MOST_UNREAD).await { Some(pace.0.acquire().await) } else { None } };
        let (message, place) = match ahead.next(room).await {
            Next::Ask(message, Some(place)) => (message, place),
            Next::Urgent(message) => (message, pace.0.acquire().await),
            Next::Ask(_, None) => break format!("{} stopped reading", ahead.receiver().peer()),
            Next::End(None) => break format!("{} closed the link", ahead.receiver().peer()),
            Next::End(Some(fault)) => break format!("the link to {} broke: {fault}", ahead.receiver().peer()),
        };
        let Ok(place) = place else { return };
        place.forget();
        if !tell(LinkNews::Said(id, message)) {
            return;
        }
    };
    tell(LinkNews::Closed(id, why));
}
