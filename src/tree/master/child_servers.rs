//! The servers below the master: how links to them come about, and what is done when they go.

use super::assembly::Assembly;
use super::input::Input;
use super::job::{Job, LOCAL_LIMIT};
use super::state::Master;
use crate::link_tasks::LinkNews;
use crate::routing::dialling::{ANSWER_LIMIT, ChildNews, START_LIMIT, places_in};
use crate::routing::topology::Topology;
use model::TransactionId;
use protocol::{ServerIndex, TreeDown, TreeUp};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

impl Master {
    /// A server comes, says something or goes.
    pub(super) fn child_news(&mut self, now: Instant, news: LinkNews<TreeDown, TreeUp>) {
        match news {
            LinkNews::Opened(link, sender) => self.node.link_opened(link, sender),
            LinkNews::Said(link, message) => {
                if let TreeUp::Reply(reply) = &message {
                    self.node.took_output(link, reply.output_weight());
                }
                let up = self.node.child_said(now, link, message);
                self.heard(now, up);
            }
            LinkNews::Closed(link, why) => {
                let up = self.node.link_closed(now, link, &why);
                self.heard(now, up);
            }
            LinkNews::Refused(why) => self.refused(now, &why),
        }
    }

    /// A server that was dialled does not answer.
    pub(super) fn silent(&mut self, now: Instant, server: ServerIndex, why: &str) {
        let up = self.node.orphan_ended(server, why);
        if up.is_empty() {
            self.fault(now, format!("cannot reach server {}: {why}", server.0));
        }
        self.heard(now, up);
    }

    /// Dials those that others have started.
    pub(super) fn dial_listed(&self) {
        if let Some(routes) = &self.setup.routes {
            let tree = Topology::new(routes.servers(), self.setup.shape);
            self.dial(routes.addresses(tree.children(tree.master())), START_LIMIT);
        }
    }

    /// A job of which others have started a server for each rank.
    pub(super) fn launch_listed(
        &self,
        now: Instant,
        tid: TransactionId,
        ranks: u32,
    ) -> Option<Result<Assembly, String>> {
        let servers = self.setup.routes.as_ref()?.servers();
        if ranks != servers {
            return Some(Err(format!("the routing file names {servers} servers, one for each rank, not {ranks}")));
        }
        let mut assembly = Assembly::new(tid, Some(servers), Some(ranks), Some(now + LOCAL_LIMIT));
        for (server, _) in self.node.relay().routing.servers() {
            assembly.server_here(server);
        }
        Some(Ok(assembly))
    }

    /// A server says where it listens.
    pub(super) fn place_known(&mut self, server: ServerIndex, address: String) {
        if self.placed.insert(server) {
            self.dial(vec![(server, address)], ANSWER_LIMIT);
        }
    }

    /// Looks where servers of this host, and of those that share a directory with it, say that they listen.
    pub(super) fn look_for_places(&mut self) {
        if !self.setup.dialling.is_down() {
            return;
        }
        let directories = [Some(&self.setup.directory), self.servers.meeting.as_ref()];
        let found: Vec<_> = directories.into_iter().flatten().flat_map(|place| places_in(place.path())).collect();
        for (server, address) in found {
            self.place_known(server, address);
        }
    }

    /// Takes the children of servers that are gone.
    pub(super) fn adopt_orphans(&mut self) {
        if self.setup.dialling.is_down() && matches!(self.job, Job::Running) {
            let tell = self.teller();
            self.dialler.adopt(&self.node, &tell);
        }
    }

    /// Tells every server whom to go to; where parents dial, whom to take.
    pub(super) fn send_to_parents(&mut self, tree: &Topology) {
        let addresses: BTreeMap<ServerIndex, String> =
            self.node.relay().routing.servers().map(|(server, below)| (server, below.address.clone())).collect();
        if !self.setup.dialling.is_down() {
            return self.send_up(tree, &addresses);
        }
        let ours = |node: &crate::node::Node, child: ServerIndex| node.relay().routing.via(child) == Some(child);
        for server in (0..tree.servers()).map(ServerIndex) {
            let children = tree.children(server).into_iter().filter(|child| ours(&self.node, *child));
            let children = children.filter_map(|child| Some((child, addresses.get(&child)?.clone())));
            let children: Vec<(ServerIndex, String)> = children.collect();
            if !children.is_empty() {
                children.iter().for_each(|(child, _)| self.node.expect_to_move(*child));
                self.node.pass_down(server, TreeDown::Children { server, children });
            }
        }
    }

    fn send_up(&mut self, tree: &Topology, addresses: &BTreeMap<ServerIndex, String>) {
        let (node, master) = (&mut self.node, &self.servers.address);
        for server in (0..tree.servers()).map(ServerIndex) {
            let above = tree.ancestors(server).into_iter();
            let address =
                |s: ServerIndex| if s == tree.master() { Some(master.clone()) } else { addresses.get(&s).cloned() };
            let path: Vec<(ServerIndex, String)> = above.filter_map(|s| Some((s, address(s)?))).collect();
            let moves = path.first().is_some_and(|(first, _)| *first != tree.master());
            if moves && node.relay().routing.via(server) == Some(server) {
                node.expect_to_move(server);
            }
            node.pass_down(server, TreeDown::Ancestors { server, path });
        }
    }

    fn dial(&self, children: Vec<(ServerIndex, String)>, limit: Duration) {
        self.dialler.dial(children, limit, &self.teller());
    }

    fn teller(&self) -> impl Fn(ChildNews) -> bool + Clone + Send + 'static {
        let inputs = self.inputs.clone();
        move |news| inputs.send(Input::Child(news)).is_ok()
    }
}
