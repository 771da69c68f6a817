//! What `snapshot` and `compare snapshot` report: the kept snapshots, and what has changed since one was taken, once for
//! all ranks on which it changed alike.

use super::significant::{DIGITS, significant};
use crate::report::json_object::Object;
use crate::report::text_words::{frame_place, of};
use crate::report::values::printed;
use crate::state::{KeptValue, Snapshot};
use model::aif::FormatOptions;
use model::{Frame, ProcessSet, ValueSummary};
use rustc_hash::FxHashMap;

/// Different changes of a variable that are listed as text.
const MOST_LINES: usize = 20;

/// Different changes of a variable that are kept.
const MOST_CHANGES: usize = 1000;

/// Places of a snapshot that are listed as text.
const MOST_PLACES: usize = 4;

/// A report about snapshots.
#[derive(Clone, Debug, PartialEq)]
pub enum SnapshotReport {
    /// The snapshots that are kept.
    Kept(Vec<SnapshotRow>),
    /// The changes since one.
    Changes(Box<SnapshotChanges>),
}

impl SnapshotReport {
    pub(in crate::report) fn text(&self) -> Vec<String> {
        match self {
            Self::Kept(rows) if rows.is_empty() => vec!["no snapshots: \"snapshot\" takes one".to_owned()],
            Self::Kept(rows) => rows.iter().map(SnapshotRow::text).collect(),
            Self::Changes(changes) => changes.text(),
        }
    }

    pub(in crate::report) fn json(&self) -> Object {
        match self {
            Self::Kept(rows) => {
                let rows: Vec<Object> = rows.iter().map(SnapshotRow::json).collect();
                Object::of_type("snapshots").with("snapshots", rows)
            }
            Self::Changes(changes) => changes.json(),
        }
    }
}

/// A kept snapshot, as listed.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotRow {
    name: String,
    places: Vec<(ProcessSet, Frame)>,
    ranks: ProcessSet,
    variables: Vec<String>,
    bytes: usize,
}

impl SnapshotRow {
    /// Describes a snapshot.
    pub fn new(snapshot: &Snapshot) -> Self {
        Self {
            name: snapshot.name.clone(),
            places: snapshot.places.clone(),
            ranks: snapshot.ranks(),
            variables: snapshot.variables.iter().map(|kept| kept.name.clone()).collect(),
            bytes: snapshot.bytes(),
        }
    }

    fn text(&self) -> String {
        let places: Vec<String> = self.places.iter().take(MOST_PLACES).map(|(_, frame)| frame_place(frame)).collect();
        let more = match self.places.len().saturating_sub(MOST_PLACES) {
            0 => String::new(),
            more => format!(" and {more} more places"),
        };
        let count = match self.variables.len() {
            1 => "1 variable".to_owned(),
            count => format!("{count} variables"),
        };
        of(&self.ranks, format!("snapshot {}: {count} in {}{more}", self.name, places.join(", ")))
    }

    fn json(&self) -> Object {
        let place = |(ranks, frame): &(ProcessSet, Frame)| place(Object::default().ranks(ranks), frame);
        let object = Object::default().with("name", &self.name).ranks(&self.ranks);
        let object = object.with("places", self.places.iter().map(place).collect::<Vec<_>>());
        object.with("variables", &self.variables).with("bytes", self.bytes)
    }
}

fn place(object: Object, frame: &Frame) -> Object {
    object.maybe("function", frame.function.as_deref()).source(frame.source.as_ref())
}

/// A change of a variable, on the ranks that share it.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    ranks: ProcessSet,
    before: String,
    now: String,
}

/// A variable that has changed.
#[derive(Clone, Debug, PartialEq)]
struct ChangedVariable {
    name: String,
    changes: Vec<Change>,
    /// Different changes beyond those that are kept.
    more: usize,
}

/// The changes since a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotChanges {
    snapshot: String,
    /// The ranks that are compared.
    ranks: ProcessSet,
    /// The places of the ranks, then and now.
    moves: Vec<(ProcessSet, Frame, Frame)>,
    /// The ranks whose function is another one.
    elsewhere: ProcessSet,
    changed: Vec<ChangedVariable>,
    unchanged: Vec<String>,
    /// Variables that are only known now, and those that were only known then.
    fresh: Vec<String>,
    gone: Vec<String>,
}

/// True if both frames are of the same function.
pub fn is_same_function(before: &Frame, now: &Frame) -> bool {
    before.function.is_some() && before.function == now.function
}

