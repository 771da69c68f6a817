//! A point of the user, and gdb's breakpoint that it is.

use crate::gdb::session::script::FrameId;
use model::{BreakpointRequest, Catch, Point, PointAction, Site, ThreadId};

/// Checks on arrival that gdb refuses to make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OwnCheck {
    /// A condition that means nothing where the breakpoint is: gdb would not take it.
    pub(super) condition: Option<String>,
    /// A thread that is not there yet.
    pub(super) thread: Option<ThreadId>,
}

impl OwnCheck {
    pub(super) fn is_needed(&self) -> bool {
        *self != Self::default()
    }
}

#[derive(Clone, Debug)]
pub(super) struct Planted {
    pub(super) request: BreakpointRequest,
    pub(super) number: u64,
    pub(super) own: OwnCheck,
    pub(super) sites: Vec<Site>,
    /// Where gdb says that its condition is invalid.
    pub(super) refused: Vec<Site>,
    /// Arrivals, by gdb's count.
    pub(super) times: u64,
    /// As many of them have been told.
    pub(super) told: u64,
    /// Arrivals that gdb passes over.
    pub(super) ignore: u64,
    /// It is a reason of the stop that is being reported.
    pub(super) arrived: bool,
    /// The type of the watched value.
    pub(super) type_name: String,
    /// The frame in which the names of what is watched were looked up.
    pub(super) frame: Option<FrameId>,
}

impl Planted {
    /// One that gdb has under this number; 0: it is looked after without one.
    pub(super) fn of_point(request: BreakpointRequest, number: u64, type_name: String) -> Self {
        let (own, sites, refused) = (OwnCheck::default(), Vec::new(), Vec::new());
        let ignore = request.ignore;
        Self { request, number, own, sites, refused, times: 0, told: 0, ignore, arrived: false, type_name, frame: None }
    }

    pub(super) fn is_trace(&self) -> bool {
        matches!(self.request.action, PointAction::Trace(_))
    }

    /// A library that comes may have a place for it: it has none yet, or one in a module that may be unloaded and come again.
    pub(super) fn waits_for_library(&self, may_go: impl Fn(&str) -> bool) -> bool {
        let catches = match self.request.point {
            Point::Place(_) => false,
            Point::Catch(Catch::Throw | Catch::Catch) => true,
            _ => return false,
        };
        let goes = |site: &Site| site.module.as_deref().is_some_and(&may_go);
        self.request.enabled && (catches || self.sites.is_empty() || self.sites.iter().any(goes))
    }
}
