//! Formats classes as gdb's `ptype` does: access labels, methods, typedefs, and short names for template arguments.

use super::local_names::LocalNames;
use crate::lang::c::layout::MemberPlaces;
use crate::lang::c::type_text::{Writer, qualifier_word};
use crate::types::{MAX_DEPTH, size_of, stripped, type_of};
use debuginfo::types::classes::{Access, ClassDetail, MemberDetail, MethodDetail};
use debuginfo::types::{Aggregate, Kind, Member, Qualifier, Type, TypeRef};
use std::sync::Arc;

/// The last access label written, and the indentation of labels.
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

/// True if some member's access is not the default, so that `ptype` prints access labels.
fn needs_labels(is_class: bool, class: &ClassDetail, bases: usize) -> bool {
    let data = class.members.iter().skip(bases).map(|member| member.access);
    let all = data.chain(class.methods.iter().map(|method| method.access));
    let mut all = all.chain(class.typedefs.iter().map(|(_, _, access)| *access));
    let usual = if is_class { Access::Private } else { Access::Public };
    all.any(|access| access != usual)
}

impl Writer<'_> {
    /// Formats a declaration inside a class, where some types have short names.
    pub(crate) fn within(&self, ty: &TypeRef, inner: String, depth: u32) -> String {
        let s = self.context;
        let Some(name) = self.locals.and_then(|locals| locals.of(ty, s)) else {
            return self.declaration(ty, inner, depth);
        };
        let words = self.qualifiers(ty);
        let name = if words.is_empty() { name.to_string() } else { format!("{words} {name}") };
        crate::lang::c::type_text::joined(&name, &inner)
    }

    /// Returns the qualifiers of a type, as words.
    pub(crate) fn qualifiers(&self, ty: &TypeRef) -> String {
        let mut found = Vec::new();
        let mut ty = ty.clone();
        for _ in 0..MAX_DEPTH {
            let Kind::Qualified(qualifier, next) = &type_of(&ty, self.context).kind else { break };
            found.push(*qualifier);
            ty = next.clone();
        }
        let order = [Qualifier::Const, Qualifier::Volatile, Qualifier::Restrict, Qualifier::Atomic];
        let words: Vec<_> = order.into_iter().filter(|one| found.contains(one)).map(qualifier_word).collect();
        words.join(" ")
    }

    /// Formats an aggregate, spelled out.
    pub(crate) fn class(&self, word: &str, reference: &TypeRef, ty: &Type) -> String {
        let Kind::Aggregate { members, declaration, tag } = &ty.kind else { return String::new() };
        // A declaration has no details.
        let known = if *declaration { None } else { self.context.symbols().class(reference) };
        let mut class = known.unwrap_or_default();
        if self.part.no_methods {
            class.methods.clear();
        }
        let members: &[Member] = if *declaration { &[] } else { members };
        if self.part.raw {
            class.template.clear();
        }
        let names = LocalNames::of_template(self.locals, &class, self.context);
        let outside = Writer { locals: Some(&names), ..*self };
        let semi = names.copied(self.context);
        let semi = Writer { locals: Some(&semi), ..self.names() };
        let all = names.clone().with_typedefs(&class, members, self.context);
        let inside = Writer { locals: if self.part.raw { None } else { Some(&all) }, ..*self };
        let indent = "    ".repeat(self.level);
        let mut text = format!("{word} ");
        if let Some(name) = ty.name.as_deref() {
            // The name of an incomplete type cannot be looked up.
            text.push_str(&if *declaration { name.to_owned() } else { self.spelled(name) });
            text.push(' ');
        }
        text.push_str(&self.template_heading(&class));
        text.push_str(&outside.bases(members, &class));
        text.push_str("{\n");
        let mut places = MemberPlaces::new(self.layout, *tag == Aggregate::Union);
        let margin = places.margin();
        if members.is_empty() && class.methods.is_empty() && class.typedefs.is_empty() {
            let words = if *declaration { "<incomplete type>" } else { "<no data fields>" };
            text.push_str(&format!("{margin}{indent}    {words}\n"));
        }
        let bases = members.iter().filter(|member| member.base).count();
        let labels = needs_labels(word == "class", &class, bases);
        let mut sections = Sections { current: None, indent: format!("{margin}{indent}") };
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
            let place = places.before(member, size_of(&member.ty, self.context).unwrap_or(0));
            text.push_str(&format!("{place}{indent}    {shared}{}{bits};\n", inside.member(member)));
        }
        if self.layout.is_some() {
            text.push_str(&places.total(ty.size.unwrap_or(0), self.level));
            text.push_str(&format!("{}{indent}}}", places.last_margin(self.level)));
            return text;
        }
        inside.methods(&class, &mut sections, &mut text);
        let typedefs = if self.part.no_typedefs { &[] } else { class.typedefs.as_slice() };
        let others = !members.is_empty() || !class.methods.is_empty() || class.has_nested;
        if others && !typedefs.is_empty() {
            text.push('\n');
        }
        for (name, ty, access) in typedefs {
            let Kind::Typedef(target) = &type_of(ty, self.context).kind else { continue };
            if labels {
                sections.enter(*access, &mut text);
            }
            let target = semi.within(target, name.to_string(), 1);
            text.push_str(&format!("{indent}    typedef {target};\n"));
        }
        text.push_str(&indent);
        text.push('}');
        text
    }

    /// Formats `[with T = int]`.
    fn template_heading(&self, class: &ClassDetail) -> String {
        let argument =
            |(name, ty): &(Arc<str>, TypeRef)| format!("{name} = {}", self.names().declaration(ty, String::new(), 1));
        let arguments: Vec<String> = class.template.iter().map(argument).collect();
        if arguments.is_empty() { String::new() } else { format!("[with {}] ", arguments.join(", ")) }
    }

    fn bases(&self, members: &[Member], class: &ClassDetail) -> String {
        let base = |(number, member): (usize, &Member)| {
            let access = class.members.get(number).map_or("public", |detail| word_of(detail.access));
            let shared = if member.virtual_at.is_some() { " virtual" } else { "" };
            let ty = type_of(&member.ty, self.context);
            format!("{access}{shared} {}", self.spelled(ty.name.as_deref().unwrap_or("(null)")))
        };
        let bases: Vec<String> = members.iter().enumerate().filter(|(_, member)| member.base).map(base).collect();
        if bases.is_empty() { String::new() } else { format!(": {} ", bases.join(", ")) }
    }

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
        let writer = self.names();
        let mut text = String::new();
        if method.is_virtual {
            text.push_str("virtual ");
        } else if method.is_static() {
            text.push_str("static ");
        }
        let implied = method.name.starts_with('~') || converts(&method.name);
        if let Some(returns) = method.returns.as_ref().filter(|_| !implied) {
            text.push_str(&writer.within(returns, String::new(), 1));
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
            && let Kind::Pointer(object) = &stripped(this, self.context).1.kind
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

/// True for the name of a conversion operator.
fn converts(name: &str) -> bool {
    let Some(ty) = name.strip_prefix("operator").filter(|rest| rest.starts_with(char::is_whitespace)) else {
        return false;
    };
    let ty = ty.trim_start();
    let word_end = ty.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(ty.len());
    let word = ty.get(..word_end).unwrap_or_default();
    !word.is_empty() && !matches!(word, "new" | "delete")
}
