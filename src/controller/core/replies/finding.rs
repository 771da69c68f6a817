//! Reports what ranks have found.

use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::report::Content;
use model::{Answer, SymbolQuery};

pub(super) fn symbols(core: &mut Interpreter, id: CommandId, query: &SymbolQuery, quiet: bool, good: Answers) {
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::SymbolList(list) => Some((ranks, *list)),
        _ => None,
    });
    for (ranks, list) in by_content(lists.collect::<Vec<_>>()) {
        core.say(id, Content::Symbols { ranks, query: Box::new(query.clone()), quiet, list: Box::new(list) });
    }
}

pub(super) fn bytes(core: &mut Interpreter, id: CommandId, limited: bool, good: Answers) {
    let found = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::BytesFound(found) => Some((ranks, found)),
        _ => None,
    });
    for (ranks, found) in by_content(found.collect::<Vec<_>>()) {
        core.say(id, Content::BytesFound { ranks, found, limited });
    }
    // `$_` and `$numfound` have changed.
    core.views.stale_values();
}

pub(super) fn process(core: &mut Interpreter, id: CommandId, good: Answers) {
    let facts = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::ProcessFacts(facts) => Some((ranks, *facts)),
        _ => None,
    });
    for (ranks, facts) in by_content(facts.collect::<Vec<_>>()) {
        core.say(id, Content::ProcessFacts(ranks, Box::new(facts)));
    }
}