impl SnapshotChanges {
    /// Compares two snapshots, on the ranks of both.
    pub(crate) fn new(before: &Snapshot, now: &Snapshot, limits: &FormatOptions) -> Self {
        let mut moves: Vec<(ProcessSet, Frame, Frame)> = Vec::new();
        for (ranks, there, here) in in_common(&before.places, &now.places) {
            moves.push((ranks, there.clone(), here.clone()));
        }
        moves.sort_by_key(|(ranks, ..)| ranks.first());
        let elsewhere = moves.iter().filter(|(_, there, here)| !is_same_function(there, here));
        let elsewhere = elsewhere.fold(ProcessSet::new(), |all, (ranks, ..)| all.union(ranks));
        let (mut changed, mut unchanged, mut fresh) = (Vec::new(), Vec::new(), Vec::new());
        let ranks = moves.iter().fold(ProcessSet::new(), |all, (ranks, ..)| all.union(ranks));
        let at_home = ranks.difference(&elsewhere);
        let among = |is_displayed: bool| if is_displayed { &ranks } else { &at_home };
        let is_on =
            |values: &[(ProcessSet, KeptValue)], ranks: &ProcessSet| values.iter().any(|(of, _)| of.meets(ranks));
        for variable in now.variables.iter().filter(|kept| is_on(&kept.values, among(kept.is_displayed))) {
            let ranks = among(variable.is_displayed);
            let name = variable.name.clone();
            let earlier = before.variable(&name, variable.is_displayed);
            let Some(earlier) = earlier.filter(|earlier| is_on(&earlier.values, ranks)) else {
                fresh.push(name);
                continue;
            };
            match changes(&earlier.values, &variable.values, ranks, limits) {
                (changes, _) if changes.is_empty() => unchanged.push(name),
                (changes, more) => changed.push(ChangedVariable { name, changes, more }),
            }
        }
        let is_gone = |name: &str, is_displayed, ranks: &ProcessSet| {
            let kept = now.variable(name, is_displayed);
            // Without any value, no rank has replied.
            kept.is_none_or(|kept| !kept.values.is_empty() && !is_on(&kept.values, ranks))
        };
        let gone = before.variables.iter().filter(|kept| {
            let ranks = among(kept.is_displayed);
            is_on(&kept.values, ranks) && is_gone(&kept.name, kept.is_displayed, ranks)
        });
        let gone = gone.map(|kept| kept.name.clone()).collect();
        Self { snapshot: before.name.clone(), ranks, moves, elsewhere, changed, unchanged, fresh, gone }
    }

    fn text(&self) -> Vec<String> {
        let name = &self.snapshot;
        let mut lines = Vec::new();
        for (ranks, there, here) in self.moves.iter().take(MOST_LINES) {
            let (was, is) = (frame_place(there), frame_place(here));
            let rest =
                if is_same_function(there, here) { "" } else { "; another function: its variables are not compared" };
            lines.push(of(ranks, format!("snapshot {name} in {was}, now in {is}{rest}")));
        }
        if self.moves.len() > MOST_LINES {
            lines.push(format!("  and {} more places", self.moves.len() - MOST_LINES));
        }
        for ChangedVariable { name, changes, more } in &self.changed {
            let shown = changes.iter().take(MOST_LINES);
            lines
                .extend(shown.map(|Change { ranks, before, now }| of(ranks, format!("{name} = {now} (was {before})"))));
            let more = changes.len().saturating_sub(MOST_LINES) + more;
            if more > 0 {
                lines.push(format!(
                    "  {name}: {more} more different changes; `[RANKS] compare snapshot` shows those of some"
                ));
            }
        }
        for (words, names) in
            [("unchanged", &self.unchanged), ("not in the snapshot", &self.fresh), ("only in the snapshot", &self.gone)]
        {
            if !names.is_empty() {
                lines.push(of(&self.ranks, format!("{words}: {}", names.join(", "))));
            }
        }
        lines
    }

    fn json(&self) -> Object {
        let moved = |(ranks, there, here): &(ProcessSet, Frame, Frame)| {
            let object = Object::default().ranks(ranks).with("before", place(Object::default(), there));
            object.with("now", place(Object::default(), here))
        };
        let change = |change: &Change| {
            Object::default().ranks(&change.ranks).with("before", &change.before).with("now", &change.now)
        };
        let changed = |variable: &ChangedVariable| {
            let object = Object::default().with("name", &variable.name);
            let object = object.with("changes", variable.changes.iter().map(change).collect::<Vec<_>>());
            object.maybe("more", Some(variable.more).filter(|more| *more > 0))
        };
        let object = Object::of_type("changes").ranks(&self.ranks).with("snapshot", &self.snapshot);
        let object = object.with("places", self.moves.iter().map(moved).collect::<Vec<_>>());
        let elsewhere = Some(&self.elsewhere).filter(|ranks| !ranks.is_empty());
        let object = object.maybe("other_function", elsewhere.map(ToString::to_string));
        let object = object.with("changed", self.changed.iter().map(changed).collect::<Vec<_>>());
        object.with("unchanged", &self.unchanged).with("not_before", &self.fresh).with("only_before", &self.gone)
    }
}

