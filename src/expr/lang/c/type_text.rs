//! Formats types as C does, on one line or spelled out.

use crate::context::EvalContext;
use crate::eval::register::is_of_flags;
use crate::lang::c::layout::Layout;
use crate::lang::cpp::local_names::{LocalNames, is_declared};
use crate::types::{MAX_DEPTH, stripped, type_of};
use crate::value::Subject;
use debuginfo::types::{Aggregate, Dimension, INDIRECT_CODE, Kind, Member, Qualifier, Type, TypeRef, UNDESCRIBED_CODE};
use model::aif::as_gdb_spells;
use model::{TypeDetail, TypePart};

/// Formats a type on one line.
pub(crate) fn name_of(ty: &TypeRef, context: &EvalContext<'_>) -> String {
    Writer::new(context).declaration(ty, String::new(), 0)
}

/// Formats a declaration of a name on one line, in gdb's spelling.
pub(crate) fn declared(ty: &TypeRef, name: &str, context: &EvalContext<'_>) -> String {
    as_gdb_spells(&Writer { short: true, ..Writer::new(context) }.declaration(ty, name.to_owned(), 0))
}

/// Formats a type as gdb's `whatis` or `ptype`.
pub(crate) fn text_of(subject: Subject, detail: TypeDetail, context: &EvalContext<'_>) -> String {
    if detail.has_members() {
        let (Subject::Value(ty) | Subject::Type(ty)) = subject;
        let part = detail.part();
        let names = Writer { short: !part.raw, part, ..Writer::new(context) };
        // A type with a well-known name is not spelled out; the target of a pointer to it is.
        let whole = stripped(&ty, context).1;
        let declared = is_declared(&whole.kind);
        let known = |name| if declared { names.known_declaration(name) } else { names.known_name(name) };
        let known = whole.name.as_deref().and_then(known);
        if let Some(known) = known {
            let words = names.qualifiers(&ty);
            return as_gdb_spells(&if words.is_empty() { known } else { format!("{words} {known}") });
        }
        let layout = match detail {
            TypeDetail::Layout { hexadecimal } => Some(Layout { hexadecimal, start: 0, is_member: true }),
            TypeDetail::Name | TypeDetail::RawName | TypeDetail::Members | TypeDetail::Part(_) => None,
        };
        let writer = Writer { form: Form::Definition, layout, ..names };
        return as_gdb_spells(&writer.declaration(&ty, String::new(), 0));
    }
    let ty = match subject {
        Subject::Value(ty) => ty,
        // For the name of a typedef, whatis shows its target.
        Subject::Type(ty) => match &type_of(&ty, context).kind {
            Kind::Typedef(target) => target.clone(),
            _ => ty,
        },
    };
    let writer = Writer { short: !detail.part().raw, ..Writer::new(context) };
    as_gdb_spells(&writer.declaration(&ty, String::new(), 0))
}

/// How the innermost type of a declaration is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Spelled out, with its members.
    Definition,
    Name,
    /// The name of the target of a pointer or the like: gdb knows no more of it.
    TargetName,
}

/// Levels of members whose places are shown.
const DEEPEST_LAYOUT: usize = 24;

#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    pub(crate) context: &'a EvalContext<'a>,
    pub(crate) form: Form,
    /// Nesting depth within types that are spelled out.
    pub(crate) level: usize,
    /// Do not spell out unnamed types either.
    pub(crate) brief: bool,
    /// Use the well-known names for types of the C++ library.
    pub(crate) short: bool,
    /// Short names that are valid inside the enclosing class.
    pub(crate) locals: Option<&'a LocalNames>,
    /// The form in which the places of members are shown, if they are.
    pub(crate) layout: Option<Layout>,
    /// The parts of classes that are left out.
    pub(crate) part: TypePart,
}

pub(crate) fn qualifier_word(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "restrict",
        Qualifier::Atomic => "_Atomic",
    }
}

/// Joins a word and a declarator, with a blank where C needs or gdb writes one.
pub(crate) fn joined(base: &str, declarator: &str) -> String {
    if declarator.is_empty() { base.to_owned() } else { format!("{base} {declarator}") }
}

impl<'a> Writer<'a> {
    fn new(context: &'a EvalContext<'a>) -> Self {
        Self {
            context,
            form: Form::Name,
            level: 0,
            brief: false,
            short: false,
            locals: None,
            layout: None,
            part: TypePart::default(),
        }
    }

