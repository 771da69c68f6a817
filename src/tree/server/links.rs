//! Links to parents and children of a server: how they are made, and what happens when they end.

use super::parent::{Parent, ParentNews, dial_first};
use super::place::dial_parent;
use super::setup::ServerSetup;
use super::state::{Input, Server};
use crate::error::TreeError;
use crate::link_tasks::{LinkNews, accept_all, read_all};
use crate::node::LinkId;
use crate::routing::dialling::ChildNews;
use protocol::{
    Connection, Hello, Listener, Pass, PendingConnections, Receiver, Reply, Role, ServerIndex, TreeDown, TreeUp,
};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// Time that a server without a parent waits for another one to dial it.
const ALONE_LIMIT: Duration = Duration::from_secs(10);

/// Listens for children, or for parents if parents dial.
pub(super) fn welcome(
    setup: &ServerSetup,
    listener: Listener,
    numbers: &Arc<AtomicU64>,
    inputs: &UnboundedSender<Input>,
) {
    let down = setup.dialling.is_down();
    let expected = if down { Role::Parent } else { Role::Server };
    let pass = Pass { key: Some(setup.key.clone()), hello: Hello::new(Role::Server), expected };
    let (door, numbers, told) = (PendingConnections::new(listener, pass), Arc::clone(numbers), inputs.clone());
    if down {
        tokio::spawn(accept_all(door, numbers, move |news| told.send(Input::Parent(news)).is_ok()));
    } else {
        tokio::spawn(accept_all(door, numbers, move |news| told.send(Input::Child(ChildNews::Link(news))).is_ok()));
    }
}

pub(super) async fn reach_parent(
    setup: &ServerSetup,
    path: Vec<(ServerIndex, String)>,
    inputs: &UnboundedSender<Input>,
) -> Result<Parent, TreeError> {
    let (above, connection) = dial_parent(setup, &path).await?;
    let place = path.iter().position(|(server, _)| *server == above).unwrap_or(0);
    let (sender, receiver) = connection.split();
    let id = LinkId(0);
    spawn_parent_reader(id, receiver, inputs.clone());
    Ok(Parent::new(path, place, id, sender))
}

fn spawn_parent_reader(id: LinkId, receiver: Receiver<TreeDown>, inputs: UnboundedSender<Input>) {
    tokio::spawn(read_all(id, receiver, move |news| inputs.send(Input::Parent(news)).is_ok()));
}

impl Server {
    /// Handles a new link, a message or the end of a link of a parent.
    pub(super) fn parent_news(&mut self, now: Instant, news: ParentNews) {
        match news {
            LinkNews::Opened(id, sender) if self.ending.is_none() => {
                tracing::debug!("link {} up: a parent dialled", id.0);
                self.alone_until = None;
                let account = self.account();
                self.parent.adopt(None, id, sender, account);
                self.output.start_anew();
            }
            LinkNews::Opened(..) | LinkNews::Refused(_) => {}
            LinkNews::Said(_, message) => self.told(message),
            LinkNews::Closed(id, why) => {
                tracing::debug!("link {} up: {why}", id.0);
                if self.parent.closed(id) {
                    self.orphaned(now, &why);
                }
            }
        }
    }

    /// Handles the result of dialling the ancestors.
    pub(super) fn dialled(&mut self, outcome: Result<(ServerIndex, Connection), String>) {
        match outcome {
            Ok((above, connection)) => {
                let id = LinkId(self.next_link);
                self.next_link += 1;
                tracing::debug!("link {} up: to server {}", id.0, above.0);
                let (sender, receiver) = connection.split();
                spawn_parent_reader(id, receiver, self.inputs.clone());
                let account = self.account();
                self.parent.adopt(Some(above), id, sender, account);
                self.output.start_anew();
            }
            Err(why) => {
                tracing::warn!("{why}");
                if self.parent.is_gone() {
                    self.end(true);
                } else {
                    // The server stays where it is, and reports that.
                    let here = self.here();
                    self.parent.send(here);
                }
            }
        }
    }

    /// Handles a new link, a message or the end of a link of a child.
    pub(super) fn child_news(&mut self, now: Instant, news: LinkNews<TreeDown, TreeUp>) {
        match news {
            LinkNews::Refused(_) => {}
            LinkNews::Opened(link, sender) => {
                if self.ending.is_none() {
                    self.node.link_opened(link, sender);
                }
            }
            LinkNews::Said(link, TreeUp::Reply(reply)) if reply.output_weight() > 0 => {
                self.node.took_output(link, reply.output_weight());
                if let Reply::Event { tid, ranks, event } = reply {
                    self.output.push(tid, ranks, event);
                }
            }
            LinkNews::Said(link, message) => {
                if let TreeUp::Reply(Reply::Event { ranks, event, .. }) = &message {
                    self.before(now, ranks, event);
                }
                let up = self.node.child_said(now, link, message);
                self.pass_up(up);
            }
            LinkNews::Closed(link, why) => {
                let up = self.node.link_closed(now, link, &why);
                self.pass_up(up);
            }
        }
    }

    /// Handles a dialled child that does not answer.
    pub(super) fn silent(&mut self, server: ServerIndex, why: &str) {
        let up = self.node.orphan_ended(server, why);
        if up.is_empty() {
            let message = format!("server {} cannot reach it: {why}", self.setup.index.0);
            tracing::error!("server {}: {message}", server.0);
            // The master decides what happens to it.
            self.parent.send(TreeUp::LaunchFailed { server, message });
        }
        self.pass_up(up);
    }

    pub(super) fn dial(&self, children: Vec<(ServerIndex, String)>, limit: Duration) {
        self.dialler.dial(children, limit, &self.teller());
    }

    /// If parents dial: adopts the children of lost servers; ends this server if no parent has dialled in time.
    pub(super) fn look_up_and_down(&mut self, now: Instant) {
        if !self.setup.dialling.is_down() || self.ending.is_some() {
            return;
        }
        let tell = self.teller();
        self.dialler.adopt(&self.node, &tell);
        if self.alone_until.is_some_and(|until| until <= now) {
            tracing::error!("no parent has connected to this server: it ends and kills its ranks");
            self.end(true);
        }
    }

    fn teller(&self) -> impl Fn(ChildNews) -> bool + Clone + Send + 'static {
        let inputs = self.inputs.clone();
        move |news| inputs.send(Input::Child(news)).is_ok()
    }

    /// Returns everything that a new parent must know.
    fn account(&self) -> Vec<TreeUp> {
        let mut account = vec![self.here()];
        account.extend(self.node.account());
        account
    }

    fn orphaned(&mut self, now: Instant, why: &str) {
        if self.ending.is_some() {
            return;
        }
        if self.setup.dialling.is_down() {
            tracing::warn!("{why}; waiting for another parent");
            self.alone_until = Some(now + ALONE_LIMIT);
            return;
        }
        let beyond = self.parent.beyond();
        if beyond.is_empty() {
            tracing::error!("{why}; no ancestor is left: killing the ranks");
            self.end(true);
        } else {
            tracing::warn!("{why}; looking for another parent");
            self.seek(beyond);
        }
    }

    /// Dials the ancestors, the nearest first.
    pub(super) fn seek(&self, addresses: Vec<(ServerIndex, String)>) {
        let (key, inputs) = (self.setup.key.clone(), self.inputs.clone());
        tokio::spawn(async move {
            let dialled = dial_first(&addresses, &key).await.map_err(|error| error.to_string());
            // Nobody listens any more if the server has ended meanwhile.
            let _ = inputs.send(Input::Dialled(dialled));
        });
    }
}
