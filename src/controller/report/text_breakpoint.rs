//! Breakpoints, watchpoints and catchpoints as lines for people.

use super::counts::{hits_words, in_parts};
use super::text_words::{base, of, place};
use model::{Armed, Breakpoint, CodePlace, LocationSpec, Point, PointAction, WatchAccess};
use std::fmt::Write as _;

pub(super) fn breakpoint(breakpoint: &Breakpoint) -> Vec<String> {
    lines(breakpoint, false)
}

/// A breakpoint that ranks get when the job starts again: where it was does not matter.
pub(super) fn for_start(breakpoint: &Breakpoint) -> Vec<String> {
    lines(&breakpoint.without_places(), true)
}

fn lines(breakpoint: &Breakpoint, for_start: bool) -> Vec<String> {
    let request = &breakpoint.request;
    let kind = match (&request.action, &request.point) {
        (PointAction::Trace(_), _) => "tracepoint",
        (PointAction::Barrier, _) => "barrier",
        (PointAction::Stop, Point::Watch(watch)) => match watch.access {
            WatchAccess::Change => "watchpoint",
            WatchAccess::Read => "read watchpoint",
            WatchAccess::Any => "access watchpoint",
        },
        (PointAction::Stop, point) => point.word(),
    };
    let what = match &request.point {
        Point::Place(location) => location.to_string(),
        Point::Watch(watch) => watch.expression.clone(),
        Point::Catch(catch) => catch.to_string(),
    };
    let once = if request.temporary { "temporary " } else { "" };
    let once = if request.hardware { format!("{once}hardware ") } else { once.to_owned() };
    let mut head = format!("{once}{kind} {}: {what}", request.id);
    if let [(ranks, site)] = breakpoint.sites.as_slice()
        && *ranks == breakpoint.ranks
    {
        let is_named = |place| request.point.place().is_some_and(|asked| asked.names(place));
        head.push_str(&place(site.source.as_ref().filter(|place| !is_named(place)), None));
        if site.source.is_none()
            && let Some(module) = &site.module
        {
            let _ = write!(head, " from {}", base(module));
        }
    } else if !breakpoint.armed.is_empty() {
        armed(&mut head, breakpoint);
    } else if for_start {
        head.push_str(", set when the job starts again (\"run\")");
    } else if breakpoint.sites.is_empty() && !breakpoint.silent.is_empty() {
        // The words about silent ranks follow.
    } else if breakpoint.sites.is_empty() {
        let missing = match &request.point {
            Point::Place(location) => location.absence(),
            Point::Watch(_) | Point::Catch(_) => "no location yet".to_owned(),
        };
        let _ = write!(head, ", {missing}: pending until a library defines it");
    } else {
        let _ = match breakpoint.sites.len() {
            1 => write!(head, ", 1 place"),
            many => write!(head, ", {many} places"),
        };
        head.push_str(&several_files(breakpoint));
    }
    if !breakpoint.silent.is_empty() {
        let _ = write!(head, ", not confirmed yet by {}", breakpoint.silent);
    }
    if let PointAction::Trace(expressions) = &request.action {
        let _ = write!(head, ", shows {}", expressions.join(", "));
    }
    if let Some(condition) = &request.condition {
        let _ = write!(head, ", if {condition}");
    }
    if breakpoint.passing.total() > 0 {
        let _ = write!(head, ", after {}", in_parts(&breakpoint.passing, &breakpoint.ranks));
    }
    if let Some(thread) = request.thread {
        let _ = write!(head, ", thread {thread}");
    }
    if !request.enabled {
        head.push_str(", disabled");
    }
    if let Some(hits) = hits_words(breakpoint) {
        let _ = write!(head, ", {hits}");
    }
    let mut lines = vec![of(&breakpoint.ranks, head)];
    if breakpoint.sites.len() > 1 || breakpoint.sites.iter().any(|(ranks, _)| *ranks != breakpoint.ranks) {
        for (ranks, site) in &breakpoint.sites {
            let function = site.function.as_deref().unwrap_or("??");
            let code = CodePlace { module: site.module.clone(), offset: site.offset, address: site.address };
            lines.push(of(ranks, format!("  {function}{}", place(site.source.as_ref(), Some(&code)))));
        }
    }
    lines
}

/// Names the files of the program if a function is in several of them, and how to choose one: a library may have a function
/// of the same name, by chance.
fn several_files(breakpoint: &Breakpoint) -> String {
    let Point::Place(LocationSpec::Function(name)) = &breakpoint.request.point else { return String::new() };
    let sites = || breakpoint.sites.iter().map(|(_, site)| site);
    let mut files: Vec<&str> = Vec::new();
    for file in sites().filter_map(|site| site.module.as_deref()).map(base) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let [others @ .., last] = files.as_slice() else { return String::new() };
    if others.is_empty() {
        return String::new();
    }
    let own = sites().find_map(|site| site.source.as_ref()).filter(|_| !name.contains(':'));
    let one = own.map_or_else(String::new, |place| format!(" (only one: break {}:{name})", base(&place.file)));
    format!(" in {} and {last}{one}", others.join(", "))
}

fn armed(head: &mut String, breakpoint: &Breakpoint) {
    for (ranks, armed) in &breakpoint.armed {
        let how = match armed {
            Armed::Hardware => ", in hardware",
            Armed::Software(_) => ", by stepping every instruction",
            Armed::Events => "",
            Armed::Pending => match &breakpoint.request.point {
                Point::Watch(_) if breakpoint.request.enabled => ", pending: the program has not started",
                Point::Watch(_) => "",
                Point::Place(_) | Point::Catch(_) => ", pending: its library is not loaded yet",
            },
        };
        head.push_str(how);
        if let Armed::Software(why) = armed {
            let _ = write!(head, " ({why})");
        }
        if *ranks != breakpoint.ranks {
            let _ = write!(head, " on [{ranks}]");
        }
    }
}