    fn is_expanding(&self) -> bool {
        self.form == Form::Definition
    }

    /// Formats the declaration of `inner` (a name, or nothing) with this type: the base type first and the derivations
    /// around the name, as in C.
    pub(crate) fn declaration(&self, ty: &TypeRef, inner: String, depth: u32) -> String {
        if depth > MAX_DEPTH {
            return joined("...", &inner);
        }
        let found = type_of(ty, self.context);
        match &found.kind {
            Kind::Pointer(target) => self.target().declaration(target, self.around(target, "*", inner), depth + 1),
            Kind::MemberPointer { class, target } => {
                let class = self.names().declaration(class, String::new(), depth + 1);
                let class = class.strip_prefix("struct ").unwrap_or(&class);
                let inner = self.around(target, &format!("{class}::*"), inner);
                self.target().declaration(target, inner, depth + 1)
            }
            Kind::Reference(target, rvalue) => {
                let sign = if *rvalue { "&&" } else { "&" };
                self.target().declaration(target, self.around(target, sign, inner), depth + 1)
            }
            Kind::Array { element, dimensions } => {
                let bounds: String = dimensions.iter().map(bound).collect();
                self.target().declaration(element, format!("{inner}{bounds}"), depth + 1)
            }
            Kind::Function { .. } if self.is_only_named(&found) => {
                joined(found.name.as_deref().unwrap_or_default(), &inner)
            }
            Kind::Function { .. } if matches!(found.name.as_deref(), Some(UNDESCRIBED_CODE | INDIRECT_CODE)) => {
                format!("<unknown return type> {inner}(void)")
            }
            Kind::Function { returns, parameters, variadic, prototyped } => {
                let mut texts: Vec<String> =
                    parameters.iter().map(|p| self.names().declaration(p, String::new(), depth + 1)).collect();
                if *variadic && (*prototyped || !texts.is_empty()) {
                    texts.push("...".to_owned());
                } else if texts.is_empty() && *prototyped {
                    texts.push("void".to_owned());
                }
                self.target().declaration(returns, format!("{inner}({})", texts.join(", ")), depth + 1)
            }
            Kind::Qualified(..) => self.qualified(ty, inner, depth),
            Kind::Typedef(target) if self.is_expanding() => self.declaration(target, inner, depth + 1),
            _ => joined(&self.base(ty, &found), &inner),
        }
    }

    /// True for a function that only symbol tables know, where types are named: gdb has a name for its type.
    fn is_only_named(&self, function: &Type) -> bool {
        !self.is_expanding() && matches!(function.name.as_deref(), Some(UNDESCRIBED_CODE | INDIRECT_CODE))
    }

    /// Returns a writer that names types instead of spelling them out.
    pub(crate) fn names(&self) -> Self {
        Self { form: Form::Name, ..*self }
    }

    /// Returns the writer of a pointer's target or the like.
    fn target(&self) -> Self {
        match self.form {
            Form::Definition => *self,
            Form::Name | Form::TargetName => Self { form: Form::TargetName, ..*self },
        }
    }

    /// Formats `inner` as the declarator of a pointer or reference to `target`, in parentheses where C needs them.
    fn around(&self, target: &TypeRef, sign: &str, inner: String) -> String {
        let inner = format!("{sign}{inner}");
        let mut target = type_of(target, self.context);
        for _ in 0..MAX_DEPTH {
            match &target.kind {
                Kind::Qualified(_, next) => target = type_of(next, self.context),
                Kind::Typedef(next) if self.is_expanding() => target = type_of(next, self.context),
                Kind::Function { .. } if self.is_only_named(&target) => break,
                Kind::Array { .. } | Kind::Function { .. } => return format!("({inner})"),
                _ => break,
            }
        }
        inner
    }

