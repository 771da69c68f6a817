//! Dials the servers below the master if parents dial: from a routing file, or where they report to listen.

use super::input::Input;
use super::setup::MasterSetup;
use crate::node::Node;
use crate::routing::dialling::{ANSWER_LIMIT, ChildNews, Dialler, START_LIMIT, places_in};
use crate::routing::topology::Topology;
use protocol::{ServerIndex, SessionDirectory};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

pub(super) struct ChildDialler {
    setup: Arc<MasterSetup>,
    dialler: Dialler,
    /// Servers whose addresses are known.
    placed: BTreeSet<ServerIndex>,
    inputs: UnboundedSender<Input>,
}

impl ChildDialler {
    pub(super) fn new(setup: &Arc<MasterSetup>, numbers: &Arc<AtomicU64>, inputs: &UnboundedSender<Input>) -> Self {
        Self {
            setup: Arc::clone(setup),
            dialler: Dialler::new(&setup.key, numbers),
            placed: BTreeSet::new(),
            inputs: inputs.clone(),
        }
    }

    /// Dials the servers that others have started.
    pub(super) fn dial_listed(&self) {
        if let Some(routes) = &self.setup.routes {
            let tree = Topology::new(routes.servers(), self.setup.shape);
            self.dial(routes.addresses(tree.children(tree.master())), START_LIMIT);
        }
    }

    /// Dials a server that has reported where it listens.
    pub(super) fn place_known(&mut self, server: ServerIndex, address: String) {
        if self.placed.insert(server) {
            self.dial(vec![(server, address)], ANSWER_LIMIT);
        }
    }

    /// Looks for the addresses that servers of this host, and of hosts that share a directory with it, have written.
    pub(super) fn look_for_places(&mut self, meeting: Option<&SessionDirectory>) {
        if !self.setup.dialling.is_down() {
            return;
        }
        let directories = [Some(&self.setup.directory), meeting];
        let found: Vec<_> = directories.into_iter().flatten().flat_map(|place| places_in(place.path())).collect();
        for (server, address) in found {
            self.place_known(server, address);
        }
    }

    /// Adopts the children of servers that are gone.
    pub(super) fn adopt_orphans(&mut self, node: &Node) {
        if self.setup.dialling.is_down() {
            let tell = self.teller();
            self.dialler.adopt(node, &tell);
        }
    }

    /// Forgets all addresses at the end of a job: the servers of the next one have their own.
    pub(super) fn forget_places(&mut self) {
        self.placed.clear();
    }

    fn dial(&self, children: Vec<(ServerIndex, String)>, limit: Duration) {
        self.dialler.dial(children, limit, &self.teller());
    }

    fn teller(&self) -> impl Fn(ChildNews) -> bool + Clone + Send + 'static {
        let inputs = self.inputs.clone();
        move |news| inputs.send(Input::Child(news)).is_ok()
    }
}
