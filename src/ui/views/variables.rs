//! View 4: displayed expressions, parameters and local variables of the frame, as a tree that expands on demand.

use super::across::{self, limited};
use super::list_rows::{absence, select};
use super::machine;
use super::reference::Compared;
use super::variable_row::Row;
use crate::action::ViewId;
use crate::part_path::{PartPath, target_of};
use crate::row_key::RowKey;
use crate::screen::{Pen, columns};
use crate::theme::Role;
use crate::values::{Part, Parts, Piece};
use crate::view::View;
use crate::views::variables_state::Content;
use controller::State;
use controller::state::{AcrossKey, Displayed, Lookup, Place, Shown, ShownVariable};
use model::aif::format;
use model::{PrintOptions, PrintSwitch, VariableValue};
use ratatui::layout::Rect;
use std::collections::HashMap;

/// Parts of an expanded value that are shown; `print` shows the rest.
const MOST: usize = 200;
/// Levels that can be expanded: a cyclic list must end somewhere.
const DEEPEST: usize = 40;

/// A type is hidden if there are fewer columns for it.
const LEAST_TYPE: usize = 6;

/// The rows of the view in its current mode.
pub(crate) fn rows(state: &State, view: &View) -> Vec<Row> {
    match view.variables.content {
        Content::Variables => {}
        Content::Registers => return machine::registers(state),
        Content::Libraries => return machine::libraries(state),
        Content::Across => return across::of_locals::rows(state, view.ascii),
    }
    let mut rows = Vec::new();
    let reference = Compared::chosen(state, view);
    for (number, shown) in state.displays.enabled() {
        displayed(&mut rows, state, view, number, shown);
    }
    let lists = || [&state.inspection.arguments, &state.inspection.locals];
    let all = || lists().into_iter().flat_map(|lookup| lookup.value().into_iter().flatten());
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for variable in all() {
        let before = seen.entry(&variable.name).or_default();
        let key = RowKey::of_variable(&variable.name, *before);
        *before += 1;
        // A snapshot has only the innermost of variables with the same name.
        let is_only = || all().filter(|other| other.name == variable.name).count() == 1;
        match &reference {
            Some(reference) => {
                let name = if is_only() { variable.name.as_str() } else { "" };
                let (variable, words) = reference.compared(variable, name, false);
                root(&mut rows, (state, view), &variable, &words, key);
            }
            None => root(&mut rows, (state, view), variable, "", key),
        }
    }
    rows
}

/// True if the row under the cursor has a value that can be assigned to: not `<optimized out>`, for one.
pub(crate) fn assignable(state: &State, view: &View) -> bool {
    let is_value = |row: &Row| row.value.as_ref().is_ok_and(|text| !text.starts_with('<'));
    !matches!(view.variables.content, Content::Libraries | Content::Across)
        && rows(state, view).get(view.variables.list.cursor).is_some_and(is_value)
}

fn displayed(rows: &mut Vec<Row>, state: &State, view: &View, number: u32, shown: &Displayed) {
    if let Some(place) = shown.place.as_ref().filter(|_| matches!(shown.shown, Shown::Value(_))) {
        return rows.push(displayed_there(state, number, shown, place));
    }
    let (heading, expression) = (shown.to_string(), &shown.expression);
    let found = state.inspection.expressions.iter().find(|(known, _)| known == expression);
    let at = rows.len();
    match found.map(|(_, lookup)| lookup) {
        Some(Lookup::Failed(failure)) => {
            rows.push(Row { value: Err(format!("<{}>", failure.message)), ..Row::leaf(expression) });
        }
        _ if matches!(shown.shown, Shown::Memory { .. }) => {
            rows.push(Row { value: Err("use the command \"display\"".to_owned()), ..Row::leaf(&heading) });
        }
        Some(lookup) if lookup.value().is_some() => {
            let reference = Compared::chosen(state, view);
            if let Some(variable) = lookup.value() {
                let beside = reference.map(|reference| reference.compared(variable, expression, true));
                let (variable, words) = beside.as_ref().map_or((variable, ""), |(variable, words)| (variable, words));
                root(rows, (state, view), variable, words, RowKey::of_display(number));
            }
        }
        _ => rows.push(Row { value: Err(String::new()), ..Row::leaf(expression) }),
    }
    if let Some(row) = rows.get_mut(at) {
        row.display = Some(number);
        row.name = format!("{number}: {heading}");
        let value = found.and_then(|(_, lookup)| lookup.value()).map(|variable| &variable.value);
        if let (Shown::Value(letter @ Some(_)), Some(VariableValue::Known(datum))) = (shown.shown, value)
            && let Ok(text) = format(datum, &limited(state, letter))
        {
            row.value = Ok(text);
        }
    }
}

