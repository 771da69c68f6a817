//! Connects a client of the base dialect to the master, through a [`BaseSession`].

use super::command::SET;
use super::field::Field;
use super::session::{BaseSession, Outcome};
use super::{BaseCommand, BaseEvent, BaseSet, RankEvent};
use crate::{
    Ahead, Arguments, Connection, Next, Packet, ProtocolError, Receiver, Reply, Request, SendError, Sender,
    SessionCommand,
};
use model::{ErrorCode, ProcessSet, TransactionId};
use std::time::Duration;

/// Bytes queued for a client that does not read; beyond them replies wait, too.
const MOST_WAITING: usize = 4 << 20;

/// Bytes of requests queued for the master; beyond them the client's commands wait, too.
const MOST_UNASKED: usize = 1 << 20;
/// The time after which a client that reads nothing is no longer waited for at the end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The reasons why a client's connection ended with an error.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The client sent something that cannot be read.
    #[error("the base-dialect client at {peer}: {source}")]
    Client {
        /// The client's address.
        peer: String,
        /// The fault in its packet.
        source: ProtocolError,
    },
    /// The link to the master failed.
    #[error("the master: {0}")]
    Master(ProtocolError),
    /// A message could not be sent: one of the links is broken.
    #[error(transparent)]
    Send(#[from] SendError),
}

/// Serves one client until it quits, disconnects or sends something unreadable; the session ends with it, since nobody
/// else could take it over. `master` is a link on which a front end has been greeted. Called within a runtime.
pub async fn serve_base_client(client: Connection, master: Connection, size: u32) -> Result<(), BridgeError> {
    let (to_client, from_client) = client.split::<Packet, Packet>();
    let mut from_client = Ahead::new(from_client, is_quit);
    let (to_master, mut from_master) = master.split::<Request, Reply>();
    let mut session = BaseSession::new(size);
    let ended = converse(&mut session, &to_client, &mut from_client, &to_master, &mut from_master).await;
    let master_is_there = !matches!(ended, Ok(End::Master) | Err(BridgeError::Master(_)));
    if master_is_there {
        // The session ends however the conversation did. The master may know it already.
        let _ = tell(&to_master, session.command(TransactionId(0), &BaseCommand::Quit).requests);
    }
    // The client may be gone already, or no longer read.
    let _ = to_client.flushed_while_read(LAST_WORDS).await;
    drop((to_client, from_client));
    if master_is_there {
        while let Ok(Some(_)) = from_master.receive().await {}
    }
    ended.map(drop)
}

/// The side that ended the conversation.
enum End {
    Client,
    Master,
}

async fn converse(
    session: &mut BaseSession,
    to_client: &Sender<Packet>,
    from_client: &mut Ahead<Packet>,
    to_master: &Sender<Request>,
    from_master: &mut Receiver<Reply>,
) -> Result<End, BridgeError> {
    let mut taken = 0;
    loop {
        let room = async {
            to_client.room(MOST_WAITING).await?;
            to_master.room(MOST_UNASKED).await
        };
        let outcome = tokio::select! {
            next = from_client.next(room) => match heard(session, next)? {
                Ok(outcome) => outcome,
                Err(fault) => {
                    if let Some(source) = fault {
                        // The client may be gone; the fault is what matters.
                        let _ = to_client.send(&BaseEvent::malformed(&source).write(TransactionId(0)));
                        return Err(BridgeError::Client { peer: to_client.peer().to_owned(), source });
                    }
                    return Ok(End::Client);
                }
            },
            reply = async {
                to_client.room(MOST_WAITING).await?;
                from_master.receive().await.map_err(BridgeError::Master)
            } => match reply? {
                Some(reply) => {
                    taken += reply.output_weight();
                    session.reply(reply)
                }
                None => {
                    let _ = to_client.send(&BaseEvent::ProxyShutdown.write(TransactionId(0)));
                    return Ok(End::Master);
                }
            },
            room = to_client.room(MOST_WAITING), if taken > 0 => {
                room?;
                let command = SessionCommand::OutputTaken(std::mem::take(&mut taken));
                to_master.send(&Request::Session { tid: TransactionId(0), command })?;
                continue;
            }
        };
        let close = outcome.close;
        tell(to_master, outcome.requests)?;
        for (tid, event) in outcome.events {
            to_client.send(&event.write(tid))?;
        }
        if close {
            return Ok(End::Client);
        }
    }
}

fn tell(to_master: &Sender<Request>, requests: Vec<Request>) -> Result<(), SendError> {
    requests.iter().try_for_each(|request| to_master.send(request))
}

/// A quit does not wait behind other commands.
fn is_quit(packet: &Packet) -> bool {
    matches!(BaseCommand::parse(packet), Ok(BaseCommand::Quit))
}

/// Handles a packet of the client; fails when the conversation is over, with the fault if there is one. A packet with
/// unreadable arguments gets an Error; only after one whose end is unknown the link cannot be read on.
fn heard(
    session: &mut BaseSession,
    next: Next<Packet, Result<(), SendError>>,
) -> Result<Result<Outcome, Option<ProtocolError>>, SendError> {
    let packet = match next {
        Next::Ask(packet, room) => {
            room?;
            packet
        }
        Next::Urgent(packet) => packet,
        Next::End(fault) => return Ok(Err(fault)),
    };
    Ok(Ok(command(session, &packet)))
}

fn command(session: &mut BaseSession, packet: &Packet) -> Outcome {
    match BaseCommand::parse(packet) {
        Ok(command) => session.command(packet.tid, &command),
        Err(fault) => {
            let code = match fault {
                ProtocolError::UnknownId { .. } => ErrorCode::NOT_IMPLEMENTED,
                ProtocolError::Missing { field: SET, .. } | ProtocolError::Field { field: SET, .. } => {
                    ErrorCode::BAD_SET
                }
                _ => ErrorCode::BAD_MESSAGE,
            };
            let error = RankEvent::Error { code: code.0 as i32, message: fault.to_string() };
            let event = BaseEvent::Ranks(meant(session, packet), error);
            Outcome { events: vec![(packet.tid, event)], ..Outcome::default() }
        }
    }
}

/// Returns the ranks of a command if they can be read, otherwise all.
fn meant(session: &BaseSession, packet: &Packet) -> BaseSet {
    let size = session.size();
    let read = BaseSet::read(&mut Arguments::new("a command", packet), SET).ok().filter(|_| packet.id != 1);
    let ranks = read.and_then(|set| set.within(size).ok()).unwrap_or_else(|| ProcessSet::all(size));
    BaseSet::new(ranks, size)
}

#[cfg(test)]
mod tests;
