//! The controller's way to the master, as its owner sees it: two queues. What fills and empties them (a connection, or
//! a simulated session) is somebody else's task, so that the owner never waits for a socket.

use protocol::{Receiver, Reply, Request, Sender, SessionEvent};
use std::pin::pin;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What a link brings: a reply, or why there will be no more.
pub type Arrival = Result<Reply, String>;

/// The owner's end.
#[derive(Debug)]
pub struct SessionLink {
    requests: UnboundedSender<Request>,
    replies: UnboundedReceiver<Arrival>,
}

/// The end of who carries requests and replies.
#[derive(Debug)]
pub struct LinkCarrier {
    /// What is to be sent; closed when the owner is gone.
    pub requests: UnboundedReceiver<Request>,
    /// What came; an error is the last word: why the link is gone.
    pub replies: UnboundedSender<Arrival>,
}

impl SessionLink {
    /// Both ends.
    pub fn pair() -> (Self, LinkCarrier) {
        let (requests, to_carry) = unbounded_channel();
        let (arrived, replies) = unbounded_channel();
        (Self { requests, replies }, LinkCarrier { requests: to_carry, replies: arrived })
    }

    /// Queues a request. One that cannot be sent any more is dropped: the end of the link is told by [`Self::next`].
    pub fn send(&self, request: Request) {
        let _ = self.requests.send(request);
    }

    /// The next reply, or why there will be none; `None` after that. Can be given up on at any time.
    pub async fn next(&mut self) -> Option<Arrival> {
        self.replies.recv().await
    }

    /// A reply that is there already.
    pub fn ready(&mut self) -> Option<Arrival> {
        self.replies.try_recv().ok()
    }
}

/// How a link came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkEnd {
    /// The session is over, or its master is gone.
    Session,
    /// The owner has left a session that goes on.
    Owner,
}

const CLOSED: &str = "lost the session: its master closed the link";

/// Carries requests and replies until the owner has left or the link is gone, which is told with what `fate` knows of the
/// master.
pub(crate) async fn pump(
    sender: &Sender<Request>,
    receiver: &mut Receiver<Reply>,
    carrier: &mut LinkCarrier,
    fate: impl Future<Output = Option<String>>,
) -> LinkEnd {
    let mut end = LinkEnd::Owner;
    let mut fate = pin!(fate);
    let mut is_explained = false;
    loop {
        tokio::select! {
            request = carrier.requests.recv() => {
                let Some(request) = request else { return end };
                if let Err(error) = sender.send(&request) {
                    let _ = carrier.replies.send(Err(format!("lost the session: {error}")));
                    return LinkEnd::Session;
                }
            }
            reply = receiver.receive() => {
                if matches!(reply, Ok(Some(Reply::Session { event: SessionEvent::Ended, .. }))) {
                    end = LinkEnd::Session;
                }
                let last = !matches!(reply, Ok(Some(_)));
                if let Ok(Some(reply)) = &reply {
                    is_explained = matches!(
                        reply,
                        Reply::Session { event: SessionEvent::Failed(_) | SessionEvent::Taken, .. }
                    );
                }
                let reply = match reply {
                    Ok(Some(reply)) => Ok(reply),
                    // A master that has said why it closes the link has not ended.
                    Ok(None) if is_explained => Err(CLOSED.to_owned()),
                    Ok(None) => Err(match fate.as_mut().await {
                        Some(fate) => format!("lost the session: its master {fate}"),
                        None => CLOSED.to_owned(),
                    }),
                    Err(error) => Err(format!("lost the session: {error}")),
                };
                // An owner that has left closes the requests, too.
                let _ = carrier.replies.send(reply);
                if last {
                    return LinkEnd::Session;
                }
            }
        }
    }
}