/// The row of an expression with a place of its own.
fn displayed_there(state: &State, number: u32, shown: &Displayed, place: &Place) -> Row {
    let key = AcrossKey { expression: shown.expression.clone(), thread: place.thread };
    let values = across::texts(state, &key, shown, &place.ranks);
    let value = match values.as_slice() {
        [] if place.ranks.meets(&state.ranks.at_rest()) => Err(String::new()),
        [] => Err("<running or ended>".to_owned()),
        [(ranks, text)] if *ranks == place.ranks => text.clone(),
        parts => Ok(across::together(parts)),
    };
    let heading = shown.to_string();
    Row { value, display: Some(number), name: format!("{number}: {heading}"), ..Row::leaf(&heading) }
}

/// Adds the rows of a variable; `reference`: the words before a value that it is compared with.
fn root(rows: &mut Vec<Row>, (state, view): (&State, &View), variable: &ShownVariable, reference: &str, key: RowKey) {
    match &variable.value {
        VariableValue::Known(datum) => {
            let piece = Piece::of(datum);
            let before = variable.previous.as_ref().map(Piece::of);
            let name = variable.name.clone();
            let here = Here { state, view, reference, key, depth: 0, changed: variable.changed };
            let path = PartPath::of(&name);
            here.add(rows, name, &path, &piece, before.as_ref());
        }
        VariableValue::Unknown { why, type_name } => rows.push(Row {
            type_words: type_name.clone(),
            changed: variable.changed,
            name: variable.name.clone(),
            path: variable.name.clone(),
            ..Row::note(0, "", format!("<{why}>"))
        }),
    }
}

struct Here<'a> {
    state: &'a State,
    view: &'a View,
    reference: &'a str,
    key: RowKey,
    depth: usize,
    changed: bool,
}

