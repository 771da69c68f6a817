//! Tasks that read links and accept new ones; what they read goes to the one owner of the state.

use super::node::LinkId;
use protocol::{Ahead, Message, Next, PendingConnections, Receiver, Sender, Visit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;

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

/// Bytes of answers that may wait for who asks; while there are more, no more questions are taken up.
pub const MOST_UNREAD: usize = 4 << 20;
/// Questions that have been read and not been taken up.
const UNDER_WAY: usize = 4;

/// What keeps those who ask from asking more than is answered and read. Whoever owns the state says what it has taken up.
#[derive(Clone, Debug)]
pub struct Pace(Arc<Semaphore>);

impl Default for Pace {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNDER_WAY)))
    }
}

impl Pace {
    /// A question was taken up.
    pub fn taken(&self) {
        self.0.add_permits(1);
    }
}

/// Lets in whoever has proved itself, for as long as the task lives; each link is numbered, read, and reported by `tell`,
/// which says whether anybody still listens. `numbers` is that of the last link; doors to one room share it.
pub async fn accept_all<Out, In, Tell>(door: PendingConnections, numbers: Arc<AtomicU64>, tell: Tell)
where
    Out: Message + Send + 'static,
    In: Message + Send + 'static,
    Tell: Fn(LinkNews<Out, In>) -> bool + Clone + Send + 'static,
{
    accept_at(door, numbers, None, tell).await;
}

/// The same for those who ask, at this pace; what `is_last` knows as the end of everything does not wait.
pub async fn accept_askers<Out, In, Tell>(
    door: PendingConnections,
    numbers: Arc<AtomicU64>,
    pace: Pace,
    is_last: fn(&In) -> bool,
    tell: Tell,
) where
    Out: Message + Send + 'static,
    In: Message + Send + 'static,
    Tell: Fn(LinkNews<Out, In>) -> bool + Clone + Send + 'static,
{
    accept_at(door, numbers, Some((pace, is_last)), tell).await;
}

async fn accept_at<Out, In, Tell>(
    mut door: PendingConnections,
    numbers: Arc<AtomicU64>,
    asking: Option<(Pace, fn(&In) -> bool)>,
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
                match asking.clone() {
                    Some((pace, is_last)) => drop(tokio::spawn(read_asker(id, receiver, pace, is_last, tell.clone()))),
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

/// Reads the link of one who asks to its end. Its questions are passed on no faster than they are taken up and their answers
/// read; what ends everything goes before all that waits.
pub async fn read_asker<Out, In: Message>(
    id: LinkId,
    receiver: Receiver<In>,
    pace: Pace,
    is_last: fn(&In) -> bool,
    tell: impl Fn(LinkNews<Out, In>) -> bool,
) {
    let answers = receiver.answers();
    let mut ahead = Ahead::new(receiver, is_last);
    let why = loop {
        let room = async { if answers.read_to(MOST_UNREAD).await { Some(pace.0.acquire().await) } else { None } };
        let (message, place) = match ahead.next(room).await {
            Next::Ask(message, Some(place)) => (message, place),
            Next::Last(message) => (message, pace.0.acquire().await),
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
