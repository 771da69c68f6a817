//! A breakpoint of the user, and gdb's breakpoint that it is.

use model::{BreakpointRequest, Site, ThreadId};

/// The frame in which the names of a watchpoint were looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) struct WatchPlace {
    pub(in crate::gdb) thread: ThreadId,
    /// The stack pointer of the frame it returns to.
    pub(in crate::gdb) base: u64,
    pub(in crate::gdb) function: Option<String>,
}

/// What gdb refuses to look at on arrival is looked at by us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::gdb) struct OwnCheck {
    /// A condition that means nothing where the breakpoint is: gdb would not take it.
    pub(in crate::gdb) condition: Option<String>,
    /// A thread that is not there yet.
    pub(in crate::gdb) thread: Option<ThreadId>,
}

impl OwnCheck {
    pub(super) fn is_needed(&self) -> bool {
        *self != Self::default()
    }
}

/// A breakpoint of the user.
#[derive(Clone, Debug)]
pub(in crate::gdb) struct Planted {
    pub(in crate::gdb) request: BreakpointRequest,
    /// gdb's number.
    pub(in crate::gdb) number: u64,
    pub(in crate::gdb) own: OwnCheck,
    pub(in crate::gdb) sites: Vec<Site>,
    /// Where gdb says that its condition is invalid.
    pub(in crate::gdb) refused: Vec<Site>,
    /// Arrivals that gdb has counted.
    pub(in crate::gdb) times: u64,
    /// As many of them have been told.
    pub(in crate::gdb) told: u64,
    /// Arrivals that gdb passes over.
    pub(in crate::gdb) ignore: u64,
    /// It is a reason of the stop that is being reported.
    pub(in crate::gdb) arrived: bool,
    /// Of what is watched.
    pub(in crate::gdb) type_name: String,
    /// Where what is watched was looked up.
    pub(in crate::gdb) place: Option<WatchPlace>,
}

impl Planted {
    /// One that gdb has under this number; 0: it is looked after without one.
    pub(in crate::gdb) fn of_point(request: BreakpointRequest, number: u64, type_name: String) -> Self {
        let (own, sites, refused) = (OwnCheck::default(), Vec::new(), Vec::new());
        let ignore = request.ignore;
        Self { request, number, own, sites, refused, times: 0, told: 0, ignore, arrived: false, type_name, place: None }
    }

    /// Whether gdb leaves it to us to look whether it stops.
    pub(in crate::gdb) fn is_checked(&self) -> bool {
        self.own.is_needed()
    }

    /// Where it is.
    pub(in crate::gdb) fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Arrivals still to be passed over.
    pub(in crate::gdb) fn ignore(&self) -> u64 {
        self.ignore
    }
}
