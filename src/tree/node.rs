//! The parts that the master and the servers share: links to children, and the messages between them and the parent.

use crate::detached_servers::DetachedServers;
use crate::merging::output_lane::Takings;
use crate::merging::relay::Relay;
use crate::merging::states::{States, event_saying, state_after};
use crate::merging::transaction::patience_below;
use engine::{Query, Report};
use model::{Answer, ErrorCode, Event, Failure, ProcessSet, ProcessState, TransactionId};
use protocol::{Message, Priority, Reply, Request, Sender, ServerIndex, TreeDown, TreeUp};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Bytes of requests that may wait for a server that does not read.
const MOST_WAITING: usize = 8 << 20;

/// An accepted link, numbered in the order of acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId(pub u64);

#[derive(Debug)]
struct ChildLink {
    sender: Sender<TreeDown>,
    /// `None` until its first message.
    server: Option<ServerIndex>,
    takings: Takings,
}

/// A node of the tree with its children.
#[derive(Debug, Default)]
pub struct Node {
    relay: Relay,
    states: States,
    links: BTreeMap<LinkId, ChildLink>,
    detached: DetachedServers,
    moving: BTreeSet<ServerIndex>,
    done: BTreeSet<ServerIndex>,
    /// Messages for servers that the nodes above know already and this node does not.
    early: BTreeMap<ServerIndex, Vec<TreeDown>>,
}

impl Node {
    /// Returns the requests, answers and events that pass through.
    pub fn relay(&self) -> &Relay {
        &self.relay
    }

    /// Returns the states of the ranks here and below.
    pub fn states(&self) -> &States {
        &self.states
    }

    /// Adds a link to a peer that dialled.
    pub fn link_opened(&mut self, link: LinkId, sender: Sender<TreeDown>) {
        self.links.insert(link, ChildLink { sender, server: None, takings: Takings::default() });
    }

    /// Adds ranks of this node itself. A message of its own reports them, not events, since process IDs differ.
    pub fn add_own(&mut self, ranks: &ProcessSet) {
        self.relay.add_own(ranks);
        self.states.change(ranks, &ProcessState::Starting);
    }

    /// A server was asked to go to another parent: the end of its link here is no loss.
    pub fn expect_to_move(&mut self, server: ServerIndex) {
        self.moving.insert(server);
    }

    /// No other parent could be reached: the server stays. Returns false if it is not here either.
    pub fn stays(&mut self, server: ServerIndex) -> bool {
        self.moving.remove(&server) && self.links.values().any(|link| link.server == Some(server))
    }

    /// True if no server is on its way to another parent.
    pub fn is_settled(&self) -> bool {
        self.moving.is_empty()
    }

    /// Passes a request to the children; returns the query for the ranks here, and the replies known at once.
    pub fn request(&mut self, now: Instant, request: &Request) -> (Option<Query>, Vec<TreeUp>) {
        let Request::Ranks { tid, ranks, wait, operation } = request else { return (None, Vec::new()) };
        let dispatch = self.relay.request(now, *tid, ranks, *wait, operation, &self.detached.ranks());
        self.detached.keep(*tid, dispatch.away, patience_below(*wait), operation.clone());
        let mut up = dispatch.up;
        for (child, request) in dispatch.down {
            match self.refusal(child, &request) {
                Some(why) => {
                    let Request::Ranks { ranks, .. } = &request else { continue };
                    up.extend(self.relay.answer(now, *tid, ranks, &ProcessSet::new(), Answer::Failed(why)));
                }
                None => self.send(child, &TreeDown::Request(request)),
            }
        }
        let own =
            (!dispatch.own.is_empty()).then(|| Query { tid: *tid, ranks: dispatch.own, operation: operation.clone() });
        (own, replies(up))
    }

    /// Sends to the child through which a server is reached. A message may arrive before the server itself is known
    /// here: then it waits.
    pub fn pass_down(&mut self, server: ServerIndex, message: TreeDown) {
        match self.relay.routing.via(server) {
            Some(child) => {
                self.send(child, &message);
            }
            None => self.early.entry(server).or_default().push(message),
        }
    }