    fn qualified(&self, ty: &TypeRef, inner: String, depth: u32) -> String {
        let mut words = Vec::new();
        let mut target = ty.clone();
        for _ in 0..MAX_DEPTH {
            match &type_of(&target, self.context).kind {
                Kind::Qualified(qualifier, next) => {
                    words.push(*qualifier);
                    target = next.clone();
                }
                Kind::Typedef(next) if self.is_expanding() => target = next.clone(),
                _ => break,
            }
        }
        words.sort_by_key(|word| match word {
            Qualifier::Const => 0,
            Qualifier::Volatile => 1,
            Qualifier::Restrict => 2,
            Qualifier::Atomic => 3,
        });
        words.dedup();
        let words: Vec<&str> = words.into_iter().map(qualifier_word).collect();
        let words = words.join(" ");
        match &type_of(&target, self.context).kind {
            // For a qualified typedef of a pointer, and for void, gdb drops the qualifiers.
            Kind::Pointer(_) if self.is_expanding() && depth > 0 && self.is_typedef(ty) => {
                self.declaration(&target, inner, depth + 1)
            }
            Kind::Pointer(pointee) => {
                let pointer = format!("* {words}");
                let inner = if inner.starts_with(['[', '&']) { pointer + &inner } else { joined(&pointer, &inner) };
                let inner = self.around(pointee, "", inner);
                self.target().declaration(pointee, inner, depth + 1)
            }
            Kind::Void if self.is_expanding() => self.declaration(&target, inner, depth + 1),
            // A const array is an array of const elements, and the element type usually has the qualifier already.
            Kind::Array { element, .. } if self.is_qualified(element) => self.declaration(&target, inner, depth + 1),
            _ => format!("{words} {}", self.declaration(&target, inner, depth + 1)),
        }
    }

    fn is_typedef(&self, ty: &TypeRef) -> bool {
        match &type_of(ty, self.context).kind {
            Kind::Qualified(_, target) => matches!(type_of(target, self.context).kind, Kind::Typedef(_)),
            _ => false,
        }
    }

    fn is_qualified(&self, ty: &TypeRef) -> bool {
        matches!(type_of(ty, self.context).kind, Kind::Qualified(..))
    }

    fn base(&self, reference: &TypeRef, ty: &Type) -> String {
        let named = |tag: &str, name: &str| {
            if self.context.language().has_methods() { self.spelled(name) } else { format!("{tag} {name}") }
        };
        let local = || self.locals.and_then(|locals| locals.of_named(reference, self.context));
        if let Some(local) = local().filter(|_| !self.is_expanding()) {
            return local.to_string();
        }
        if let Some(name) = ty.name.as_deref().filter(|name| self.short && name.starts_with("std::"))
            && self.form == Form::Name
            && self.context.symbols().is_declared_here(reference)
            && let Some(known) = self.known_declaration(name)
        {
            return known;
        }
        match &ty.kind {
            Kind::Aggregate { tag, .. } => {
                let word = match tag {
                    Aggregate::Struct => "struct",
                    Aggregate::Class => "class",
                    Aggregate::Union => "union",
                };
                if self.is_expanding() {
                    return self.class(word, reference, ty);
                }
                match (&ty.name, tag) {
                    (Some(name), Aggregate::Class) => self.spelled(name),
                    (Some(name), _) => named(word, name),
                    (None, _) => format!("{word} {{...}}"),
                }
            }
            Kind::Enumeration { enumerators, .. } if is_of_flags(ty) => {
                let name = ty.name.as_deref().unwrap_or_default();
                if self.is_expanding() { flags(name, enumerators) } else { name.to_owned() }
            }
            Kind::Enumeration { enumerators, scoped, signed } => {
                let word = if *scoped && self.is_expanding() { "enum class" } else { "enum" };
                if self.is_expanding() {
                    if !self.context.language().has_methods() {
                        return enumeration(word, ty.name.as_deref(), "", enumerators);
                    }
                    let base = underlying(ty.size.unwrap_or(4), *signed);
                    let name = ty.name.as_deref().unwrap_or_default();
                    let scope = match name.rsplit_once("::") {
                        _ if *scoped => format!("{name}::"),
                        Some((scope, _)) => format!("{scope}::"),
                        None => String::new(),
                    };
                    let heading = if name.is_empty() { format!(": {base}") } else { format!("{name} : {base}") };
                    return enumeration(word, Some(&heading), &scope, enumerators);
                }
                match &ty.name {
                    Some(name) if *scoped => self.spelled(name),
                    Some(name) => named(word, name),
                    None => format!("{word} {{...}}"),
                }
            }
            Kind::Void => "void".to_owned(),
            Kind::Unknown(why) => ty.name.as_deref().map_or_else(|| format!("<{why}>"), str::to_owned),
            _ => ty.name.as_deref().map_or_else(|| "<unnamed type>".to_owned(), |name| self.spelled(name)),
        }
    }

