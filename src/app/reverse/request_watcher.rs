//! The task that watches the directory for a front end. It owns all knowledge of the directory; the owner of the
//! controller sends it requests and receives news, and never waits for a file server.

use super::accept::{Accepted, accept};
use super::answer::{choose, reject};
use super::reception::Reception;
use super::scan::Scanner;
use crate::link::SessionLink;
use controller::state::{Ask, ListedRequest};
use controller::{CommandId, Controller};
use protocol::reverse::{ConnectError, connect_path};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant as Moment, sleep_until};

/// Poll interval of the directory while the user listens: it is usually on a file server, which sends no change
/// notifications.
const LOOK: Duration = Duration::from_secs(1);

/// Results of the task.
#[derive(Debug)]
pub enum RequestNews {
    /// The requests in the directory, or why they cannot be read.
    Seen(Result<Vec<ListedRequest>, String>),
    /// A command is complete, with a sentence about its result or failure.
    Done(CommandId, Result<String, String>),
    /// A request was accepted and has become a session.
    Accepted(CommandId, Box<Accepted>),
}

impl RequestNews {
    /// The host of an accepted session.
    pub fn host(&self) -> Option<&str> {
        match self {
            Self::Accepted(_, accepted) => Some(&accepted.host),
            Self::Seen(_) | Self::Done(..) => None,
        }
    }

    /// Passes the news to the controller. An accepted session returns its link, which replaces the present one.
    pub fn told(self, controller: &mut Controller, present: &SessionLink) -> Option<SessionLink> {
        match self {
            Self::Seen(seen) => controller.requests_seen(seen),
            Self::Done(command, outcome) => controller.request_done(command, outcome),
            Self::Accepted(command, accepted) => {
                if !controller.awaits_session(command) {
                    return None;
                }
                // The last requests, and the end of the previous session, use its old link.
                controller.leave_session();
                controller.take_requests().into_iter().for_each(|request| present.send(request));
                if controller.take_session(command, accepted.plan.clone(), accepted.title.clone()) {
                    return Some(accepted.carry());
                }
            }
        }
        None
    }
}

#[derive(Debug)]
enum Wish {
    Listen(bool),
    Ask(CommandId, Ask),
}

/// The owner's handle of the task, which ends when this is dropped.
#[derive(Debug)]
pub struct RequestWatcher {
    wishes: UnboundedSender<Wish>,
    news: UnboundedReceiver<RequestNews>,
    listening: bool,
}

impl RequestWatcher {
    /// Starts the task for the given directory, or the environment's. It reads nothing until it is asked to.
    pub fn start(given: Option<&Path>, reception: Reception) -> Self {
        let (wishes, wished) = unbounded_channel();
        let (tell, news) = unbounded_channel();
        tokio::spawn(work(connect_path(given), reception, wished, tell));
        Self { wishes, news, listening: false }
    }

    /// Sends the controller's requests to the task.
    pub fn attend(&mut self, controller: &mut Controller) {
        let listening = controller.listens();
        if std::mem::replace(&mut self.listening, listening) != listening {
            self.wish(Wish::Listen(listening));
        }
        for (command, ask) in controller.take_asks() {
            self.wish(Wish::Ask(command, ask));
        }
    }

    fn wish(&self, wish: Wish) {
        // The task lives as long as this handle.
        let _ = self.wishes.send(wish);
    }

    /// Waits for the next news. Cancel safe.
    pub async fn next(&mut self) -> Option<RequestNews> {
        self.news.recv().await
    }
}

async fn work(
    path: Result<PathBuf, ConnectError>,
    reception: Reception,
    mut wishes: UnboundedReceiver<Wish>,
    tell: UnboundedSender<RequestNews>,
) {
    let mut scanner = path.map(Scanner::new).map_err(|error| error.to_string());
    let mut next_look = None;
    loop {
        let wish = tokio::select! {
            wish = wishes.recv() => match wish {
                Some(wish) => Some(wish),
                None => return,
            },
            () = until(next_look) => None,
        };
        match wish {
            None => {}
            Some(Wish::Listen(false)) => {
                next_look = None;
                continue;
            }
            Some(Wish::Listen(true)) => next_look = Some(Moment::now()),
            Some(Wish::Ask(..)) => {}
        }
        let (back, seen) = look(scanner).await;
        scanner = back;
        // After the scan: a slow one must not be followed by the next at once.
        next_look = next_look.map(|_| Moment::now() + LOOK);
        if let Some(Wish::Ask(command, ask)) = wish {
            let path = scanner.as_ref().map(|scanner| scanner.path().to_owned());
            handle(command, ask, path.map_err(Clone::clone), &reception, &seen, &tell);
        }
        if tell.send(RequestNews::Seen(seen)).is_err() {
            return;
        }
    }
}

async fn until(moment: Option<Moment>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

type Seen = Result<Vec<ListedRequest>, String>;

/// Scans the directory on a thread that may block on a file server.
async fn look(scanner: Result<Scanner, String>) -> (Result<Scanner, String>, Seen) {
    let mut scanner = match scanner {
        Ok(scanner) => scanner,
        Err(why) => return (Err(why.clone()), Err(why)),
    };
    let path = scanner.path().to_owned();
    let looking = tokio::task::spawn_blocking(move || {
        let seen = scanner.scan(SystemTime::now(), Instant::now()).map_err(|error| error.to_string());
        (scanner, seen)
    });
    match looking.await {
        Ok((scanner, seen)) => (Ok(scanner), seen),
        Err(error) => (Ok(Scanner::new(path)), Err(format!("cannot scan the directory: {error}"))),
    }
}

/// Carries out a command after a scan. What takes long runs beside the scans.
fn handle(
    command: CommandId,
    ask: Ask,
    path: Result<PathBuf, String>,
    reception: &Reception,
    seen: &Seen,
    tell: &UnboundedSender<RequestNews>,
) {
    let chosen = |meant: Option<&str>| -> Result<(PathBuf, ListedRequest), String> {
        let listed = seen.as_ref().map_err(Clone::clone)?;
        Ok((path?, choose(listed, meant)?.clone()))
    };
    let tell = tell.clone();
    match ask {
        // The list itself is sent to all.
        Ask::List => {
            let outcome = seen.as_ref().map(|_| String::new()).map_err(Clone::clone);
            let _ = tell.send(RequestNews::Seen(seen.clone()));
            let _ = tell.send(RequestNews::Done(command, outcome));
        }
        Ask::Reject(meant, reason) => match chosen(Some(&meant)) {
            Err(why) => drop(tell.send(RequestNews::Done(command, Err(why)))),
            Ok((path, listed)) => {
                tokio::task::spawn_blocking(move || {
                    let outcome = reject(&path, &listed, reason.as_deref());
                    let _ = tell.send(RequestNews::Done(command, outcome));
                });
            }
        },
        Ask::Accept(meant) => match chosen(meant.as_deref()) {
            Err(why) => drop(tell.send(RequestNews::Done(command, Err(why)))),
            Ok((path, listed)) => {
                let reception = reception.clone();
                tokio::spawn(async move {
                    let news = match accept(&reception, &path, &listed).await {
                        Ok(accepted) => RequestNews::Accepted(command, Box::new(accepted)),
                        Err(why) => RequestNews::Done(command, Err(why)),
                    };
                    // If the front end is gone, the connection closes, and the master ends the job it has not started.
                    let _ = tell.send(news);
                });
            }
        },
    }
}
