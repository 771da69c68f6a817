//! The answer to `why`.

use super::json_object::Object;
use crate::why::{Edge, Since, Why};
use model::ProcessSet;

/// Formats the answer: its lines below each other.
pub(super) fn text(why: &Why) -> Vec<String> {
    let lines = why.text.iter().enumerate();
    lines.map(|(at, line)| format!("{}{line}", if at == 0 { "why: " } else { "     " })).collect()
}

pub(super) fn json(why: &Why) -> Object {
    let edge = |edge: &Edge| {
        let object = Object::default().with("from", edge.from.to_string()).with("to", edge.to.to_string());
        let object = object.maybe("call", edge.place.call.as_ref()).maybe("function", edge.place.function.as_ref());
        let object = object.source(edge.place.source.as_ref()).maybe("communicator", edge.communicator.as_ref());
        let object = object.maybe("thread", edge.place.thread);
        object.with("source", edge.source.word())
    };
    Object::of_type("why")
        .ranks(&why.ranks)
        .with("verdict", why.verdict.word())
        .with("guilty", why.guilty.to_string())
        .with("text", &why.text)
        .with("edges", why.edges.iter().map(edge).collect::<Vec<_>>())
        .with("samples", why.samples)
        .maybe("since", Some(&why.since).filter(|since| !since.is_empty()).map(since))
}

fn since(since: &Since) -> Object {
    let ranks = |set: &ProcessSet| Some(set).filter(|set| !set.is_empty()).map(ProcessSet::to_string);
    let object = Object::default().maybe("moved", ranks(&since.moved)).maybe("unmoved", ranks(&since.unmoved));
    object.maybe("unobserved", ranks(&since.unobserved))
}
