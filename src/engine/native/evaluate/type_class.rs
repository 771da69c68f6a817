//! Classes spelled out as gdb's `ptype` does: who may use what, methods, typedefs, and short names for what a template was
//! instantiated with.

use super::library_names::short_name;
use super::resolve::{MAX_DEPTH, stripped, type_of};
use super::type_text::{Writer, qualifier_word};
use crate::engine::native::classes::{Access, ClassDetail, MemberDetail, MethodDetail};
use crate::engine::native::symbols::template_parts;
use crate::engine::native::types::{Kind, Member, Qualifier, Surroundings, Type, TypeRef};
use crate::model::aif::as_gdb_spells;
use std::sync::Arc;

/// Classes that a class is derived from, one of the other.
const MOST_BASES: usize = 64;

/// Names that hold within a class: parameters of its template, and its typedefs.
#[derive(Clone, Default)]
pub(super) struct LocalNames {
    template: Vec<(TypeRef, Arc<str>)>,
    /// By the whole name of the typedef.
    typedefs: Vec<(Arc<str>, Arc<str>)>,
}

impl LocalNames {
    fn of_template(outer: Option<&Self>, class: &ClassDetail) -> Self {
        let mut names = outer.cloned().unwrap_or_default();
        names.template.extend(class.template.iter().map(|(name, ty)| (ty.clone(), name.clone())));
        names
    }

    /// With the typedefs of a class and of those that it is derived from.
    fn with_typedefs(mut self, class: &ClassDetail, members: &[Member], s: &dyn Surroundings) -> Self {
        let mut add = |class: &ClassDetail| {
            for (name, ty, _) in &class.typedefs {
                self.typedefs.extend(type_of(ty, s).name.clone().map(|whole| (whole, name.clone())));
            }
        };
        add(class);
        let of = |members: &[Member]| -> Vec<TypeRef> {
            members.iter().filter(|member| member.base).map(|member| member.ty.clone()).collect()
        };
        let mut bases = of(members);
        let mut next = 0;
        while let Some(base) = bases.get(next).cloned()
            && next < MOST_BASES
        {
            next += 1;
            s.class(&base).iter().for_each(&mut add);
            if let Kind::Aggregate { members, .. } = &stripped(&base, s).1.kind {
                bases.extend(of(members));
            }
        }
        self
    }

    /// What a type is called here.
    pub(super) fn of(&self, ty: &TypeRef, s: &dyn Surroundings) -> Option<&Arc<str>> {
        if let Kind::Typedef(_) = &type_of(ty, s).kind {
            return self.named(type_of(ty, s).name.as_deref()?, s);
        }
        self.template.iter().find(|(own, _)| same(own, ty, s, 0)).map(|(_, name)| name)
    }

    /// What the type of a name is called here.
    fn named(&self, name: &str, s: &dyn Surroundings) -> Option<&Arc<str>> {
        let spelled = as_gdb_spells(name);
        let of_template = self.template.iter().find(|(own, _)| {
            let own = type_of(&unqualified(own, s), s);
            own.name.as_deref().is_some_and(|own| as_gdb_spells(own) == spelled)
        });
        let typedef = || self.typedefs.iter().find(|(whole, _)| **whole == *name).map(|(_, name)| name);
        of_template.map(|(_, name)| name).or_else(typedef)
    }
}

fn unqualified(ty: &TypeRef, s: &dyn Surroundings) -> TypeRef {
    let mut ty = ty.clone();
    for _ in 0..MAX_DEPTH {
        match &type_of(&ty, s).kind {
            Kind::Qualified(_, next) => ty = next.clone(),
            _ => break,
        }
    }
    ty
}

/// Whether two types are the same as far as gdb looks when it uses short names: without qualifiers.
fn same(left: &TypeRef, right: &TypeRef, s: &dyn Surroundings, depth: u32) -> bool {
    let (left, right) = (unqualified(left, s), unqualified(right, s));
    let (found, other) = (type_of(&left, s), type_of(&right, s));
    match (&found.kind, &other.kind) {
        _ if left == right => true,
        _ if depth > MAX_DEPTH => false,
        (Kind::Pointer(left), Kind::Pointer(right)) => same(left, right, s, depth + 1),
        (Kind::Reference(left, one), Kind::Reference(right, two)) => one == two && same(left, right, s, depth + 1),
        (Kind::Base(_), Kind::Base(_))
        | (Kind::Aggregate { .. }, Kind::Aggregate { .. })
        | (Kind::Enumeration { .. }, Kind::Enumeration { .. })
        | (Kind::Typedef(_), Kind::Typedef(_)) => found.name.is_some() && found.name == other.name,
        _ => false,
    }
}

