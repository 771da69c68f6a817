//! The libraries of ranks, with the counts of load and unload events.

use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{Library, LibraryEvents, ProcessSet};

/// The libraries and library events that these ranks share.
pub(in crate::report) type OfRanks = (ProcessSet, Vec<Library>, LibraryEvents);

/// Returns a line for each library, and for each number of events. Ranks with equal libraries have them listed once,
/// even if their event counts differ.
pub(in crate::report) fn text(lists: &[OfRanks]) -> Vec<String> {
    let mut alike: Vec<(ProcessSet, &[Library])> = Vec::new();
    for (ranks, list, _) in lists {
        match alike.iter_mut().find(|(_, known)| known == list) {
            Some((together, _)) => *together = together.union(ranks),
            None => alike.push((ranks.clone(), list)),
        }
    }
    let rows = alike.iter().flat_map(|(ranks, list)| list.iter().map(|row| of(ranks, line(row))));
    let met = lists.iter().filter(|(_, _, events)| events.seen > 0);
    let counts = met.map(|(ranks, _, LibraryEvents { seen, filtered, reported })| {
        of(ranks, format!("library events: {seen} seen, {filtered} filtered, {reported} reported"))
    });
    rows.chain(counts).collect()
}

fn line(library: &Library) -> String {
    let address = library.address.map_or_else(|| "(differs)".to_owned(), |address| address.to_string());
    let symbols = if library.debug_information { "" } else { " (no debug information)" };
    format!("{address} {}{symbols}", library.path)
}

/// Returns an object for ranks that share everything.
pub(in crate::report) fn json(lists: &[OfRanks]) -> Vec<Object> {
    lists.iter().map(object).collect()
}

fn object((ranks, libraries, events): &OfRanks) -> Object {
    let row = |library: &Library| {
        let row = Object::default().with("path", &library.path).address(library.address);
        row.with("debug_information", library.debug_information)
    };
    let LibraryEvents { seen, filtered, reported } = events;
    let events = Object::default().with("seen", seen).with("filtered", filtered).with("reported", reported);
    let rows: Vec<Object> = libraries.iter().map(row).collect();
    Object::of_type("libraries").ranks(ranks).with("libraries", rows).with("events", events)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::VirtualAddress;

    #[test]
    fn ranks_with_the_same_libraries_share_a_list_and_not_their_counts() {
        let library = |path: &str, address: u64| Library {
            path: path.into(),
            address: Some(VirtualAddress(address)),
            debug_information: true,
        };
        let events = |seen| LibraryEvents { seen, filtered: seen, reported: 0 };
        let one = vec![library("/lib/a.so", 0x1000)];
        let ranks = |text: &str| ProcessSet::parse(text).unwrap();
        let lists = [
            (ranks("0,3"), one.clone(), events(2)),
            (ranks("1-2"), one, events(1)),
            (ranks("4"), vec![library("/lib/a.so", 0x2000)], events(0)),
        ];
        assert_eq!(
            text(&lists),
            [
                "[0-3] 0x1000 /lib/a.so",
                "[4] 0x2000 /lib/a.so",
                "[0,3] library events: 2 seen, 2 filtered, 0 reported",
                "[1-2] library events: 1 seen, 1 filtered, 0 reported",
            ]
        );
        assert_eq!(json(&lists).len(), 3);
    }
}
