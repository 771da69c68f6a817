//! A breakpoint of the user, and its counterpart in gdb.

use crate::gdb::session::script::FrameId;
use model::{BreakpointRequest, Catch, Point, PointAction, Site, ThreadId};

/// Checks at a hit that gdb refuses to make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OwnCheck {
    /// A condition that gdb rejects because it is invalid at the breakpoint.
    pub(super) condition: Option<String>,
    /// A thread that did not exist when the breakpoint was set.
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
    /// The sites at which gdb finds the condition invalid.
    pub(super) refused: Vec<Site>,
    /// gdb's hit count.
    pub(super) times: u64,
    /// The part of `times` that was reported.
    pub(super) told: u64,
    /// The remaining ignore count in gdb.
    pub(super) ignore: u64,
    /// True if it is a reason of the stop being reported.
    pub(super) arrived: bool,
    /// For watchpoints, the type of the watched value.
    pub(super) type_name: String,
    /// The frame in which a watched expression was resolved.
    pub(super) frame: Option<FrameId>,
}

impl Planted {
    /// Wraps gdb's breakpoint of this number; 0 if gdb has none for it.
    pub(super) fn of_point(request: BreakpointRequest, number: u64, type_name: String) -> Self {
        let (own, sites, refused) = (OwnCheck::default(), Vec::new(), Vec::new());
        let ignore = request.ignore;
        Self { request, number, own, sites, refused, times: 0, told: 0, ignore, arrived: false, type_name, frame: None }
    }

    pub(super) fn is_trace(&self) -> bool {
        matches!(self.request.action, PointAction::Trace(_))
    }

    /// True if a new library may contain a site: there is none yet, or one in a module that may be unloaded and
    /// reloaded.
    pub(super) fn waits_for_library(&self, may_go: impl Fn(&str) -> bool) -> bool {
        let catches = match self.request.point {
            Point::Place(_) => false,
            Point::Catch(Catch::Throw | Catch::Catch | Catch::Rethrow) => true,
            _ => return false,
        };
        let goes = |site: &Site| site.module.as_deref().is_some_and(&may_go);
        self.request.enabled && (catches || self.sites.is_empty() || self.sites.iter().any(goes))
    }
}