/// Returns what ranks have in two lists, with the ranks that share both.
fn in_common<'a, T, U>(
    before: &'a [(ProcessSet, T)],
    now: &'a [(ProcessSet, U)],
) -> impl Iterator<Item = (ProcessSet, &'a T, &'a U)> {
    now.iter().flat_map(move |(ranks, here)| {
        let mut rest = ranks.clone();
        before.iter().filter_map(move |(of, there)| {
            let common = if rest.is_empty() { return None } else { rest.intersection(of) };
            rest.remove_all(&common);
            (!common.is_empty()).then_some((common, there, here))
        })
    })
}

/// Returns the changes of a value on some ranks, those of the lowest ranks first, and how many more there are.
fn changes(
    before: &[(ProcessSet, KeptValue)],
    now: &[(ProcessSet, KeptValue)],
    ranks: &ProcessSet,
    limits: &FormatOptions,
) -> (Vec<Change>, usize) {
    let mut found: Vec<Change> = Vec::new();
    let mut places: FxHashMap<(String, String), usize> = FxHashMap::default();
    let limits = limits.on_one_line();
    for (common, was, is) in in_common(before, now) {
        let common = common.intersection(ranks);
        if common.is_empty() || is_same(was, is, &limits) {
            continue;
        }
        let (before, now) = (text(was, &limits), text(is, &limits));
        let at = *places.entry((before.clone(), now.clone())).or_insert(found.len());
        match found.get_mut(at) {
            Some(change) => change.ranks.extend_with(&common),
            None => found.push(Change { ranks: common, before, now }),
        }
    }
    found.sort_by_key(|change| change.ranks.first());
    let more = found.len().saturating_sub(MOST_CHANGES);
    found.truncate(MOST_CHANGES);
    (found, more)
}

/// True if nothing differs that a print without limits would show.
fn is_same(before: &KeptValue, now: &KeptValue, limits: &FormatOptions) -> bool {
    let unlimited = FormatOptions { limit: usize::MAX, threshold: usize::MAX, max_depth: usize::MAX, ..*limits };
    match (before, now) {
        (KeptValue::Known(was), KeptValue::Known(is)) => {
            was == is || printed(was, None, &unlimited) == printed(is, None, &unlimited)
        }
        _ => before == now,
    }
}

fn text(value: &KeptValue, limits: &FormatOptions) -> String {
    match value {
        KeptValue::Known(datum) => printed(datum, None, limits),
        KeptValue::Unknown(why) => format!("<{why}>"),
        KeptValue::Summed(summary) => summary_words(summary, limits),
    }
}

