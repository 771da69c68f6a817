//! The variables of a frame, compared with gdb's lists of them.

use crate::compare::Stop;
use crate::judge::Judge;
use crate::tally::{GIVES_UP, REFUSED};

/// gdb's list of a frame.
struct Listed {
    variables: Vec<(String, String)>,
    /// The variable at which gdb gave up, after those in the list.
    broken: Option<String>,
}

/// Our variables that gdb listed before it gave up, and the value of the one at which it did.
fn up_to(
    ours: &[(String, String)],
    listed: &[(String, String)],
    broken: &str,
) -> (Vec<(String, String)>, Option<String>) {
    let mut left = listed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    let (mut before, mut at) = (Vec::new(), None);
    for (name, value) in ours {
        match left.iter().position(|known| known == name) {
            Some(found) => {
                left.remove(found);
                before.push((name.clone(), value.clone()));
            }
            None if name == broken && at.is_none() => at = Some(value.clone()),
            None => {}
        }
    }
    (before, at)
}

/// A list's text for an unavailable value, in the form in which unavailable values are compared.
fn as_refused(value: String) -> String {
    let why = value.strip_prefix("<error reading variable ").map(|why| format!("{REFUSED}{why}"));
    why.unwrap_or(value)
}

impl Stop<'_> {
    /// Compares all variables of a frame; returns the names of those that both have, with gdb's values.
    pub fn variables(&mut self, level: u32) -> Vec<(String, String)> {
        let mut names: Vec<(String, String)> = Vec::new();
        for arguments in [true, false] {
            let mut ours = self.witness.variables(level, arguments);
            // The machine interface omits variables that were optimised out.
            ours.sort_by(|(left, _), (right, _)| left.cmp(right));
            let names_of =
                |all: &[(String, String)]| all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
            let command = if arguments { "info args" } else { "info locals" };
            let Listed { variables: gdb, broken } = self.listed(command, &ours);
            if let Some(broken) = broken {
                let (theirs, refused) = up_to(&ours, &gdb, &broken);
                let refused = refused.map_or_else(String::new, as_refused);
                self.tally.compare("value", &self.place, &format!("#{level} {broken}"), &refused, GIVES_UP);
                ours = theirs;
            }
            let erred = self.judge.has_erred();
            let mishaps = std::mem::take(&mut self.judge.mishaps);
            let kind = if arguments { "arguments" } else { "locals" };
            if names_of(&ours) != names_of(&gdb) && self.has_moved() {
                continue;
            }
            if names_of(&ours) != names_of(&gdb) && erred && self.tally.is_of_native() {
                self.tally.explain("gdb meets an internal error while it lists variables");
                continue;
            }
            self.tally.compare(kind, &self.place, &format!("#{level}"), &names_of(&ours), &names_of(&gdb));
            let theirs = gdb;
            if names_of(&ours) != names_of(&theirs) {
                continue;
            }
            for ((name, ours), (_, gdb)) in ours.iter().zip(&theirs) {
                let gdb = if gdb.is_empty() && mishaps.contains(ours) { ours } else { gdb };
                let is_pack = theirs.iter().filter(|(other, _)| other == name).count() > 1;
                if ours != gdb && is_pack && self.tally.is_of_native() {
                    self.tally.explain("gdb shows one argument of a parameter pack for all of them");
                    continue;
                }
                if ours != gdb && !mishaps.is_empty() && self.printer_fails(name, gdb) {
                    continue;
                }
                let line = format!("{name} = {gdb}");
                let says = |judge: &mut Judge| judge.output(command).0.lines().any(|other| other == line);
                if ours != gdb && self.differs_from_itself(says) {
                    continue;
                }
                if !self.agrees_by_parts(level, name, ours, gdb) {
                    self.tally.compare("value", &self.place, &format!("#{level} {name}"), ours, gdb);
                }
                if !names.iter().any(|(known, _)| known == name) {
                    names.push((name.clone(), gdb.clone()));
                }
            }
        }
        names
    }

    /// gdb's list, by name: variables of inner blocks are in the order of gdb's hash table.
    fn listed(&mut self, command: &str, ours: &[(String, String)]) -> Listed {
        let (listed, refused) = self.judge.output(command);
        let line = |line: &str| line.split_once(" = ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut gdb: Vec<(String, String)> = listed.lines().filter_map(line).collect();
        // gdb has written the name before it gives up.
        let broken = refused.map(|_| {
            let last = listed.lines().last().unwrap_or_default();
            gdb.truncate(gdb.len() - usize::from(last.contains(" = ")));
            last.split(" =").next().unwrap_or_default().to_owned()
        });
        gdb.sort_by(|(left, _), (right, _)| left.cmp(right));
        let mishaps = std::mem::take(&mut self.judge.mishaps);
        self.without_labels(ours, &mut gdb);
        self.judge.mishaps = mishaps;
        Listed { variables: gdb, broken }
    }

    /// Removes labels without an address, which gdb treats as variables.
    fn without_labels(&mut self, ours: &[(String, String)], gdb: &mut Vec<(String, String)>) {
        gdb.retain(|(name, value)| {
            let suspect = value == "<optimized out>" && !ours.iter().any(|(own, _)| own == name);
            // gdb lists them but cannot find them.
            let label = suspect
                && match self.judge.command(&format!("whatis {name}")) {
                    Ok(ty) => ty.contains("CORE_ADDR"),
                    Err(why) => why.starts_with("No symbol "),
                };
            if label {
                self.tally.explain("gdb lists labels that are nowhere as variables");
            }
            !label
        });
    }
}

#[test]
fn a_list_that_is_given_up_is_compared_so_far() {
    let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let ours = [named("a", "1"), named("b", "<error reading variable b (no)>"), named("b", "2"), named("c", "3")];
    let (before, at) = up_to(&ours, &[named("c", "3")], "b");
    assert_eq!(before, [named("c", "3")]);
    assert_eq!(at.map(as_refused), Some(format!("{REFUSED}b (no)>")));
    let (before, at) = up_to(&ours, &[named("b", "?"), named("x", "?")], "b");
    assert_eq!(before, [named("b", "<error reading variable b (no)>")]);
    assert_eq!(at.map(as_refused), Some("2".to_owned()));
}
