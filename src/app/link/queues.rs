//! The owner's connection to the master: two queues. Another task fills and empties them (from a connection or a
//! simulated session), so that the owner never waits for a socket.

use protocol::{Receiver, Reply, Request, Sender, SessionEvent};
use std::pin::pin;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A reply from the link, or the reason why there are no more.
pub type Arrival = Result<Reply, String>;

/// The end of the controller's owner.
#[derive(Debug)]
pub struct SessionLink {
    requests: UnboundedSender<Request>,
    replies: UnboundedReceiver<Arrival>,
}

/// The end of the task that carries requests and replies.
#[derive(Debug)]
pub struct LinkCarrier {
    /// Requests to send; closed when the owner is gone.
    pub requests: UnboundedReceiver<Request>,
    /// Replies received; an error is the last item and says why the link is gone.
    pub replies: UnboundedSender<Arrival>,
}

impl SessionLink {
    /// Creates both ends.
    pub fn pair() -> (Self, LinkCarrier) {
        let (requests, to_carry) = unbounded_channel();
        let (arrived, replies) = unbounded_channel();
        (Self { requests, replies }, LinkCarrier { requests: to_carry, replies: arrived })
    }

    /// Queues a request. If the link is gone it is dropped: [`Self::next`] reports that.
    pub fn send(&self, request: Request) {
        let _ = self.requests.send(request);
    }

    /// Waits for the next reply, or the reason why there are no more; `None` after that. Cancel safe.
    pub async fn next(&mut self) -> Option<Arrival> {
        self.replies.recv().await
    }

    /// Returns a reply if one has arrived.
    pub fn ready(&mut self) -> Option<Arrival> {
        self.replies.try_recv().ok()
    }
}

/// How a link ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkEnd {
    /// The session has ended, or its master is gone.
    Session,
    /// The owner has left a session that continues.
    Owner,
}

const CLOSED: &str = "lost the session: its master closed the link";

/// Carries requests and replies until the owner leaves or the link is gone; the error then includes what `fate` knows
/// about the master.
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
                    // A master that has explained why it closes the link has not ended.
                    Ok(None) if is_explained => Err(CLOSED.to_owned()),
                    Ok(None) => Err(match fate.as_mut().await {
                        Some(fate) => format!("lost the session: its master {fate}"),
                        None => CLOSED.to_owned(),
                    }),
                    Err(error) => Err(format!("lost the session: {error}")),
                };
                // If the owner has left, the requests are closed as well.
                let _ = carrier.replies.send(reply);
                if last {
                    return LinkEnd::Session;
                }
            }
        }
    }
}