    /// Formats the declaration of a member; inside another type, only unnamed types are spelled out, and with their
    /// places also those of which the member is an object.
    pub(crate) fn member(&self, member: &Member) -> String {
        let name = member.name.as_deref().unwrap_or_default().to_owned();
        let unnamed = is_unnamed(&member.ty, self.context);
        let inside = Self { level: self.level + 1, ..*self };
        if let Some(layout) = self.layout {
            let is_member = !member.is_static && is_aggregate(&member.ty, self.context);
            let is_shown = is_member && self.level < DEEPEST_LAYOUT && self.may_write_more();
            let form = if is_shown || unnamed && !self.brief { Form::Definition } else { Form::Name };
            let start = if is_member { layout.start.saturating_add(member.offset.saturating_mul(8)) } else { 0 };
            let layout = Some(Layout { start, is_member, ..layout });
            return Self { form, layout, brief: !is_member, ..inside }.within(&member.ty, name, 1);
        }
        // Inside an unnamed type, types are only named.
        let form = if unnamed && !self.brief { Form::Definition } else { Form::Name };
        Self { form, brief: unnamed, ..inside }.within(&member.ty, name, 1)
    }

    /// Charges a nested type: damaged debug information may have more of them than fit into memory.
    fn may_write_more(&self) -> bool {
        self.context.budget().is_none_or(|budget| budget.part().is_ok())
    }
}

/// True if values of the type are structures or unions; those of a typedef keep its name.
fn is_aggregate(ty: &TypeRef, context: &EvalContext<'_>) -> bool {
    let mut reference = ty.clone();
    for _ in 0..MAX_DEPTH {
        match &type_of(&reference, context).kind {
            Kind::Qualified(_, next) => reference = next.clone(),
            Kind::Aggregate { .. } => return true,
            _ => return false,
        }
    }
    false
}

/// True if a member's type is an unnamed aggregate or enumeration, or derived from one.
fn is_unnamed(ty: &TypeRef, context: &EvalContext<'_>) -> bool {
    let mut reference = ty.clone();
    for _ in 0..MAX_DEPTH {
        let found = type_of(&reference, context);
        match &found.kind {
            Kind::Qualified(_, next) | Kind::Pointer(next) | Kind::Array { element: next, .. } => {
                reference = next.clone();
            }
            Kind::Aggregate { .. } | Kind::Enumeration { .. } => return found.name.is_none(),
            _ => return false,
        }
    }
    false
}

/// Returns the underlying type of an enumeration.
fn underlying(size: u64, signed: bool) -> &'static str {
    match (size, signed) {
        (1, false) => "unsigned char",
        (1, true) => "signed char",
        (2, false) => "unsigned short",
        (2, true) => "short",
        (8.., false) => "unsigned long",
        (8.., true) => "long",
        (_, false) => "unsigned int",
        (_, true) => "int",
    }
}

fn bound(dimension: &Dimension) -> String {
    dimension.count.map_or_else(|| "[]".to_owned(), |count| format!("[{count}]"))
}

/// Formats a flags register: each flag with its bit.
fn flags(name: &str, bits: &[(std::sync::Arc<str>, i64)]) -> String {
    let line = |(name, value): &(std::sync::Arc<str>, i64)| {
        let space = if name.is_empty() { "" } else { " " };
        format!("    bool{space}{name} @{};\n", value.trailing_zeros())
    };
    format!("flag {name} {{\n{}}}", bits.iter().map(line).collect::<String>())
}

/// Formats `enum color {RED, BLUE = 6, GREEN}`: a value is written only if it is not the previous one plus 1.
fn enumeration(word: &str, name: Option<&str>, scope: &str, enumerators: &[(std::sync::Arc<str>, i64)]) -> String {
    let mut next = 0_i64;
    let mut parts = Vec::new();
    for (name, value) in enumerators {
        parts.push(if *value == next { format!("{scope}{name}") } else { format!("{scope}{name} = {value}") });
        next = value.wrapping_add(1);
    }
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    format!("{word}{name} {{{}}}", parts.join(", "))
}
