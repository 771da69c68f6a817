//! Hit counts in words: over all ranks, and for each rank, which is the count that gdb shows.

use model::{Breakpoint, ProcessSet, Tally};

/// Up to so many distinct counts are listed with their ranks; of more, only the smallest and the largest.
const MOST_PARTS: usize = 4;

/// Formats `8 hits (2 each)`; `None` if there is no hit.
pub fn hits_words(breakpoint: &Breakpoint) -> Option<String> {
    let hits = &breakpoint.hits;
    let total = hits.total();
    let ranks = hits.groups().iter().fold(breakpoint.ranks.clone(), |sum, (ranks, _)| sum.union(ranks));
    Some(match (total, ranks.len()) {
        (0, _) => return None,
        (1, 1) => "1 hit".to_owned(),
        (_, 1) => format!("{total} hits"),
        _ => {
            let noun = if total == 1 { "hit" } else { "hits" };
            let each = match hits.groups() {
                [(those, number)] if *those == ranks => format!("{number} each"),
                _ => in_parts(hits, &ranks),
            };
            format!("{total} {noun} ({each})")
        }
    })
}

/// As `hits_words`, where space is scarce.
pub fn hits_short(breakpoint: &Breakpoint) -> String {
    let hits = &breakpoint.hits;
    let (least, greatest) = (hits.least(&breakpoint.ranks), hits.greatest());
    match hits.total() {
        0 => String::new(),
        1 => "1 hit".to_owned(),
        total if breakpoint.ranks.len() <= 1 => format!("{total} hits"),
        total if least == greatest => format!("{total} hits, {least} each"),
        total => format!("{total} hits, {least} to {greatest} each"),
    }
}

/// Formats one number for all ranks, or each with its ranks: `3`, `2 on [0], 1 on [2-3]`.
pub fn in_parts(tally: &Tally, among: &ProcessSet) -> String {
    match tally.groups() {
        [(ranks, number)] if ranks == among => number.to_string(),
        groups if groups.len() <= MOST_PARTS => {
            let parts = groups.iter().map(|(ranks, number)| format!("{number} on [{ranks}]"));
            parts.collect::<Vec<_>>().join(", ")
        }
        _ => format!("{} to {} each", tally.least(among), tally.greatest()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{BreakpointId, BreakpointRequest, LocationSpec};

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_told_in_all_and_for_each_rank() {
        let request = BreakpointRequest::at(BreakpointId(1), LocationSpec::Function("f".into()));
        let mut point = Breakpoint::asked(request, set("0-7"));
        assert_eq!((hits_words(&point), hits_short(&point)), (None, String::new()));
        point.hits.add(&set("0"), 1);
        assert_eq!((hits_words(&point).unwrap(), hits_short(&point)), ("1 hit (1 on [0])".into(), "1 hit".into()));
        point.hits.add(&set("1-7"), 1);
        assert_eq!(
            (hits_words(&point).unwrap(), hits_short(&point)),
            ("8 hits (1 each)".into(), "8 hits, 1 each".into())
        );
        point.hits.add(&set("0"), 2);
        assert_eq!(hits_words(&point).unwrap(), "10 hits (3 on [0], 1 on [1-7])");
        assert_eq!(hits_short(&point), "10 hits, 1 to 3 each");
        (1..6u32).for_each(|rank| point.hits.add(&set(&rank.to_string()), u64::from(rank)));
        assert_eq!(hits_words(&point).unwrap(), "25 hits (1 to 6 each)");
        let mut alone = Breakpoint::asked(point.request.clone(), set("0"));
        alone.hits.add(&set("0"), 4);
        assert_eq!((hits_words(&alone).unwrap(), hits_short(&alone)), ("4 hits".into(), "4 hits".into()));
    }
}
