//! Looks up names outside functions from a frame, preferring the scope around the frame.

use super::enumerators::described_as_enumerator;
use super::view::FrameView;
use crate::demangle::qualified::last_part;
use crate::demangle::qualified::squeezed;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::functions::named::named;
use crate::functions::named::named_in;
use crate::images::loaded::LoadedImage;
use crate::index::unit_names::without_template_arguments;
use crate::types::description::{NamedValue, TypeId, TypeRef};
use crate::types::enumerators::enumerator_names;
use crate::types::tags::{TypeName, best, is_declaration};
use std::cell::OnceCell;

/// An unnamed namespace; its names belong to the scope around it.
const UNNAMED: &str = "(anonymous namespace)::";

/// The scopes to search for a name, innermost first, each with its trailing `::`; the last is the global scope.
pub(crate) struct Around(Vec<String>);

impl Around {
    /// Returns the scopes around a function, the function included.
    fn function(name: Option<&str>) -> Self {
        let mut scopes = Vec::new();
        let mut rest = name.unwrap_or_default();
        while !rest.is_empty() {
            scopes.push(squeezed(&format!("{rest}::")).replace(&squeezed(UNNAMED), ""));
            rest = rest.strip_suffix(last_part(rest)).and_then(|rest| rest.strip_suffix("::")).unwrap_or_default();
        }
        scopes.push(String::new());
        Self(scopes)
    }

    /// Returns how many scopes out `wanted` names the entry; `None` if no scope matches.
    fn distance(&self, debug: &DebugInformation, id: EntryId, sort: Named, wanted: &str) -> Option<usize> {
        if !debug.unit(id.unit)?.language.has_scopes() {
            return Some(0);
        }
        let names = match sort {
            Named::Enumerator => enumerator_names(debug, id),
            _ => debug.qualified_name(id).map(|name| name.to_string()).into_iter().collect(),
        };
        let wanted = squeezed(wanted);
        let (wanted, scopes) = match wanted.strip_prefix("::") {
            Some(rest) => (rest, self.0.as_slice().last().map(std::slice::from_ref).unwrap_or_default()),
            None => (wanted.as_str(), self.0.as_slice()),
        };
        let is_template = wanted.contains('<');
        let names: Vec<String> = names
            .iter()
            .map(|name| squeezed(name).replace(&squeezed(UNNAMED), ""))
            .map(|name| if is_template || sort == Named::Type { name } else { without_last_arguments(&name) })
            .collect();
        scopes.iter().position(|scope| {
            names.iter().any(|name| name.strip_prefix(scope.as_str()).is_some_and(|rest| rest == wanted))
        })
    }

    /// Sorts entries that a name may mean: those of the nearest scope first.
    fn sort(&self, debug: &DebugInformation, ids: Vec<EntryId>, sort: Named, wanted: &str) -> Vec<(bool, EntryId)> {
        let distance = |id| self.distance(debug, id, sort, wanted).unwrap_or(usize::MAX);
        let mut ids: Vec<(usize, EntryId)> = ids.into_iter().map(|id| (distance(id), id)).collect();
        ids.sort_by_key(|(distance, _)| *distance);
        ids.into_iter().map(|(distance, id)| (distance != usize::MAX, id)).collect()
    }
}

/// Returns a name without the template arguments of its last part.
fn without_last_arguments(name: &str) -> String {
    let last = last_part(name);
    let scope = name.strip_suffix(last).unwrap_or_default();
    format!("{scope}{}", String::from_utf8_lossy(without_template_arguments(last.as_bytes())))
}

/// The kinds of entries that have values, in lookup order.
const VALUES: [Named; 3] = [Named::Variable, Named::Function, Named::Enumerator];

/// True if the name is that of a type of the frame's own unit, in a language that has one space of names.
fn is_type_of_unit(view: &FrameView<'_>, name: &str) -> bool {
    let Some((loaded, scope)) = &view.scope else { return false };
    scope.unit().language.names_of_types_hide_values()
        && loaded.image.units().is_some_and(|units| {
            let ids = named_in(units, scope.unit(), name, Named::Type);
            view.around().sort(&units.debug, ids, Named::Type, name).iter().any(|(is_near, _)| *is_near)
        })
}

