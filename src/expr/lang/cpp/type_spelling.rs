//! Replaces parts of C++ type names with short names: the well-known ones of the library, and those of the enclosing
//! class. gdb likewise substitutes typedefs into the names it has parsed.

use super::library_names::printed_name;
use super::local_names::is_declared;
use crate::lang::c::type_text::Writer;
use crate::types::{MAX_DEPTH, type_of};
use debuginfo::{is_written, template_parts};

impl Writer<'_> {
    /// Replaces a name, and the names in it, with the short names valid here.
    pub(crate) fn spelled(&self, name: &str) -> String {
        if !self.short {
            return name.to_owned();
        }
        if let Some(short) = self.short_for(name) {
            return short;
        }
        if is_written(name) { self.replaced(name, 0) } else { name.to_owned() }
    }

    /// Returns the well-known name of a library type that is looked up by name.
    pub(crate) fn known_name(&self, name: &str) -> Option<String> {
        let found = |name: &str| self.is_defined(name);
        let known = printed_name(name, false, &found).filter(|_| self.short)?;
        // A typedef must exist; its target need not be defined.
        (!known.contains('<') || self.is_defined(name)).then_some(known)
    }

    /// Returns the well-known name of a library type that is incomplete here.
    pub(crate) fn known_declaration(&self, name: &str) -> Option<String> {
        printed_name(name, true, &|name| self.is_defined(name)).filter(|_| self.short)
    }

    /// True if the program defines a type of this name, rather than only declaring it.
    fn is_defined(&self, name: &str) -> bool {
        let found = self.context.symbols().type_named(name);
        found.is_some_and(|ty| !is_declared(&type_of(&ty, self.context).kind))
    }

    /// Returns the short form of a whole name.
    fn short_for(&self, name: &str) -> Option<String> {
        let local = self.locals.and_then(|locals| locals.named(name)).map(|name| name.to_string());
        local.or_else(|| self.known_name(name))
    }

    fn replaced(&self, name: &str, depth: u32) -> String {
        let (base, signs) = name.split_at(unsigned_length(name));
        if depth > MAX_DEPTH || base.is_empty() {
            return name.to_owned();
        }
        if let Some(short) = self.short_for(base) {
            return short + signs;
        }
        // The name of a function type is not replaced.
        if base.contains('(') && !base.contains('<') {
            return name.to_owned();
        }
        let Some((before, arguments, rest)) = template_parts(base) else {
            return format!("{}{signs}", self.scope_replaced(base));
        };
        format!("{}{}{}{signs}", self.scope_replaced(before), self.arguments(&arguments, depth), self.rest(rest, depth))
    }

    /// Shortens the rest after the first template of a qualified name.
    fn rest(&self, rest: &str, depth: u32) -> String {
        match template_parts(rest) {
            Some((before, arguments, rest)) => {
                format!("{before}{}{}", self.arguments(&arguments, depth), self.rest(rest, depth))
            }
            None => rest.to_owned(),
        }
    }

    fn arguments(&self, arguments: &[&str], depth: u32) -> String {
        let arguments: Vec<String> = arguments.iter().map(|one| self.replaced(one, depth + 1)).collect();
        let text = arguments.join(", ");
        format!("<{text}{}", if text.ends_with('>') { " >" } else { ">" })
    }

    /// Replaces the scope of a name if it is a class with a short name here.
    fn scope_replaced(&self, name: &str) -> String {
        let mut ends = name.match_indices("::").map(|(at, _)| at);
        let found = ends.find_map(|at| {
            let (scope, rest) = name.split_at_checked(at)?;
            Some(format!("{}{rest}", self.locals?.named(scope)?))
        });
        found.unwrap_or_else(|| name.to_owned())
    }
}

/// Length of a name without the pointer and reference signs and the qualifiers at its end.
fn unsigned_length(name: &str) -> usize {
    let mut rest = name;
    loop {
        let shorter = rest.trim_end_matches(['*', '&', ' ']);
        let shorter = [" const", " volatile"].iter().find_map(|word| shorter.strip_suffix(word)).unwrap_or(shorter);
        // A qualifier directly after a sign.
        let shorter = match shorter.strip_suffix("const") {
            Some(before) if before.ends_with(['*', '&']) => before,
            _ => shorter,
        };
        if shorter.len() == rest.len() {
            return rest.len();
        }
        rest = shorter;
    }
}