    /// Output of this weight from a link has been handled: the child may send more.
    pub fn took_output(&mut self, link: LinkId, weight: u64) {
        if let Some(link) = self.links.get_mut(&link)
            && let Some(weight) = link.takings.add(weight)
        {
            // If the link is broken, its reading side reports that.
            let _ = link.sender.send(&TreeDown::OutputTaken(weight));
        }
    }

    /// Sends to every child.
    pub fn broadcast(&self, message: &TreeDown) {
        for link in self.links.values() {
            // If the link is broken, its reading side reports that.
            let _ = link.sender.send(message);
        }
    }

    /// Returns the number of links to children.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// True if every child has reported that its subtree is down, or is gone.
    pub fn all_down(&self) -> bool {
        self.links.values().all(|link| link.server.is_some_and(|server| self.done.contains(&server)))
    }

    /// Forgets children, ranks and open requests: the job is over.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Handles a message of a child; returns the messages for the parent.
    pub fn child_said(&mut self, now: Instant, link: LinkId, message: TreeUp) -> Vec<TreeUp> {
        let Some(known) = self.links.get_mut(&link) else { return Vec::new() };
        let child = match (known.server, &message) {
            // A child that has moved is below its new parent; its old link may still carry messages.
            (Some(child), TreeUp::Down) => child,
            (Some(child), _) => self.relay.routing.via(child).unwrap_or(child),
            (None, TreeUp::Here { server, .. }) => {
                known.server = Some(*server);
                *server
            }
            (None, _) => {
                tracing::warn!(
                    peer = known.sender.peer(),
                    "expected the server's index as its first message, not \
                    {message:?}"
                );
                return Vec::new();
            }
        };
        match message {
            TreeUp::Reply(reply) => self.reply(now, reply),
            TreeUp::Here { server, host, address, ranks } => {
                let mut up = Vec::new();
                if self.relay.routing.via(server).is_some_and(|before| before != child) {
                    // Answers on the old way may be lost with it.
                    let at_risk = self.relay.routing.server(server).map(|b| b.ranks.clone()).unwrap_or_default();
                    up.extend(replies(self.relay.lose(&at_risk)));
                }
                self.relay.routing.announce(server, child, &host, &address, &ranks);
                for (tid, request) in self.detached.back(server) {
                    // Ranks that were reported missing are not asked any more.
                    if self.relay.is_open(tid) {
                        self.send(child, &TreeDown::Request(request));
                    }
                }
                self.moving.remove(&server);
                for message in self.early.remove(&server).unwrap_or_default() {
                    self.pass_down(server, message);
                }
                up.push(TreeUp::Here { server, host, address, ranks });
                up
            }
            TreeUp::Acquired { server, ranks, size } => {
                let set: ProcessSet = ranks.iter().map(|rank| rank.rank).collect();
                self.relay.routing.acquired(server, &set);
                self.states.change(&set, &ProcessState::Starting);
                vec![TreeUp::Acquired { server, ranks, size }]
            }
            TreeUp::ServerLost { server, message } => {
                if self.relay.routing.via(server) != Some(child) {
                    return Vec::new();
                }
                self.server_lost(server, message)
            }
            TreeUp::Down => {
                self.done.insert(child);
                Vec::new()
            }
            other @ TreeUp::LaunchFailed { .. } => vec![other],
        }
    }

    /// Handles the end of a link to a child; returns the messages for the parent.
    pub fn link_closed(&mut self, now: Instant, link: LinkId, why: &str) -> Vec<TreeUp> {
        let Some(child) = self.links.remove(&link).and_then(|link| link.server) else { return Vec::new() };
        let still_linked = self.links.values().any(|link| link.server == Some(child));
        if self.done.contains(&child) || still_linked || self.moving.contains(&child) {
            return Vec::new();
        }
        if self.relay.routing.via(child) != Some(child) {
            return Vec::new();
        }
        let mut up = Vec::new();
        for (server, below) in self.relay.routing.cut(child) {
            if server == child {
                up.push(TreeUp::ServerLost { server, message: why.to_owned() });
            } else {
                self.detached.add(now, server, below.ranks.clone(), &below.address);
            }
            // After the loss, so that the reason arrives before the missing answers.
            up.extend(replies(self.relay.lose(&below.ranks)));
        }
        up
    }

