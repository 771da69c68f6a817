//! A tree of key sequences for each scope; bindings of a view take precedence over those that apply anywhere.

use super::{Chord, ChordError};
use crate::action::{ACTIONS, Action, Scope, ViewId};
use model::did_you_mean;
use std::collections::BTreeMap;

/// The meaning of the keys pressed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The keys are bound to an action.
    Action(Action),
    /// The beginning of longer sequences: the keys that may follow, each with its action; `None` for a longer prefix.
    Prefix(Vec<(Chord, Option<Action>)>),
    /// The keys are not bound.
    None,
}

#[derive(Clone, Debug, Default)]
struct Node {
    action: Option<Action>,
    next: Vec<(Chord, Node)>,
}

/// The bindings of keys to actions, by scope.
#[derive(Clone, Debug)]
pub struct KeyMap {
    scopes: BTreeMap<Scope, Node>,
}

impl Default for KeyMap {
    fn default() -> Self {
        let mut map = Self { scopes: BTreeMap::new() };
        for row in ACTIONS {
            for keys in row.keys {
                // A test checks the table; a row that cannot be parsed binds nothing.
                let _ = map.bind(row.scope, keys, Some(row.action));
            }
        }
        map
    }
}

impl KeyMap {
    /// Binds a sequence, or unbinds it with `None`. The last binding wins: longer sequences that begin with this one
    /// are unbound, and so are its own beginnings.
    pub fn bind(&mut self, scope: Scope, keys: &str, action: Option<Action>) -> Result<(), ChordError> {
        let chords = Chord::parse_sequence(keys)?;
        let mut node = self.scopes.entry(scope).or_default();
        for chord in chords {
            node.action = None;
            let at = match node.next.iter().position(|next| next.0 == chord) {
                Some(at) => at,
                None => {
                    node.next.push((chord, Node::default()));
                    node.next.len() - 1
                }
            };
            node = &mut node.next[at].1;
        }
        *node = Node { action, next: Vec::new() };
        Ok(())
    }

    /// Changes bindings as a configuration file says: `"ctrl-x" = "go"`, `"q" = "none"`, and tables named after views
    /// for keys of one view. Skips faulty entries and returns a message for each.
    pub fn configure(&mut self, table: &toml::Table) -> Vec<String> {
        let mut faults = Vec::new();
        for (key, value) in table {
            let mut scopes =
                ViewId::ALL.into_iter().map(Scope::In).chain([Scope::Search, Scope::Requests, Scope::Page]);
            match (scopes.find(|scope| scope.name() == key), value) {
                (Some(scope), toml::Value::Table(inner)) => {
                    for (key, value) in inner {
                        faults.extend(self.configure_one(scope, key, value));
                    }
                }
                _ => faults.extend(self.configure_one(Scope::Anywhere, key, value)),
            }
        }
        faults
    }

    fn configure_one(&mut self, scope: Scope, keys: &str, value: &toml::Value) -> Option<String> {
        let Some(name) = value.as_str() else {
            return Some(format!("the key {keys:?} needs the name of an action, or \"none\""));
        };
        let action = Action::parse(name);
        if action.is_none() && name != "none" {
            let known = ACTIONS.iter().map(|row| row.name);
            let advice = did_you_mean(name, known, "\"rankscope keys\" lists them");
            return Some(format!("unknown action {name:?} for the key {keys:?}; {advice}"));
        }
        self.bind(scope, keys, action).err().map(|error| error.to_string())
    }

    /// Looks up the keys pressed so far in a view; bindings of an active search come first.
    pub fn look_up(&self, view: ViewId, searching: bool, pressed: &[Chord]) -> Lookup {
        let search = searching.then_some(Scope::Search);
        let scopes = search.into_iter().chain([Scope::In(view), Scope::Anywhere]);
        let found: Vec<&Node> = scopes.filter_map(|scope| self.node(scope, pressed)).collect();
        if let Some(action) = found.iter().find_map(|node| node.action) {
            return Lookup::Action(action);
        }
        let mut next: Vec<(Chord, Option<Action>)> = Vec::new();
        for (chord, node) in found.iter().flat_map(|node| &node.next) {
            if !next.iter().any(|known| known.0 == *chord) {
                next.push((*chord, node.action));
            }
        }
        if next.is_empty() { Lookup::None } else { Lookup::Prefix(next) }
    }

