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
use model::StartChanges;
use protocol::LaunchPlan;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

pub(super) struct Master {
    pub(super) setup: Arc<MasterSetup>,
    /// The servers started here, and the address at which all servers find the master.
    pub(super) servers: JobServers,
    /// Dials servers, if parents dial.
    pub(super) dialler: ChildDialler,
    pub(super) node: Node,
    pub(super) front: Front,
    pub(super) breakpoints: Breakpoints,
    pub(super) signals: SignalSettings,
    pub(super) job: Job,
    /// The plan of the present job, for a restart.
    pub(super) plan: Option<LaunchPlan>,
    /// Changes to the plan since the last restart.
    pub(super) changes: StartChanges,
    pub(super) ranks: JobRanks,
    pub(super) launcher: Option<Launcher>,
    /// The processes of a job that was attached to.
    pub(super) rank_table: RankTable,
    /// The batch step that the master stands in for.
    pub(super) step: Option<Step>,
    /// Text that a front end leaves for the next one.
    pub(super) kept: Option<String>,
    pub(super) idle: Idle,
    /// When the front end was last told of a refused connection.
    pub(super) warned: Option<Instant>,
    pub(super) inputs: UnboundedSender<Input>,
    /// The pace of requests from front ends.
    pub(super) pace: Pace,
    /// A front end that waits for the session's state.
    pub(super) replay: Option<PendingReplay>,
    pub(super) is_over: bool,
}
