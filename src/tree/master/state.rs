//! The state of the session.

use super::breakpoints::Breakpoints;
use super::child_dialler::ChildDialler;
use super::front_end::front::Front;
use super::front_end::idle::Idle;
use super::front_end::replay::PendingReplay;
use super::input::Input;
use super::job::Job;
use super::job_ranks::JobRanks;
use super::processes::Launcher;
use super::servers::JobServers;
use super::setup::MasterSetup;
use super::signal_settings::SignalSettings;
use super::step::Step;
use crate::attach::RankTable;
use crate::link_tasks::Pace;
use crate::node::Node;
use protocol::LaunchPlan;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

/// The state of the session.
pub(super) struct Master {
    pub(super) setup: Arc<MasterSetup>,
    /// Those that were started here, and how all find us.
    pub(super) servers: JobServers,
    /// Our way to servers, where parents dial.
    pub(super) dialler: ChildDialler,
    pub(super) node: Node,
    pub(super) front: Front,
    pub(super) breakpoints: Breakpoints,
    pub(super) signals: SignalSettings,
    pub(super) job: Job,
    /// How the present job was started, for a restart.
    pub(super) plan: Option<LaunchPlan>,
    pub(super) ranks: JobRanks,
    pub(super) launcher: Option<Launcher>,
    /// The processes of a job that was not started here.
    pub(super) rank_table: RankTable,
    /// The batch step that we stand in for.
    pub(super) step: Option<Step>,
    /// Kept by the front end for the next one.
    pub(super) kept: Option<String>,
    pub(super) idle: Idle,
    /// When the front end was last told that somebody knocked who is not of the session.
    pub(super) warned: Option<Instant>,
    pub(super) inputs: UnboundedSender<Input>,
    /// Of front ends.
    pub(super) pace: Pace,
    /// A front end waits to be told everything.
    pub(super) replay: Option<PendingReplay>,
    pub(super) is_over: bool,
}
