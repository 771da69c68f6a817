//! Breakpoints, watchpoints and catchpoints as JSON.

use super::json_object::Object;
use model::{Armed, Breakpoint, PointAction, ProcessSet, Site, Tally};

pub(super) fn breakpoint(breakpoint: &Breakpoint) -> Object {
    let request = &breakpoint.request;
    let sites: Vec<Object> =
        breakpoint.sites.iter().map(|(ranks, place)| site(ranks, place, &breakpoint.ranks)).collect();
    let object = Object::of_type("breakpoint").with("id", request.id).with("location", request.point.to_string());
    let object = object.ranks(&breakpoint.ranks).with("sites", sites).with("enabled", request.enabled);
    let object = object.with("hits", breakpoint.hits.total()).maybe("condition", request.condition.as_ref());
    let object = object.maybe("hits_by_rank", by_rank(&breakpoint.hits));
    // The hits still to ignore: the largest number, and each rank's.
    let after = Some(breakpoint.passing.greatest()).filter(|&n| n > 0);
    let object = object.maybe("after", after).maybe("after_by_rank", by_rank(&breakpoint.passing));
    let object = object.maybe("thread", request.thread);
    let object = object.maybe("temporary", Some(true).filter(|_| request.temporary));
    let object = object.maybe("hardware", Some(true).filter(|_| request.hardware));
    let object = match &request.action {
        PointAction::Stop => object,
        PointAction::Barrier => object.with("barrier", true),
        PointAction::Trace(expressions) => object.with("trace", expressions),
    };
    let object = object.maybe("kind", Some(request.point.word()).filter(|_| request.point.place().is_none()));
    if breakpoint.armed.is_empty() {
        return object;
    }
    let armed: Vec<Object> =
        breakpoint.armed.iter().map(|(ranks, how)| armed_way(how).maybe("ranks", other(ranks, breakpoint))).collect();
    object.with("armed", armed)
}

/// Returns a number for each rank; `None` if all are 0.
fn by_rank(tally: &Tally) -> Option<Vec<Object>> {
    let part = |(ranks, number): &(ProcessSet, u64)| Object::default().ranks(ranks).with("number", number);
    let parts: Vec<Object> = tally.groups().iter().map(part).collect();
    Some(parts).filter(|parts| !parts.is_empty())
}

/// Returns the ranks unless they are all of the breakpoint's.
fn other(ranks: &ProcessSet, breakpoint: &Breakpoint) -> Option<String> {
    Some(ranks.to_string()).filter(|_| *ranks != breakpoint.ranks)
}

fn armed_way(armed: &Armed) -> Object {
    let way = |word: &str| Object::default().with("way", word);
    match armed {
        Armed::Hardware => way("hardware"),
        Armed::Software(why) => way("software").with("why", why),
        Armed::Events => way("events"),
        Armed::Pending => way("pending"),
    }
}

fn site(ranks: &ProcessSet, site: &Site, all: &ProcessSet) -> Object {
    let object = Object::default().maybe("ranks", Some(ranks.to_string()).filter(|_| ranks != all));
    let object = object.address(site.address).maybe("function", site.function.as_deref());
    let object = object.source(site.source.as_ref()).maybe("module", site.module.as_deref());
    object.with("offset", format!("{:#x}", site.offset))
}