impl FrameView<'_> {
    /// Returns the scopes around the frame's function.
    fn around(&self) -> Around {
        let name = self.scope.as_ref().and_then(|(_, scope)| scope.own_name());
        Around::function(name.as_deref())
    }

    /// Looks up a variable, enumerator or function outside functions, preferring one whose scope is around the frame.
    /// A type of the frame's unit hides variables of libraries.
    pub(crate) fn global(&self, name: &str) -> Option<NamedValue> {
        let around = self.around();
        let is_type = OnceCell::new();
        self.files().find_map(|loaded| {
            let units = loaded.image.units()?;
            let debug = &units.debug;
            let locator = self.locator(loaded, None)?;
            let own_unit = self.scope.as_ref().filter(|(own, _)| own.image.index() == loaded.image.index());
            let hides = own_unit.is_none() && *is_type.get_or_init(|| is_type_of_unit(self, name));
            let value = |id: EntryId| {
                // A method needs an object: without its class's name, only the object's own methods count.
                if !name.contains("::") && debug.is_method(id) {
                    return None;
                }
                let (unit, entry) = debug.entry(id)?;
                locator.value(unit, &entry).map(|value| described_as_enumerator(loaded, debug, id, value))
            };
            let mut elsewhere = Vec::new();
            let mut nearest = |ids: Vec<EntryId>, sort: Named| {
                let (near, far): (Vec<_>, Vec<_>) =
                    around.sort(debug, ids, sort, name).into_iter().partition(|(is_near, _)| *is_near);
                elsewhere.extend(far.into_iter().map(|(_, id)| id));
                near.into_iter().find_map(|(_, id)| value(id))
            };
            if let Some((_, scope)) = own_unit {
                let mut sorts = VALUES.into_iter();
                let own = sorts.find_map(|sort| nearest(named_in(units, scope.unit(), name, sort), sort));
                if own.is_some() {
                    return own;
                }
            }
            let mut sorts = VALUES.into_iter().filter(|sort| !(hides && *sort == Named::Variable));
            let found = sorts.find_map(|sort| nearest(named(units, name, sort), sort));
            found.or_else(|| elsewhere.into_iter().find_map(value))
        })
    }

    /// Looks up a type by name: in the frame's blocks, in its file, in any file.
    pub(crate) fn declared_type(&self, wanted: &TypeName<'_>) -> Option<TypeRef> {
        let around = self.around();
        let reference = |loaded: &LoadedImage, debug: &DebugInformation, id: EntryId| {
            TypeRef::Entry(TypeId { image: loaded.image.index(), entry: debug.offset_of(id) })
        };
        let nearest = |debug: &DebugInformation, ids: Vec<EntryId>| {
            let sorted = around.sort(debug, ids, Named::Type, wanted.name);
            let near: Vec<EntryId> = sorted.iter().filter(|(is_near, _)| *is_near).map(|(_, id)| *id).collect();
            let all = || sorted.iter().map(|(_, id)| *id).collect();
            match best(debug, wanted, near) {
                Some(id) => Some((true, id)),
                None => best(debug, wanted, all()).map(|id| (false, id)),
            }
        };
        let mut elsewhere = None;
        if let Some((loaded, scope)) = &self.scope
            && let Some(units) = loaded.image.units()
        {
            let debug = &units.debug;
            let base = Some(wanted.base());
            let local = scope.types().into_iter().find(|id| debug.base_name(*id) == base && wanted.allows(debug, *id));
            if let Some(id) = local {
                return Some(reference(loaded, debug, id));
            }
            match nearest(debug, named_in(units, scope.unit(), wanted.name, Named::Type)) {
                Some((true, id)) => return Some(reference(loaded, debug, id)),
                Some((false, id)) => elsewhere = Some(reference(loaded, debug, id)),
                None => {}
            }
        }
        let mut declared = None;
        for loaded in self.files() {
            let Some(units) = loaded.image.units() else { continue };
            let debug = &units.debug;
            let Some((is_near, id)) = nearest(debug, named(units, wanted.name, Named::Type)) else { continue };
            let found = reference(loaded, debug, id);
            match (is_near, is_declaration(debug, id)) {
                (true, false) => return Some(found),
                (true, true) => declared = declared.or(Some(found)),
                (false, false) => elsewhere = elsewhere.or(Some(found)),
                (false, true) => {}
            }
        }
        declared.or(elsewhere)
    }
}