impl Here<'_> {
    /// The options of `print`, which also apply to the one line of a value.
    fn limits(&self) -> PrintOptions {
        self.state.variables.print_options()
    }

    /// True if values are compared with others than those at the last stop.
    fn has_reference(&self) -> bool {
        Compared::chosen(self.state, self.view).is_some()
    }

    fn deeper(&self, changed: bool, name: &str, number: usize) -> Self {
        let (state, view, reference) = (self.state, self.view, self.reference);
        Here { state, view, reference, key: self.key.part(name, number), depth: self.depth + 1, changed }
    }

    fn add(&self, rows: &mut Vec<Row>, name: String, path: &PartPath, piece: &Piece, before: Option<&Piece>) {
        let target = match (piece.is_pointer(), piece.is_reference()) {
            (true, _) => Some(target_of(path.text())),
            // The name of a reference is that of its target.
            (_, true) => Some(path.text().to_owned()),
            _ => None,
        };
        let openable = (target.is_some() || piece.has_parts()) && self.depth < DEEPEST;
        let open = openable && self.view.variables.open.contains(&self.key);
        rows.push(Row {
            depth: self.depth,
            name,
            path: path.text().to_owned(),
            key: self.key.clone(),
            value: Ok(piece.text(self.limits())),
            type_words: piece.type_words(),
            changed: self.changed,
            before: before
                .filter(|_| self.changed && self.has_reference())
                .map(|before| format!("{} {}", self.reference, before.text(self.limits()))),
            openable,
            pointer: piece.is_pointer(),
            target: target.clone(),
            display: None,
        });
        if let Some(wanted) = target.filter(|_| open) {
            self.target(rows, path, &wanted, piece.is_pointer());
        } else if open {
            self.parts(rows, piece, before, path.text(), |part| path.part(piece, part));
        }
    }

    fn parts(
        &self,
        rows: &mut Vec<Row>,
        piece: &Piece,
        before: Option<&Piece>,
        whole: &str,
        path: impl Fn(&Part) -> (String, PartPath),
    ) {
        let Parts { shown, more } = piece.parts(MOST);
        let old = before.map(|before| before.parts(MOST).shown).unwrap_or_default();
        let without_statics = !self.limits().has(PrintSwitch::StaticMembers);
        for (number, (part, child)) in shown.into_iter().enumerate() {
            if without_statics && matches!(&part, Part::Member(name) if name.starts_with("static ")) {
                continue;
            }
            let earlier = old.iter().find(|(known, _)| *known == part).map(|(_, piece)| piece);
            let changed = earlier.is_some_and(|earlier| earlier.text(self.limits()) != child.text(self.limits()));
            let (name, inner) = path(&part);
            self.deeper(changed, &name, number).add(rows, name, &inner, &child, earlier);
        }
        match more {
            Some(0) => {}
            Some(more) => rows.push(Row::note(self.depth + 1, whole, format!("{more} more; print shows all"))),
            None => rows.push(Row::note(self.depth + 1, whole, "and more; print shows them".to_owned())),
        }
    }

    /// Adds what a pointer points to, or a reference refers to.
    fn target(&self, rows: &mut Vec<Row>, path: &PartPath, wanted: &str, of_pointer: bool) {
        let pointer = path.text();
        let found = self.state.inspection.expressions.iter().find(|(expression, _)| *expression == wanted);
        let deeper = self.depth + 1;
        match found.map(|(_, lookup)| lookup) {
            Some(Lookup::Failed(failure)) => rows.push(Row::note(deeper, pointer, failure.message.clone())),
            Some(lookup) if lookup.value().is_some() => {
                let Some(variable) = lookup.value() else { return };
                // Targets of pointers are neither in a snapshot nor asked of other ranks.
                let previous = variable.previous.as_ref().filter(|_| !self.has_reference());
                let changed = variable.changed && previous.is_some();
                match &variable.value {
                    VariableValue::Known(datum) => {
                        let piece = Piece::of(datum);
                        let before = previous.map(Piece::of);
                        if piece.has_parts() {
                            let inner = |part: &Part| {
                                if of_pointer { path.part_of_target(&piece, part) } else { path.part(&piece, part) }
                            };
                            self.parts(rows, &piece, before.as_ref(), pointer, inner);
                        } else {
                            let target = PartPath::of(wanted);
                            let name = if of_pointer { "*" } else { "&" };
                            let inner = self.deeper(changed, name, 0);
                            inner.add(rows, name.to_owned(), &target, &piece, before.as_ref());
                        }
                    }
                    VariableValue::Unknown { why, .. } => rows.push(Row::note(deeper, pointer, format!("<{why}>"))),
                }
            }
            _ => rows.push(Row::note(deeper, pointer, "asking …".to_owned())),
        }
    }
}

/// Expressions to evaluate: the displayed ones, and the targets of expanded pointers.
pub(crate) fn wanted_expressions(state: &State, view: &View) -> Vec<String> {
    if view.variables.content != Content::Variables {
        return Vec::new();
    }
    let is_of_lead = |displayed: &Displayed| matches!(displayed.shown, Shown::Value(_)) && displayed.place.is_none();
    let values = state.displays.enabled().filter(|(_, displayed)| is_of_lead(displayed));
    let mut wanted: Vec<String> = values.map(|(_, displayed)| displayed.expression.clone()).collect();
    wanted.dedup();
    if !view.variables.open.is_empty() {
        let open = |row: &Row| view.variables.open.contains(&row.key);
        let targets = rows(state, view).into_iter().filter(open).filter_map(|row| row.target);
        for target in targets {
            if !wanted.contains(&target) {
                wanted.push(target);
            }
        }
    }
    wanted
}

pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    match view.variables.content {
        Content::Libraries => return Vec::new(),
        Content::Variables | Content::Registers | Content::Across => {}
    }
    let stack = state.inspection.stack.value();
    let frame = stack.and_then(|frames| frames.iter().find(|frame| frame.level == state.frame()));
    let mut title: Vec<_> =
        frame.map(|frame| (crate::words::function_words(frame), Role::CodeFunction)).into_iter().collect();
    // The stack does not name the lead while it is the tree of several ranks.
    if !title.is_empty() && state.focus.set.len() > 1 && view.variables.content != Content::Across {
        title.splice(0..0, [("rank ".to_owned(), Role::Dim), (state.lead.to_string(), Role::RankTag)]);
        title.insert(2, (" ".to_owned(), Role::Text));
    }
    if view.variables.content == Content::Variables
        && let Some(reference) = Compared::chosen(state, view)
    {
        // There is little room: the function is in the stack, too.
        title = vec![match reference.words() {
            Ok(words) => (words, Role::Dim),
            Err(words) => (words, Role::ValueNone),
        }];
    }
    title
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let rows = rows(state, view);
    if rows.is_empty() {
        let inspection = &state.inspection;
        let words = match view.variables.content {
            Content::Variables | Content::Across => {
                absence(state, &inspection.locals).or_else(|| absence(state, &inspection.arguments))
            }
            Content::Registers => absence(state, &inspection.registers),
            Content::Libraries => absence(state, &inspection.libraries),
        };
        let words = words.unwrap_or_else(|| match view.variables.content {
            Content::Variables | Content::Across => "no variables in this frame".to_owned(),
            Content::Registers => "no registers".to_owned(),
            Content::Libraries => "no libraries".to_owned(),
        });
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
        return;
    }
    let stale = match view.variables.content {
        Content::Variables | Content::Across => matches!(state.inspection.locals, Lookup::Loading(_)),
        Content::Registers => matches!(state.inspection.registers, Lookup::Loading(_)),
        Content::Libraries => false,
    };
    let longest = rows.iter().map(|row| row.depth * 2 + columns(&row.name)).max().unwrap_or(0);
    // The names that users type have more room: they are expressions, with a number and perhaps a place.
    let share = if rows.iter().any(|row| row.display.is_some()) { 2 } else { 3 };
    let names = longest.clamp(4, (usize::from(body.width) / share).max(4));
    let longest_type = rows.iter().map(|row| columns(&row.type_words)).max().unwrap_or(0);
    let types = if body.width < 30 { 0 } else { longest_type.min(usize::from(body.width) / 3) };
    for (row, index) in view.variables.list.window(rows.len(), body.height.into()).enumerate() {
        let Some(shown) = rows.get(index) else { break };
        let row = row as u16;
        let mut line = pen.row(body, row);
        let glyphs = line.pen.glyphs;
        let mark = if shown.changed { glyphs.changed } else { ' ' };
        line.sign(mark, Role::ValueChanged);
        for _ in 0..shown.depth {
            line.put("  ", Role::Text);
        }
        let sign = match shown.openable {
            true if view.variables.open.contains(&shown.key) => glyphs.open,
            true => glyphs.closed,
            false if shown.display.is_some() => glyphs.displayed,
            false => ' ',
        };
        line.sign(sign, Role::Dim).put(" ", Role::Text);
        let room = (names + 3).saturating_sub(usize::from(line.at()));
        line.short(&shown.name, room.max(3), Role::ValueName).to(names as u16 + 5);
        let room = if shown.before.is_some() { line.left() / 2 } else { line.left() };
        match &shown.value {
            Ok(text) if shown.changed => line.short(text, room, Role::ValueChanged),
            Ok(text) => line.short(text, room, if stale { Role::Dim } else { Role::Value }),
            Err(words) => line.short(words, room, Role::ValueNone),
        };
        if let Some(before) = &shown.before {
            let room = line.left().saturating_sub(2);
            line.put("  ", Role::Dim).short(before, room, Role::Dim);
        }
        // The value takes precedence over its type, which gets the remaining columns.
        let begin = body.width.saturating_sub(types as u16 + 1).max(line.at() + 2);
        let left = usize::from(body.width.saturating_sub(begin + 1));
        if types > 0 && left >= columns(&shown.type_words).min(LEAST_TYPE) {
            line.to(begin).short(&shown.type_words, left, Role::ValueType);
        }
        select(pen, body, row, index == view.variables.list.cursor, view.current == ViewId::Variables);
    }
}
