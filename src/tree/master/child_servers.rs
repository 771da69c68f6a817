//! The servers below the master: how they are linked, and what happens when they go.

use super::setup::MasterSetup;
use super::state::Master;
use crate::link_tasks::LinkNews;
use crate::node::Node;
use crate::routing::topology::Topology;
use protocol::{ServerIndex, TreeDown, TreeUp};
use std::collections::BTreeMap;
use std::time::Instant;

impl Master {
    /// Handles a new link, a message or the end of a link of a server.
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

    /// Handles a dialled server that does not answer.
    pub(super) fn silent(&mut self, now: Instant, server: ServerIndex, why: &str) {
        let up = self.node.orphan_ended(server, why);
        if up.is_empty() {
            self.fault(now, format!("cannot reach server {}: {why}", server.0));
        }
        self.heard(now, up);
    }
}

/// Tells every server which parent to go to; if parents dial, which children to dial.
pub(super) fn send_to_parents(node: &mut Node, setup: &MasterSetup, master: &str, tree: &Topology) {
    let addresses: BTreeMap<ServerIndex, String> =
        node.relay().routing.servers().map(|(server, below)| (server, below.address.clone())).collect();
    if !setup.dialling.is_down() {
        return send_up(node, master, tree, &addresses);
    }
    let ours = |node: &Node, child: ServerIndex| node.relay().routing.via(child) == Some(child);
    for server in (0..tree.servers()).map(ServerIndex) {
        let children = tree.children(server).into_iter().filter(|child| ours(node, *child));
        let children = children.filter_map(|child| Some((child, addresses.get(&child)?.clone())));
        let children: Vec<(ServerIndex, String)> = children.collect();
        if !children.is_empty() {
            children.iter().for_each(|(child, _)| node.expect_to_move(*child));
            node.pass_down(server, TreeDown::Children { server, children });
        }
    }
}

fn send_up(node: &mut Node, master: &str, tree: &Topology, addresses: &BTreeMap<ServerIndex, String>) {
    for server in (0..tree.servers()).map(ServerIndex) {
        let above = tree.ancestors(server).into_iter();
        let address =
            |s: ServerIndex| if s == tree.master() { Some(master.to_owned()) } else { addresses.get(&s).cloned() };
        let path: Vec<(ServerIndex, String)> = above.filter_map(|s| Some((s, address(s)?))).collect();
        let moves = path.first().is_some_and(|(first, _)| *first != tree.master());
        if moves && node.relay().routing.via(server) == Some(server) {
            node.expect_to_move(server);
        }
        node.pass_down(server, TreeDown::Ancestors { server, path });
    }
}
