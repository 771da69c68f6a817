//! The state of a server, and the inputs of the task that owns it.

use super::joiners::JoinNews;
use super::parent::{Parent, ParentNews};
use super::setup::ServerSetup;
use crate::guests::ServerEngines;
use crate::merging::output_lane::OutputLane;
use crate::node::Node;
use crate::routing::dialling::{ChildNews, Dialler};
use engine::OutputPace;
use model::Rank;
use nix::sys::signal::Signal;
use protocol::{Connection, ServerIndex};
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

pub(super) enum Input {
    Parent(ParentNews),
    Dialled(Result<(ServerIndex, Connection), String>),
    Child(ChildNews),
    Joiner(JoinNews),
    /// A signal of this host asks the server to end.
    Asked(Signal),
}

pub(super) struct Ending {
    pub(super) kill: bool,
    pub(super) by: Instant,
    /// True if the servers below end, too; otherwise they go to another parent.
    pub(super) all_below: bool,
    pub(super) told_parent: bool,
}

pub(super) struct Server {
    pub(super) setup: ServerSetup,
    pub(super) host: String,
    pub(super) address: String,
    pub(super) node: Node,
    pub(super) parent: Parent,
    /// When to give up waiting for a parent that dials us.
    pub(super) alone_until: Option<Instant>,
    /// Dials children, if parents dial.
    pub(super) dialler: Dialler,
    /// Output of the ranks here and below.
    pub(super) output: OutputLane,
    /// Limits the output that the engine has reported and that is not in the lane yet.
    pub(super) pace: OutputPace,
    pub(super) engine: ServerEngines,
    pub(super) inputs: UnboundedSender<Input>,
    /// The next number of a link to a parent.
    pub(super) next_link: u64,
    /// Number of ranks of the job, once known.
    pub(super) size: u32,
    pub(super) ending: Option<Ending>,
    pub(super) engine_ended: bool,
    /// Ranks that joiners have claimed so far.
    pub(super) offered: Vec<Rank>,
}
