//! Translates values of the model into records of the base dialect.

use super::{BaseBreakpoint, BaseFrame, BaseLocation, BaseSignal, Suspension};
use model::{
    BreakpointId, BreakpointRequest, CodePlace, Frame, SignalInfo, SignalName, SignalTable, Site, SourcePlace, Stop,
    StopReason, VirtualAddress,
};
use std::sync::Arc;

/// Formats an address of 64 bits as gdb does.
pub(super) fn address_text(address: VirtualAddress) -> String {
    format!("{:#018x}", address.0)
}

fn location(
    source: Option<&SourcePlace>,
    function: Option<&Arc<str>>,
    address: Option<VirtualAddress>,
    offset: u64,
) -> BaseLocation {
    BaseLocation {
        file: source.map(|place| place.file.to_string()).unwrap_or_default(),
        function: function.map(|name| name.to_string()).unwrap_or_default(),
        // Ranks with different load addresses share the offset in the file.
        address: address_text(address.unwrap_or(VirtualAddress(offset))),
        line: source.map_or(0, |place| clamp(place.line)),
    }
}

/// Clamps to the range of a C `int`, which the dialect's numbers have.
pub(super) fn clamp(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

pub(super) fn frame(frame: &Frame) -> BaseFrame {
    let CodePlace { offset, address, .. } = frame.code;
    let location = location(frame.source.as_ref(), frame.function.as_ref(), address, offset);
    BaseFrame { level: clamp(frame.level), location: Some(location) }
}

pub(super) fn signal(info: &SignalInfo) -> BaseSignal {
    BaseSignal {
        name: info.name.to_string(),
        stop: info.disposition.stop,
        print: info.disposition.print,
        pass: info.disposition.pass,
        description: info.description.clone(),
    }
}

/// Looks the signal up by name; the table may lack it.
pub(super) fn signal_named(name: &SignalName, table: &SignalTable) -> BaseSignal {
    table.get(name).map(signal).unwrap_or_else(|| BaseSignal { name: name.to_string(), ..BaseSignal::default() })
}

/// Builds a BREAKPOINT; of several sites it names the first. Without a site (a watchpoint, a pending breakpoint) the
/// fields of the location are there and empty: the original client requires them.
pub(super) fn breakpoint(id: BreakpointId, request: Option<&BreakpointRequest>, sites: &[Site]) -> BaseBreakpoint {
    let place = |site: &Site| location(site.source.as_ref(), site.function.as_ref(), site.address, site.offset);
    BaseBreakpoint {
        id: clamp(id.0),
        ignore: request.map_or(0, |request| clamp(request.ignore)),
        special: request.is_some_and(|request| request.temporary || request.hardware),
        deleted: false,
        kind: request
            .map_or("breakpoint", |request| if request.hardware { "hw breakpoint" } else { request.point.word() })
            .to_owned(),
        location: Some(sites.first().map_or_else(BaseLocation::default, place)),
        hits: 0,
    }
}

/// Returns the reason of a Suspend: 3 for a temporary breakpoint, SIGINT for an interrupt, and 3 for reasons that the
/// dialect lacks.
pub(super) fn suspension(stop: &Stop, temporary: impl Fn(BreakpointId) -> bool, table: &SignalTable) -> Suspension {
    let frame = || Some(frame(&stop.frame));
    match &stop.reason {
        StopReason::Breakpoint(id) if !temporary(*id) => Suspension::Breakpoint(clamp(id.0)),
        StopReason::Watchpoint(id, _) => Suspension::Breakpoint(clamp(id.0)),
        StopReason::Step | StopReason::Finished(_) => Suspension::Step(frame()),
        StopReason::Signal(name) => Suspension::Signal(Some(signal_named(name, table)), frame()),
        StopReason::Interrupted => Suspension::Signal(Some(signal_named(&SignalName("SIGINT".into()), table)), frame()),
        _ => Suspension::Interrupt(frame()),
    }
}
