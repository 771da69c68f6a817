//! Counts of answers that agreed and that did not.

use crate::known::{reason, with_short_strings};
use crate::stage::Engine;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A question with two different answers.
pub struct Difference {
    pub place: String,
    pub question: String,
    pub ours: String,
    pub gdb: String,
}

/// The counts for one program, or for all.
pub struct Tally {
    engine: Engine,
    pub stops: usize,
    /// Printed values that were text, not data, by type: their number and an example.
    texts: BTreeMap<String, (usize, String)>,
    /// Equal answers, by kind of question.
    agreed: BTreeMap<&'static str, usize>,
    differing: BTreeMap<&'static str, usize>,
    /// Differences with a reason that is no fault of ours.
    explained: BTreeMap<&'static str, usize>,
    /// Differences by kind of question and likely cause.
    differences: BTreeMap<(&'static str, &'static str), Vec<Difference>>,
}

/// The beginning of the answer to a refused question.
pub const REFUSED: &str = "error: ";

/// gdb failed in the middle of a list.
pub const GIVES_UP: &str = "error: it gives up";

/// Most characters written of one difference.
const LONGEST: usize = 400;
/// Default for the number of examples written per cause.
const EXAMPLES: usize = 6;

impl Tally {
    /// An empty tally.
    pub fn of(engine: Engine) -> Self {
        let counts = BTreeMap::new;
        let differences = BTreeMap::new();
        let texts = BTreeMap::new();
        Self { engine, stops: 0, texts, agreed: counts(), differing: counts(), explained: counts(), differences }
    }

    /// Compares two answers. Two refusals are equal; their words may differ.
    pub fn compare(&mut self, kind: &'static str, place: &str, question: &str, ours: &str, gdb: &str) {
        if refuses(ours) && refuses(gdb) {
            *self.agreed.entry("refused").or_default() += 1;
            return;
        }
        if ours == gdb || with_short_strings(ours) == with_short_strings(gdb) {
            *self.agreed.entry(kind).or_default() += 1;
            return;
        }
        let difference =
            Difference { place: place.into(), question: question.into(), ours: ours.into(), gdb: gdb.into() };
        // The gdb engine must not differ from gdb.
        if let Some(why) = reason(&difference).filter(|_| self.is_of_native()) {
            *self.explained.entry(why).or_default() += 1;
            return;
        }
        *self.differing.entry(kind).or_default() += 1;
        self.differences.entry((kind, cause(ours, gdb))).or_default().push(difference);
    }

    /// True if the native engine is under test, which may have reasons to differ.
    pub fn is_of_native(&self) -> bool {
        self.engine == Engine::Native
    }

    pub fn explain(&mut self, why: &'static str) {
        *self.explained.entry(why).or_default() += 1;
    }

    pub fn text(&mut self, type_name: &str, question: &str) {
        let (count, _) = self.texts.entry(type_name.to_owned()).or_insert_with(|| (0, question.to_owned()));
        *count += 1;
    }

    pub fn add(&mut self, other: Self) {
        self.stops += other.stops;
        for (type_name, (count, example)) in other.texts {
            self.texts.entry(type_name).or_insert((0, example)).0 += count;
        }
        let counts = [(&mut self.agreed, other.agreed), (&mut self.differing, other.differing)];
        for (mine, theirs) in counts.into_iter().chain([(&mut self.explained, other.explained)]) {
            theirs.into_iter().for_each(|(kind, count)| *mine.entry(kind).or_default() += count);
        }
        for (key, more) in other.differences {
            self.differences.entry(key).or_default().extend(more);
        }
    }

    /// Number of printed values that were text.
    pub fn texts(&self) -> usize {
        self.texts.values().map(|(count, _)| count).sum()
    }

    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.differences.values().flatten()
    }

    pub fn compared(&self) -> usize {
        self.agreed.values().sum::<usize>()
            + self.differing.values().sum::<usize>()
            + self.explained.values().sum::<usize>()
    }

    /// Totals, and the differences by cause, most frequent first.
    pub fn report(&self) -> String {
        let mut text = String::new();
        let agreed: usize = self.agreed.values().sum();
        let rate = 100.0 * agreed as f64 / self.compared().max(1) as f64;
        writeln!(text, "{} stops, {} answers compared, {rate:.2} % equal", self.stops, self.compared()).unwrap();
        let kinds: std::collections::BTreeSet<_> = self.agreed.keys().chain(self.differing.keys()).collect();
        for kind in kinds {
            let (same, other) = (self.agreed.get(kind).unwrap_or(&0), self.differing.get(kind).unwrap_or(&0));
            writeln!(text, "  {kind:10} {same:7} equal {other:6} not").unwrap();
        }
        if self.engine == Engine::Gdb {
            writeln!(text, "  {} printed values came as text, not as data", self.texts()).unwrap();
            let mut texts: Vec<_> = self.texts.iter().collect();
            texts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
            for (type_name, (count, example)) in texts.into_iter().take(EXAMPLES) {
                writeln!(text, "    {count} of type {type_name}, as {example}").unwrap();
            }
        }
        for (why, count) in &self.explained {
            writeln!(text, "  {count} explained: {why}").unwrap();
        }
        let asked = std::env::var("RANKSCOPE_DIFFERENTIAL_EXAMPLES").ok().and_then(|number| number.parse().ok());
        let (examples, longest) = asked.map_or((EXAMPLES, LONGEST), |number: usize| (number.max(1), 20 * LONGEST));
        let mut causes: Vec<_> = self.differences.iter().collect();
        causes.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
        for ((kind, cause), all) in causes {
            writeln!(text, "{} × {kind}: {cause}", all.len()).unwrap();
            for one in all.iter().step_by(all.len().div_ceil(examples)) {
                let same = one.ours.chars().zip(one.gdb.chars()).take_while(|(ours, gdb)| ours == gdb).count();
                // Long answers are shown from shortly before the first difference.
                let from = if same > longest / 2 { same - longest / 4 } else { 0 };
                let cut = |text: &str| text.chars().skip(from).take(longest).collect::<String>().replace('\n', "⏎");
                writeln!(
                    text,
                    "  {} {}\n    ours {}\n    gdb  {}",
                    one.place,
                    one.question,
                    cut(&one.ours),
                    cut(&one.gdb)
                )
                .unwrap();
            }
        }
        text
    }
}

/// True if an answer has no value: an error, or an error in place of the whole value.
fn refuses(answer: &str) -> bool {
    let whole = |rest: &str| rest.strip_suffix('>').is_some_and(|rest| !rest.contains(['<', '>']));
    answer.starts_with(REFUSED) || answer.strip_prefix("<error reading variable").is_some_and(whole)
}

/// Classifies a difference.
fn cause(ours: &str, gdb: &str) -> &'static str {
    let optimized = |text: &str| text.contains("optimized out");
    let error = |text: &str| text.starts_with(REFUSED);
    let place = |text: &str| text.contains("<repeats ");
    match (ours, gdb) {
        _ if optimized(ours) != optimized(gdb) => "optimized out on one side only",
        _ if error(ours) => "refused by us",
        _ if error(gdb) => "refused by gdb",
        _ if ours.is_empty() => "missing with us",
        _ if gdb.is_empty() => "not there with gdb",
        _ if place(ours) != place(gdb) => "repetitions",
        _ if ours.starts_with("<<") || ours.contains("incomplete type") => "a type that we cannot read",
        _ if ours.replace(' ', "") == gdb.replace(' ', "") => "blanks",
        _ if gdb.contains("std::") && !ours.contains("of length") => "the standard library",
        _ => "another answer",
    }
}