    /// Handles a report of the engine; returns the messages for the parent.
    pub fn engine_said(&mut self, now: Instant, report: Report) -> Vec<TreeUp> {
        match report {
            Report::Answer { tid, ranks, answer } => {
                replies(self.relay.answer(now, tid, &ranks, &ProcessSet::new(), answer))
            }
            Report::Event { tid, ranks, event } => self.event(now, tid, ranks, event),
        }
    }

    /// Returns when [`Self::due`] will next have something to do.
    pub fn deadline(&self) -> Option<Instant> {
        self.relay.deadline().into_iter().chain(self.detached.deadline()).min()
    }

    /// Does what has waited long enough; returns the messages for the parent.
    pub fn due(&mut self, now: Instant) -> Vec<TreeUp> {
        let mut up = replies(self.relay.due(now));
        for (server, ranks) in self.detached.over(now) {
            let message = "its parent has ended, and it has not reconnected".to_owned();
            up.push(TreeUp::ServerLost { server, message });
            up.extend(replies(self.relay.lose(&ranks)));
        }
        up
    }

    /// A server is known to have ended: it is not expected back.
    pub fn orphan_ended(&mut self, server: ServerIndex, why: &str) -> Vec<TreeUp> {
        let Some(ranks) = self.detached.lost(server) else { return Vec::new() };
        let mut up = vec![TreeUp::ServerLost { server, message: why.to_owned() }];
        up.extend(replies(self.relay.lose(&ranks)));
        up
    }

    /// Returns the servers that lost their parent and have not come back.
    pub fn detached(&self) -> &DetachedServers {
        &self.detached
    }

    /// Returns all held events now.
    pub fn flush(&mut self) -> Vec<TreeUp> {
        replies(self.relay.flush())
    }

    /// Reports an event for ranks whose server is gone.
    pub fn speak_for(&mut self, now: Instant, ranks: ProcessSet, event: Event) -> Vec<TreeUp> {
        let mut up = self.event(now, TransactionId(0), ranks, event);
        // Answers without these ranks must not overtake the reason.
        up.extend(self.flush());
        up
    }

    /// Returns everything that a new parent must know: the servers below with their ranks, and the states of the ranks.
    pub fn account(&self) -> Vec<TreeUp> {
        let servers = self.relay.routing.servers().map(|(server, below)| TreeUp::Here {
            server,
            host: below.host.clone(),
            address: below.address.clone(),
            ranks: below.ranks.clone(),
        });
        let states = self.states.entries().iter().filter_map(|(ranks, state)| {
            let (tid, event) = (TransactionId(0), event_saying(state)?);
            Some(TreeUp::Reply(Reply::Event { tid, ranks: ranks.clone(), event }))
        });
        servers.chain(states).collect()
    }

    fn server_lost(&mut self, server: ServerIndex, message: String) -> Vec<TreeUp> {
        let Some(below) = self.relay.routing.forget(server) else { return Vec::new() };
        let mut up = vec![TreeUp::ServerLost { server, message }];
        up.extend(replies(self.relay.lose(&below.ranks)));
        up
    }

    fn reply(&mut self, now: Instant, reply: Reply) -> Vec<TreeUp> {
        match reply {
            Reply::Answer { tid, ranks, missing, answer, .. } => {
                replies(self.relay.answer(now, tid, &ranks, &missing, answer))
            }
            Reply::Missing { tid, ranks } => replies(self.relay.missing(tid, &ranks)),
            Reply::Event { tid, ranks, event } => self.event(now, tid, ranks, event),
            other @ Reply::Session { .. } => vec![TreeUp::Reply(other)],
        }
    }

    /// A server that came back reports states again, without a transaction; one that its ranks are already in is not
    /// passed on twice. Of a transaction, the same stop again is another one: that of a called function, at the
    /// breakpoint where its rank was.
    fn event(&mut self, now: Instant, tid: TransactionId, mut ranks: ProcessSet, event: Event) -> Vec<TreeUp> {
        if let Some(state) = state_after(&event) {
            let changed = self.states.change(&ranks, &state);
            let stops_again = matches!(event, Event::Stopped(_)) && tid != TransactionId(0);
            ranks = if stops_again {
                ranks.intersection(&self.states.ranks_that(|known| *known == state))
            } else {
                changed
            };
        }
        if ranks.is_empty() {
            return Vec::new();
        }
        replies(self.relay.event(now, tid, ranks, event))
    }