    /// Looks up a key in the dialog of requests. Few keys keep their usual meaning there: one pressed while the dialog
    /// appears must not act on a job.
    pub fn look_up_requests(&self, pressed: Chord) -> Option<Action> {
        const KEPT: [Action; 7] =
            [Action::Up, Action::Down, Action::Top, Action::Bottom, Action::Halt, Action::Redraw, Action::Suspend];
        let action = |scope| self.node(scope, &[pressed]).and_then(|node| node.action);
        action(Scope::Requests).or_else(|| action(Scope::Anywhere).filter(|action| KEPT.contains(action)))
    }

    /// Looks up a key on a page. A key meant to close the page must not run the program: only keys that scroll, affect
    /// the screen alone or stop ranks keep their meaning, the last unless they are letters. Those that open a line,
    /// as `:`, keep theirs, since the text typed after them would otherwise be taken for keys.
    pub fn look_up_page(&self, pressed: Chord) -> Option<Action> {
        const KEPT: [Action; 8] = [
            Action::Up,
            Action::Down,
            Action::HalfUp,
            Action::HalfDown,
            Action::Top,
            Action::Bottom,
            Action::Redraw,
            Action::Suspend,
        ];
        let action = |scope| self.node(scope, &[pressed]).and_then(|node| node.action);
        let is_kept = |action: &Action| {
            KEPT.contains(action)
                || action.opens_a_line()
                || action.view().is_some()
                || (*action == Action::Halt && pressed.typed().is_none())
        };
        action(Scope::Page).or_else(|| action(Scope::Anywhere).filter(is_kept))
    }

    fn node(&self, scope: Scope, pressed: &[Chord]) -> Option<&Node> {
        let mut node = self.scopes.get(&scope)?;
        for chord in pressed {
            node = &node.next.iter().find(|next| next.0 == *chord)?.1;
        }
        Some(node)
    }

    /// The sequences bound to an action, in the order of the scopes.
    pub fn keys_of(&self, action: Action) -> Vec<Vec<Chord>> {
        let mut found = Vec::new();
        for node in self.scopes.values() {
            collect(node, action, &mut Vec::new(), &mut found);
        }
        found
    }

    /// The first sequence bound to an action, as text; empty if there is none.
    pub fn first_key(&self, action: Action) -> String {
        let keys = self.keys_of(action);
        keys.first()
            .map(|keys| keys.iter().map(|chord| chord.short()).collect::<Vec<_>>().join(" "))
            .unwrap_or_default()
    }
}

