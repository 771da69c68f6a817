//! The state of the session.

use super::breakpoints::Breakpoints;
use super::front_end::front::Front;
use super::front_end::replay::PendingReplay;
use super::input::Input;
use super::job::Job;
use super::processes::Launcher;
use super::servers::JobServers;
use super::setup::MasterSetup;
use super::signal_settings::SignalSettings;
use super::step::Step;
use crate::attach::RankTable;
use crate::link_tasks::Pace;
use crate::node::Node;
use crate::routing::dialling::Dialler;
use model::{EngineName, ProcessSet, Rank};
use protocol::{JobRank, LaunchPlan, ServerIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// The state of the session.
pub(super) struct Master {
    pub(super) setup: Arc<MasterSetup>,
    /// Those that were started here, and how all find us.
    pub(super) servers: JobServers,
    /// Our way to servers, where parents dial.
    pub(super) dialler: Dialler,
    /// Servers whose places are known.
    pub(super) placed: BTreeSet<ServerIndex>,
    pub(super) node: Node,
    pub(super) front: Front,
    pub(super) breakpoints: Breakpoints,
    pub(super) signals: SignalSettings,
    pub(super) job: Job,
    /// How the present job was started, for a restart.
    pub(super) plan: Option<LaunchPlan>,
    pub(super) ranks: BTreeMap<Rank, JobRank>,
    /// Ranks that other engines have than that of their servers.
    pub(super) engines: BTreeMap<EngineName, ProcessSet>,
    pub(super) server_ranks: BTreeMap<ServerIndex, ProcessSet>,
    pub(super) size: u32,
    pub(super) launcher: Option<Launcher>,
    /// The processes of a job that was not started here.
    pub(super) rank_table: RankTable,
    /// The batch step that we stand in for.
    pub(super) step: Option<Step>,
    /// What the front end wants the next one to know.
    pub(super) kept: Option<String>,
    /// How long a session stays that nobody looks at and in which nothing lives.
    pub(super) linger: Duration,
    /// Since when it is such a one.
    pub(super) abandoned: Option<Instant>,
    /// When the front end was last told that somebody knocked who is not of the session.
    pub(super) warned: Option<Instant>,
    pub(super) inputs: UnboundedSender<Input>,
    /// Of front ends.
    pub(super) pace: Pace,
    /// A front end waits to be told everything.
    pub(super) replay: Option<PendingReplay>,
    pub(super) is_over: bool,
}