    /// The newest link of a child is the one it listens on.
    fn link_to(&self, child: ServerIndex) -> Option<&ChildLink> {
        self.links.values().rev().find(|link| link.server == Some(child))
    }

    /// Returns why a request is not sent to a child: a slow child may have only a limited amount of requests waiting.
    /// Requests that stop or end ranks have room even when no others do.
    fn refusal(&self, child: ServerIndex, request: &Request) -> Option<Failure> {
        let waiting = self.link_to(child)?.sender.waiting();
        let urgent = !matches!(request.priority(), Priority::Ordinary);
        let most = if urgent { 2 * MOST_WAITING } else { MOST_WAITING };
        (waiting > most).then(|| {
            let words = format!(
                "not sent: {waiting} bytes of earlier requests are still queued for the server of \
                these ranks"
            );
            Failure::new(ErrorCode::DEBUGGER, words)
        })
    }

    fn send(&self, child: ServerIndex, message: &TreeDown) {
        if let Some(link) = self.link_to(child)
            && let Err(error) = link.sender.send(message)
        {
            // The link's reading side will notice its end.
            tracing::debug!("{error}");
        }
    }
}

fn replies(replies: Vec<Reply>) -> Vec<TreeUp> {
    replies.into_iter().map(TreeUp::Reply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Operation;
    use protocol::{Connection, WaitPolicy};

    /// Makes a node with these ranks at the other end of a link.
    fn with_child(link: LinkId, server: ServerIndex, ranks: &ProcessSet) -> Node {
        let mut node = Node::default();
        let (ours, _theirs) = tokio::io::duplex(4096);
        let (sender, _receiver) = Connection::over(ours, "server").split::<TreeDown, TreeUp>();
        node.link_opened(link, sender);
        let (host, address) = ("n".to_owned(), "n:1".to_owned());
        node.child_said(Instant::now(), link, TreeUp::Here { server, host, address, ranks: ranks.clone() });
        node
    }

    #[tokio::test]
    async fn a_child_that_no_other_can_have_stays() {
        let (now, link, server, ranks) = (Instant::now(), LinkId(1), ServerIndex(0), ProcessSet::all(2));
        let mut node = with_child(link, server, &ranks);
        assert!(!node.stays(server), "it was not to go");
        node.expect_to_move(server);
        assert!(!node.is_settled() && node.stays(server) && node.is_settled());
        // Its end is a loss again; a server that went while it was to move cannot stay.
        assert!(matches!(node.link_closed(now, link, "broke")[..], [TreeUp::ServerLost { .. }, ..]));
        let mut node = with_child(link, server, &ranks);
        node.expect_to_move(server);
        node.link_closed(now, link, "broke");
        assert!(!node.stays(server));
    }

    #[tokio::test]
    async fn a_loss_is_told_before_the_answers_that_it_cuts_short() {
        let (now, link, server) = (Instant::now(), LinkId(1), ServerIndex(0));
        let (ranks, tid) = (ProcessSet::all(2), TransactionId(7));
        let mut node = with_child(link, server, &ranks);
        for operation in [Operation::Go, Operation::Threads] {
            let request = Request::Ranks { tid, ranks: ranks.clone(), wait: WaitPolicy::All, operation };
            assert_eq!(node.request(now, &request), (None, Vec::new()));
        }
        let up = node.link_closed(now, link, "broke");
        let missing = TreeUp::Reply(Reply::Missing { tid, ranks: ranks.clone() });
        assert_eq!(up, [TreeUp::ServerLost { server, message: "broke".to_owned() }, missing]);
        // Events that the master then reports in their name are not held back either.
        let event = Event::Lost("server 0 is gone".to_owned());
        let told = node.speak_for(now, ranks.clone(), event.clone());
        assert_eq!(told, [TreeUp::Reply(Reply::Event { tid: TransactionId(0), ranks, event })]);
    }
}
