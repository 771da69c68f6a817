//! The message for a condition that is invalid at its breakpoint's location.

use model::{BreakpointId, Site};

/// Describes a site for the user.
fn place_of(site: &Site) -> String {
    let source = site.source.as_ref().map(|source| {
        let file = source.file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{}", source.line)
    });
    match (&site.function, source) {
        (Some(function), Some(source)) => format!("{source} in {function}"),
        (None, Some(source)) => source,
        (Some(function), None) => function.to_string(),
        (None, None) => site.address.map_or_else(String::new, |address| address.to_string()),
    }
}

/// Returns the warning that a breakpoint is not set at a site for its condition; `is_pending`: nor anywhere else.
pub(super) fn refused_condition(id: BreakpointId, site: &Site, is_pending: bool, why: Option<&str>) -> String {
    let place = place_of(site);
    let said = if is_pending {
        format!("breakpoint {id} stays pending: its condition is invalid at {place}")
    } else {
        format!("breakpoint {id} will not stop at {place}: its condition is invalid there")
    };
    why.map_or(said.clone(), |why| format!("{said}: {why}"))
}