/// The labels that have been written, and what is written before and behind.
struct Sections {
    current: Option<Access>,
    indent: String,
}

impl Sections {
    fn enter(&mut self, access: Access, text: &mut String) {
        if self.current != Some(access) {
            self.current = Some(access);
            let word = word_of(access);
            text.push_str(&format!("{}  {word}:\n", self.indent));
        }
    }
}

fn word_of(access: Access) -> &'static str {
    match access {
        Access::Public => "public",
        Access::Protected => "protected",
        Access::Private => "private",
    }
}

/// A class whose members are all private says so to nobody, nor does a structure whose members are all public.
fn needs_labels(is_class: bool, class: &ClassDetail, bases: usize) -> bool {
    let data = class.members.iter().skip(bases).map(|member| member.access);
    let all = data.chain(class.methods.iter().map(|method| method.access));
    let mut all = all.chain(class.typedefs.iter().map(|(_, _, access)| *access));
    let usual = if is_class { Access::Private } else { Access::Public };
    all.any(|access| access != usual)
}

impl Writer<'_> {
    /// A name, with the short names that hold here for what is in it.
    pub(super) fn spelled(&self, name: &str) -> String {
        if !self.short {
            return name.to_owned();
        }
        let short = short_name(name);
        if let Some(local) = self.locals.and_then(|locals| locals.named(name, self.surroundings)) {
            return local.to_string();
        }
        match template_parts(name) {
            Some((before, arguments, rest)) if self.locals.is_some() && !before.starts_with("std::") => {
                let arguments: Vec<String> = arguments.into_iter().map(|argument| self.spelled(argument)).collect();
                let text = arguments.join(", ");
                format!("{before}<{text}{}{rest}", if text.ends_with('>') { " >" } else { ">" })
            }
            _ => short,
        }
    }

    /// A declaration within a class: what has a short name there is written by it.
    pub(super) fn within(&self, ty: &TypeRef, inner: String, depth: u32) -> String {
        let s = self.surroundings;
        let Some(name) = self.locals.and_then(|locals| locals.of(&unqualified(ty, s), s)) else {
            return self.declaration(ty, inner, depth);
        };
        let words = self.qualifiers(ty);
        let name = if words.is_empty() { name.to_string() } else { format!("{words} {name}") };
        super::type_text::joined(&name, &inner)
    }

    fn qualifiers(&self, ty: &TypeRef) -> String {
        let mut found = Vec::new();
        let mut ty = ty.clone();
        for _ in 0..MAX_DEPTH {
            let Kind::Qualified(qualifier, next) = &type_of(&ty, self.surroundings).kind else { break };
            found.push(*qualifier);
            ty = next.clone();
        }
        let order = [Qualifier::Const, Qualifier::Volatile, Qualifier::Restrict, Qualifier::Atomic];
        let words: Vec<_> = order.into_iter().filter(|one| found.contains(one)).map(qualifier_word).collect();
        words.join(" ")
    }

    /// An aggregate spelled out.
    pub(super) fn class(&self, word: &str, reference: &TypeRef, ty: &Type) -> String {
        let Kind::Aggregate { members, declaration, .. } = &ty.kind else { return String::new() };
        let class = self.surroundings.class(reference).unwrap_or_default();
        let names = LocalNames::of_template(self.locals, &class);
        let outside = Writer { locals: Some(&names), ..*self };
        let all = names.clone().with_typedefs(&class, members, self.surroundings);
        let inside = Writer { locals: Some(&all), ..*self };
        let indent = "    ".repeat(self.level);
        let mut text = format!("{word} ");
        if let Some(name) = ty.name.as_deref() {
            text.push_str(&self.spelled(name));
            text.push(' ');
        }
        text.push_str(&self.template_heading(&class));
        text.push_str(&outside.bases(members, &class));
        text.push_str("{\n");
        if members.is_empty() && class.methods.is_empty() && class.typedefs.is_empty() {
            let words = if *declaration { "<incomplete type>" } else { "<no data fields>" };
            text.push_str(&format!("{indent}    {words}\n"));
        }
        let bases = members.iter().filter(|member| member.base).count();
        let labels = needs_labels(word == "class", &class, bases);
        let mut sections = Sections { current: None, indent: indent.clone() };
        for (number, member) in members.iter().enumerate().filter(|(_, member)| !member.base) {
            let usual = MemberDetail { access: Access::Public, artificial: false };
            let detail = class.members.get(number).copied().unwrap_or(usual);
            if detail.artificial {
                continue;
            }
            if labels {
                sections.enter(detail.access, &mut text);
            }
            let bits = member.bits.map(|(_, width)| format!(" : {width}")).unwrap_or_default();
            let shared = if member.is_static { "static " } else { "" };
            text.push_str(&format!("{indent}    {shared}{}{bits};\n", inside.member(member)));
        }
        inside.methods(&class, &mut sections, &mut text);
        let others = !members.is_empty() || !class.methods.is_empty() || class.has_nested;
        if others && !class.typedefs.is_empty() {
            text.push('\n');
        }
        for (name, ty, access) in &class.typedefs {
            let Kind::Typedef(target) = &type_of(ty, self.surroundings).kind else { continue };
            if labels {
                sections.enter(*access, &mut text);
            }
            let target = Writer { expand: false, ..outside }.within(target, name.to_string(), 1);
            text.push_str(&format!("{indent}    typedef {target};\n"));
        }
        text.push_str(&indent);
        text.push('}');
        text
    }

    /// `[with T = int]`.
    fn template_heading(&self, class: &ClassDetail) -> String {
        let argument = |(name, ty): &(Arc<str>, TypeRef)| {
            format!("{name} = {}", Writer { expand: false, ..*self }.declaration(ty, String::new(), 1))
        };
        let arguments: Vec<String> = class.template.iter().map(argument).collect();
        if arguments.is_empty() { String::new() } else { format!("[with {}] ", arguments.join(", ")) }
    }

    fn bases(&self, members: &[Member], class: &ClassDetail) -> String {
        let base = |(number, member): (usize, &Member)| {
            let access = class.members.get(number).map_or("public", |detail| word_of(detail.access));
            let shared = if member.virtual_at.is_some() { " virtual" } else { "" };
            let ty = type_of(&member.ty, self.surroundings);
            format!("{access}{shared} {}", self.spelled(ty.name.as_deref().unwrap_or("(null)")))
        };
        let bases: Vec<String> = members.iter().enumerate().filter(|(_, member)| member.base).map(base).collect();
        if bases.is_empty() { String::new() } else { format!(": {} ", bases.join(", ")) }
    }

    /// Methods, those of one name together.
    fn methods(&self, class: &ClassDetail, sections: &mut Sections, text: &mut String) {
        let mut names: Vec<&str> = Vec::new();
        for method in &class.methods {
            if !names.contains(&&*method.name) {
                names.push(&method.name);
            }
        }
        let shown = |method: &&MethodDetail| !method.artificial;
        if class.methods.iter().any(|method| shown(&method)) && sections.current.is_some() {
            text.push('\n');
        }
        for name in names {
            for method in class.methods.iter().filter(|method| &*method.name == name).filter(shown) {
                sections.enter(method.access, text);
                text.push_str(&format!("{}    {};\n", sections.indent, self.method(method)));
            }
        }
    }

    fn method(&self, method: &MethodDetail) -> String {
        let writer = Writer { expand: false, ..*self };
        let mut text = String::new();
        if method.is_virtual {
            text.push_str("virtual ");
        } else if method.is_static() {
            text.push_str("static ");
        }
        let unnamed_result = method.constructor || method.name.starts_with('~') || converts(&method.name);
        if !unnamed_result {
            text.push_str(&writer.within(&method.returns, String::new(), 1));
            text.push(' ');
        }
        text.push_str(&method.name);
        text.push('(');
        let given = method.parameters.iter().filter(|(_, artificial)| !artificial);
        let mut parameters: Vec<String> = given.map(|(ty, _)| writer.within(ty, String::new(), 1)).collect();
        if method.variadic {
            parameters.push("...".to_owned());
        } else if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        text.push_str(&parameters.join(", "));
        text.push(')');
        if let Some((this, _)) = method.parameters.first().filter(|_| !method.is_static())
            && let Kind::Pointer(object) = &stripped(this, self.surroundings).1.kind
        {
            let words = self.qualifiers(object);
            if !words.is_empty() {
                text.push(' ');
                text.push_str(&words);
            }
        }
        text
    }
}

/// Whether a name is that of an operator that converts to a type.
fn converts(name: &str) -> bool {
    let Some(ty) = name.strip_prefix("operator").filter(|rest| rest.starts_with(char::is_whitespace)) else {
        return false;
    };
    let ty = ty.trim_start();
    let word_end = ty.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(ty.len());
    let word = ty.get(..word_end).unwrap_or_default();
    !word.is_empty() && !matches!(word, "new" | "delete")
}