fn collect(node: &Node, action: Action, path: &mut Vec<Chord>, found: &mut Vec<Vec<Chord>>) {
    if node.action == Some(action) {
        found.push(path.clone());
    }
    for (chord, next) in &node.next {
        path.push(*chord);
        collect(next, action, path, found);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn pressed(keys: &str) -> Vec<Chord> {
        Chord::parse_sequence(keys).unwrap()
    }

    #[test]
    fn every_default_key_reaches_its_action_and_no_other() {
        let map = KeyMap::default();
        for row in ACTIONS {
            assert!(!row.keys.is_empty(), "{} has no key", row.name);
            for keys in row.keys {
                for view in ViewId::ALL {
                    let here = match row.scope {
                        Scope::In(own) => own == view,
                        Scope::Anywhere | Scope::Search => true,
                        Scope::Requests => {
                            let [chord] = pressed(keys)[..] else { panic!("{keys:?} is a sequence") };
                            assert_eq!(map.look_up_requests(chord), Some(row.action));
                            false
                        }
                        Scope::Page => {
                            let [chord] = pressed(keys)[..] else { panic!("{keys:?} is a sequence") };
                            assert_eq!(map.look_up_page(chord), Some(row.action));
                            false
                        }
                    };
                    let searching = row.scope == Scope::Search;
                    let means = map.look_up(view, searching, &pressed(keys)) == Lookup::Action(row.action);
                    assert!(means || !here, "{keys:?} in {} does not mean {}", view.title(), row.name);
                }
            }
        }
    }

    #[test]
    fn names_are_unique_and_sentences_are_sentences() {
        let mut names = HashSet::new();
        for row in ACTIONS {
            assert!(names.insert(row.name), "{} twice", row.name);
            assert!(row.sentence.ends_with('.'), "{}", row.name);
            assert_eq!(Action::parse(row.name), Some(row.action));
        }
    }

    #[test]
    fn n_steps_unless_a_search_is_active() {
        let map = KeyMap::default();
        let means = |searching, key| map.look_up(ViewId::Source, searching, &pressed(key));
        assert_eq!(means(false, "n"), Lookup::Action(Action::Next));
        assert_eq!(means(true, "n"), Lookup::Action(Action::MatchNext));
        assert_eq!(means(true, "N"), Lookup::Action(Action::MatchPrevious));
        assert_eq!(means(false, "N"), Lookup::Action(Action::SearchPrevious), "nothing that runs ranks");
        assert_eq!(means(true, "s"), Lookup::Action(Action::Step));
    }

    #[test]
    fn on_a_page_nothing_runs_the_program() {
        let map = KeyMap::default();
        for row in ACTIONS.iter().filter(|row| row.group == crate::action::Group::Run) {
            for keys in row.keys {
                let found = map.look_up_page(pressed(keys)[0]);
                assert!(found != Some(row.action) || *keys == "ctrl-c", "{keys:?} is {found:?}");
            }
        }
        assert_eq!(map.look_up_page(pressed("ctrl-c")[0]), Some(Action::Halt));
    }

    #[test]
    fn a_prefix_says_what_may_follow() {
        let map = KeyMap::default();
        let Lookup::Prefix(next) = map.look_up(ViewId::Source, false, &pressed("g")) else { panic!("g is a prefix") };
        assert!(next.contains(&(Chord::parse("s").unwrap(), Some(Action::FocusStopped))));
        assert_eq!(map.look_up(ViewId::Source, false, &pressed("g Q")), Lookup::None);
    }

    #[test]
    fn a_configuration_changes_keys_and_its_faults_are_told() {
        let mut map = KeyMap::default();
        let table = "\"ctrl-x\" = \"go\"\nq = \"none\"\nwxy = \"go\"\nz = \"fly\"\n[ranks]\nx = \"mark\"\n";
        let faults = map.configure(&table.parse().unwrap());
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert_eq!(map.look_up(ViewId::Source, false, &pressed("ctrl-x")), Lookup::Action(Action::Go));
        assert_eq!(map.look_up(ViewId::Source, false, &pressed("q")), Lookup::None);
        assert_eq!(map.look_up(ViewId::Ranks, false, &pressed("x")), Lookup::Action(Action::Mark));
        assert_eq!(map.look_up(ViewId::Source, false, &pressed("x")), Lookup::Action(Action::StepInstruction));
        assert_eq!(map.look_up(ViewId::Source, false, &pressed("z")), Lookup::Action(Action::Zoom));
    }

    #[test]
    fn what_was_bound_last_holds() {
        let mut map = KeyMap::default();
        map.bind(Scope::Anywhere, "g", Some(Action::Go)).unwrap();
        assert_eq!(map.look_up(ViewId::Ranks, false, &pressed("g")), Lookup::Action(Action::Go));
        assert_eq!(map.look_up(ViewId::Ranks, false, &pressed("g g")), Lookup::None);
        map.bind(Scope::Anywhere, "c c", Some(Action::Go)).unwrap();
        assert!(matches!(map.look_up(ViewId::Ranks, false, &pressed("c")), Lookup::Prefix(_)));
        map.bind(Scope::Anywhere, "q", None).unwrap();
        assert_eq!(map.look_up(ViewId::Ranks, false, &pressed("q")), Lookup::None);
        assert!(map.bind(Scope::Anywhere, "strg-q", None).is_err());
        assert_eq!(map.first_key(Action::Halt), "^C");
    }
}
