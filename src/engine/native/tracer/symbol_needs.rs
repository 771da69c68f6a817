//! The debug information that must be read before a thread event can be handled.

use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::{Breakpoints, UserBreakpoint};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Observation, Tid};
use crate::native::stepping::stepper::Stepping;
use model::{Point, StepKind, StopReason};

/// The debug information that an event needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Nothing,
    /// Functions and lines at the thread's place.
    Code,
    /// The same, and the names of all files.
    Names,
}

impl Need {
    /// True if it has been read.
    pub(super) fn is_met(self, inferior: &Inferior, pc: u64) -> bool {
        match self {
            Self::Nothing => true,
            Self::Code => inferior.is_warm(pc),
            Self::Names => inferior.images().iter().all(|loaded| loaded.image.is_prepared()) && inferior.is_warm(pc),
        }
    }

    /// Returns the need of a running thread's event.
    pub(super) fn of(
        inferior: &Inferior,
        breakpoints: &Breakpoints,
        stepping: &Stepping,
        tid: Tid,
        observation: &Observation,
    ) -> Self {
        match observation {
            Observation::Breakpoint(address) => Self::at(breakpoints, stepping, tid, *address),
            Observation::Watched { .. } => Self::Names,
            Observation::Stepped if breakpoints.steps_watches(tid) => Self::Names,
            Observation::Stepped => {
                let Some(stepper) = stepping.stepper.as_ref().filter(|stepper| stepper.thread == tid) else {
                    return Self::Nothing;
                };
                let here = inferior.process.thread(tid).and_then(|thread| thread.known_pc());
                let claimed = here.map_or(Self::Nothing, |pc| Self::at(breakpoints, stepping, tid, pc));
                let own = match stepper.kind {
                    StepKind::Instruction | StepKind::InstructionOver => Self::Nothing,
                    _ if stepper.is_entering() => Self::Names,
                    _ => Self::Code,
                };
                claimed.max(own)
            }
            Observation::Signal(_) | Observation::FloatTrap(_) | Observation::Forked { .. } | Observation::Call(_)
                if breakpoints.catches_on_condition() =>
            {
                Self::Names
            }
            Observation::FloatTrap(trap) if trap.is_late => Self::Code,
            _ => Self::Nothing,
        }
    }

    /// Returns the need of an arrival at an address.
    fn at(breakpoints: &Breakpoints, stepping: &Stepping, tid: Tid, address: u64) -> Self {
        let claims = breakpoints.claims.at(address);
        let need = |claim: &Claim| match claim {
            Claim::User(id) if breakpoints.points.get(id).is_some_and(UserBreakpoint::evaluates) => Self::Names,
            Claim::Linker | Claim::Environment if breakpoints.catches_on_condition() => Self::Names,
            Claim::StepResume if stepping.stepper.as_ref().is_some_and(|stepper| stepper.thread == tid) => Self::Code,
            Claim::User(_) | Claim::Linker | Claim::Start | Claim::Error(_) | Claim::StepResume => Self::Nothing,
            Claim::ScopeEnd(_) | Claim::CallEnd | Claim::LongJump | Claim::Handler => Self::Nothing,
            Claim::Environment | Claim::EnvironmentEnd => Self::Nothing,
        };
        claims.iter().map(need).max().unwrap_or(Self::Nothing)
    }

    /// Returns the need of a stop that is reported.
    pub(super) fn of_stop(breakpoints: &Breakpoints, reason: &StopReason) -> Self {
        let pending = |point: &UserBreakpoint| point.watch.is_none() && matches!(point.request.point, Point::Watch(_));
        let watches = reason.is_first() && breakpoints.points.values().any(pending);
        if watches { Self::Names } else { Self::Code }
    }
}