/// Formats `1048576 values, min 0, max 1048575, mean 524287.5`.
fn summary_words(summary: &ValueSummary, limits: &FormatOptions) -> String {
    let count = summary.count;
    let Some(finite) = &summary.finite else {
        return format!("{count} values, about {:.0} distinct", summary.distinct.estimate());
    };
    let end =
        |kept: &[model::RankValue]| kept.first().map(|kept| printed(&kept.value, None, limits)).unwrap_or_default();
    let (min, max, mean) = (end(&finite.least), end(&finite.greatest), significant(finite.moments.mean.get(), DIGITS));
    format!("{count} values, min {min}, max {max}, mean {mean}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::KeptVariable;
    use model::{CodePlace, Datum, Rank};

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn frame(function: &str) -> Frame {
        let code = CodePlace { module: Some("/bin/a".into()), offset: 1, address: None };
        let function = Some(function.into());
        Frame { level: 0, function, source: None, code, inlined: false, guessed: false, thread: None }
    }

    fn number(value: u8) -> KeptValue {
        KeptValue::Known(Datum { descriptor: "is1".into(), data: vec![value], type_name: "int".into() })
    }

    fn variable(name: &str, values: &[(&str, u8)]) -> KeptVariable {
        let values = values.iter().map(|(ranks, value)| (set(ranks), number(*value))).collect();
        KeptVariable { name: name.into(), is_displayed: false, values }
    }

    fn snapshot(places: &[(&str, &str)], variables: Vec<KeptVariable>) -> Snapshot {
        let places = places.iter().map(|(ranks, function)| (set(ranks), frame(function))).collect();
        Snapshot { name: "1".into(), thread: None, places, variables }
    }

    #[test]
    fn a_change_is_told_once_for_the_ranks_that_share_it() {
        let before = snapshot(
            &[("0-3", "work")],
            vec![variable("i", &[("0-3", 1)]), variable("n", &[("0-3", 9)]), variable("s", &[("0,2", 0), ("1,3", 4)])],
        );
        let now = snapshot(
            &[("0-3", "work")],
            vec![variable("i", &[("0-3", 2)]), variable("n", &[("0-3", 9)]), variable("s", &[("0-1", 5), ("2-3", 4)])],
        );
        let changes = SnapshotChanges::new(&before, &now, &FormatOptions::default());
        let lines = changes.text();
        assert!(lines[0].starts_with("[0-3] snapshot 1 in work"), "{lines:?}");
        assert_eq!(
            lines[1..],
            [
                "[0-3] i = 2 (was 1)",
                "[0] s = 5 (was 0)",
                "[1] s = 5 (was 4)",
                "[2] s = 4 (was 0)",
                "[0-3] unchanged: n"
            ]
        );
    }

    #[test]
    fn ranks_in_another_function_are_told_and_compared_by_what_is_displayed_alone() {
        let displayed = |value| KeptVariable { is_displayed: true, ..variable("total", &[("0-3", value)]) };
        let before = snapshot(&[("0-3", "work")], vec![variable("i", &[("0-3", 1)]), displayed(1)]);
        let now = snapshot(
            &[("0-1", "work"), ("2-5", "main")],
            vec![variable("i", &[("0-5", 2)]), variable("j", &[("2-5", 1)]), displayed(2)],
        );
        let changes = SnapshotChanges::new(&before, &now, &FormatOptions::default());
        let json = serde_json::to_value(changes.json()).unwrap();
        assert_eq!((&json["ranks"], &json["other_function"]), (&"0-3".into(), &"2-3".into()), "{json}");
        assert_eq!(json["changed"][0]["changes"][0]["ranks"], "0-1");
        assert_eq!(json["changed"][1]["changes"][0]["ranks"], "0-3");
        assert!(json["not_before"].as_array().unwrap().is_empty(), "j is of another function: {json}");
        assert!(changes.text().iter().any(|line| line.starts_with("[2-3]") && line.ends_with("are not compared")));
    }

    #[test]
    fn variables_of_one_side_are_named_and_many_changes_are_cut_short() {
        let ranks: Vec<String> = (0..30).map(|rank| rank.to_string()).collect();
        let all: Vec<(&str, u8)> = ranks.iter().map(String::as_str).zip(100..).collect();
        let then = ["r", "old", "silent"].map(|name| variable(name, &[("0-29", 0)]));
        let before = snapshot(&[("0-29", "work")], then.to_vec());
        let all = vec![variable("r", &all), variable("new", &[("0-29", 0)]), variable("silent", &[])];
        let now = snapshot(&[("0-29", "work")], all);
        let lines = SnapshotChanges::new(&before, &now, &FormatOptions::default()).text();
        assert!(lines.iter().any(|line| line.starts_with("  r: 10 more different changes")), "{lines:?}");
        assert!(lines.contains(&"[0-29] not in the snapshot: new".to_owned()), "{lines:?}");
        assert!(lines.contains(&"[0-29] only in the snapshot: old".to_owned()), "{lines:?}");
    }

    #[test]
    fn values_that_were_summed_up_are_compared_as_a_whole() {
        let summed = |first: u8| {
            let mut summary = ValueSummary::default();
            for rank in 0..8u8 {
                let datum = Datum { descriptor: "is1".into(), data: vec![first + rank], type_name: "int".into() };
                summary.add(&ProcessSet::one(Rank(rank.into())), &datum);
            }
            let values = vec![(set("0-7"), KeptValue::Summed(Box::new(summary)))];
            snapshot(&[("0-7", "work")], vec![KeptVariable { name: "r".into(), is_displayed: false, values }])
        };
        let lines = SnapshotChanges::new(&summed(0), &summed(1), &FormatOptions::default()).text();
        assert_eq!(lines[1], "[0-7] r = 8 values, min 1, max 8, mean 4.5 (was 8 values, min 0, max 7, mean 3.5)");
        assert_eq!(
            SnapshotChanges::new(&summed(1), &summed(1), &FormatOptions::default()).text()[1],
            "[0-7] unchanged: r"
        );
    }
}
