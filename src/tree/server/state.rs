//! The state of a server, and what the one task that owns it is told.

use super::joiners::JoinNews;
use super::parent::{Parent, ParentNews};
use super::setup::ServerSetup;
use crate::guests::ServerEngines;
use crate::merging::output_lane::OutputLane;
use crate::node::Node;
use crate::routing::dialling::{ChildNews, Dialler};
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
    /// Somebody on this host wants this server to end.
    Asked(Signal),
}

/// On the way out.
pub(super) struct Ending {
    pub(super) kill: bool,
    pub(super) by: Instant,
    /// Those below end, too; otherwise they go to somebody else.
    pub(super) all_below: bool,
    pub(super) told_parent: bool,
}

pub(super) struct Server {
    pub(super) setup: ServerSetup,
    pub(super) host: String,
    pub(super) address: String,
    pub(super) node: Node,
    pub(super) parent: Parent,
    /// When it is given up that a parent dials us.
    pub(super) alone_until: Option<Instant>,
    /// Our way to children, where parents dial.
    pub(super) dialler: Dialler,
    /// Of the ranks here and below.
    pub(super) output: OutputLane,
    pub(super) engine: ServerEngines,
    pub(super) inputs: UnboundedSender<Input>,
    /// Links to parents are numbered too.
    pub(super) next_link: u64,
    /// Of the job, once known.
    pub(super) size: u32,
    pub(super) ending: Option<Ending>,
    pub(super) engine_ended: bool,
    /// Ranks that joiners have claimed.
    pub(super) offered: Vec<Rank>,
}
