//! Reads a file of printers: TOML with a table `[[printer]]` for each rule.

use super::rule::{PrinterBody, PrinterChildren, PrinterHint, PrinterMember, PrinterRule, PrinterSource, PrinterWalk};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Longest file, in bytes.
pub const LONGEST_PRINTER_FILE: usize = 256 << 10;
/// Longest text of an entry, in bytes.
const LONGEST_TEXT: usize = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    printer: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    #[serde(rename = "type")]
    ty: Spanned<Several>,
    #[serde(default)]
    has: Option<Several>,
    when: Option<String>,
    #[serde(default)]
    names: BTreeMap<String, String>,
    title: Option<String>,
    pointer: Option<String>,
    shown: Option<String>,
    text: Option<String>,
    length: Option<String>,
    #[serde(default)]
    members: Vec<Member>,
    children: Option<Children>,
}

/// One text or several.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or an array of strings")]
enum Several {
    One(String),
    More(Vec<String>),
}

impl Several {
    fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::More(texts) => texts,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"NAME = EXPRESSION\", or a table with name, value and when")]
enum Member {
    Text(String),
    Table(MemberTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberTable {
    name: Option<String>,
    value: String,
    when: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Children {
    array: Option<String>,
    index: Option<String>,
    list: Option<String>,
    tree: Option<String>,
    count: Option<String>,
    end: Option<String>,
    next: Option<String>,
    left: Option<String>,
    right: Option<String>,
    element: Option<String>,
    after: Option<String>,
    key: Option<String>,
    value: Option<String>,
    when: Option<String>,
    chain: Option<String>,
    hint: Option<PrinterHint>,
}

impl PrinterSource {
    /// Parses the text of a file. The error says on which line it is, and what is expected there.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let at = |line: usize, why: &str| format!("{name}:{line}: {why}");
        let line_of = |position: usize| 1 + text.get(..position).unwrap_or(text).matches('\n').count();
        if text.len() > LONGEST_PRINTER_FILE {
            return Err(format!("{name}: longer than {} KiB", LONGEST_PRINTER_FILE >> 10));
        }
        let written: Written = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            at(line, error.message())
        })?;
        let mut rules = Vec::new();
        for rule in written.printer {
            let line = line_of(rule.ty.span().start);
            let number = u32::try_from(line).unwrap_or(u32::MAX);
            rules.push(checked(rule, number).map_err(|why| at(line, &why))?);
        }
        Ok(Self { name: name.to_owned(), rules })
    }
}

fn checked(rule: Rule, line: u32) -> Result<PrinterRule, String> {
    let bodies = [rule.shown.is_some(), rule.text.is_some(), !rule.members.is_empty() || rule.children.is_some()];
    if bodies.iter().filter(|there| **there).count() > 1 {
        return Err("only one of \"shown\", \"text\" and \"members\" with \"children\" can be shown".to_owned());
    }
    if rule.length.is_some() && rule.text.is_none() {
        return Err("\"length\" is that of a \"text\"".to_owned());
    }
    let members = rule.members.into_iter().map(member).collect::<Result<Vec<_>, _>>()?;
    let children = rule.children.map(children).transpose()?.map(Box::new);
    let body = match (rule.shown, rule.text) {
        (Some(value), _) => PrinterBody::Shown(value),
        (_, Some(pointer)) => PrinterBody::Text(pointer, rule.length),
        _ if members.is_empty() && children.is_none() => PrinterBody::Nothing,
        _ => PrinterBody::Parts(members, children),
    };
    if body == PrinterBody::Nothing && rule.title.is_none() {
        return Err("nothing to show: add \"title\", \"shown\", \"text\", \"members\" or \"children\"".to_owned());
    }
    let (types, has) = (rule.ty.into_inner().into_vec(), rule.has.map_or_else(Vec::new, Several::into_vec));
    if types.is_empty() {
        return Err("\"type\" is empty".to_owned());
    }
    if let Some(name) = rule.names.keys().find(|name| !is_name(name)) {
        return Err(format!("{name:?} in \"names\" is no name: it has letters, digits and underscores"));
    }
    let Rule { when, names, title, pointer, .. } = rule;
    let rule = PrinterRule { line, types, has, when, names, title, pointer, body };
    if rule.texts().any(|text| text.len() > LONGEST_TEXT) {
        return Err(format!("a text is longer than {LONGEST_TEXT} bytes"));
    }
    if let Some(text) = rule.texts().find(|text| text.contains(|c: char| c.is_control() && c != '\n')) {
        return Err(format!("{text:?} has control characters"));
    }
    Ok(rule)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits `NAME = EXPRESSION`; an expression without a name is its own, and `*` is all members of the value.
fn member(written: Member) -> Result<PrinterMember, String> {
    match written {
        Member::Text(text) if text.trim() == "*" => {
            Ok(PrinterMember { name: String::new(), value: "*this".to_owned(), when: None })
        }
        Member::Text(text) => {
            let (name, value) = match equals(&text) {
                Some(at) => (text.get(..at).unwrap_or(""), text.get(at + 1..).unwrap_or("")),
                None => (text.as_str(), text.as_str()),
            };
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            if name.is_empty() || value.is_empty() {
                return Err(format!("expected NAME = EXPRESSION, not {text:?}"));
            }
            Ok(PrinterMember { name, value, when: None })
        }
        Member::Table(table) => {
            let name = table.name.unwrap_or_else(|| table.value.clone());
            if name.is_empty() {
                return Err("the name of a member is empty".to_owned());
            }
            Ok(PrinterMember { name, value: table.value, when: table.when })
        }
    }
}

/// Returns the place of the `=` between name and expression: one that belongs to no operator.
fn equals(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let at = text.find('=')?;
    let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let alone = !b"=!<>+-*/%&|^".contains(&before) && bytes.get(at + 1) != Some(&b'=');
    alone.then_some(at)
}

fn children(written: Children) -> Result<PrinterChildren, String> {
    let starts = [&written.array, &written.list, &written.tree];
    let kinds = starts.iter().filter(|start| start.is_some()).count();
    let by_index = kinds == 0;
    if kinds > 1 || kinds == 1 && written.index.is_some() {
        return Err("children are one of \"array\", \"index\", \"list\" and \"tree\"".to_owned());
    }
    let only = |name: &str, given: bool, of: &str, fits: bool| {
        if given && !fits { Err(format!("\"{name}\" of children goes with {of}")) } else { Ok(()) }
    };
    only("next", written.next.is_some(), "\"list\"", written.list.is_some())?;
    only("left", written.left.is_some(), "\"tree\"", written.tree.is_some())?;
    only("right", written.right.is_some(), "\"tree\"", written.tree.is_some())?;
    only("end", written.end.is_some(), "\"array\", \"list\" and \"tree\"", !by_index)?;
    only("chain", written.chain.is_some(), "\"array\" and \"index\"", by_index || written.array.is_some())?;
    let need = |entry: Option<String>, name: &str| entry.ok_or_else(|| format!("children lack \"{name}\""));
    let walk = if let Some(first) = written.array {
        if written.count.is_some() == written.end.is_some() {
            return Err("an \"array\" has a \"count\" or an \"end\"".to_owned());
        }
        PrinterWalk::Array { first, count: written.count, end: written.end }
    } else if let Some(first) = written.list {
        PrinterWalk::List { first, next: need(written.next, "next")?, end: written.end, count: written.count }
    } else if let Some(root) = written.tree {
        let (left, right) = (need(written.left, "left")?, need(written.right, "right")?);
        PrinterWalk::Tree { root, left, right, end: written.end, count: written.count }
    } else {
        if written.index.is_none() && written.value.is_none() {
            return Err("children lack \"array\", \"index\", \"list\" or \"tree\"".to_owned());
        }
        PrinterWalk::Index { item: written.index, count: need(written.count, "count")? }
    };
    if written.after.is_some() && written.element.is_none() {
        return Err("\"after\" of children goes with \"element\"".to_owned());
    }
    Ok(PrinterChildren {
        walk,
        element: written.element,
        after: written.after,
        key: written.key,
        value: written.value,
        when: written.when,
        chain: written.chain,
        hint: written.hint,
    })
}

impl PrinterRule {
    /// Returns all texts of the rule.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let mut texts: Vec<&String> =
            self.types.iter().chain(&self.has).chain(&self.when).chain(&self.title).chain(&self.pointer).collect();
        texts.extend(self.names.iter().flat_map(|(name, value)| [name, value]));
        match &self.body {
            PrinterBody::Nothing => {}
            PrinterBody::Shown(value) => texts.push(value),
            PrinterBody::Text(pointer, length) => texts.extend([pointer].into_iter().chain(length)),
            PrinterBody::Parts(members, children) => {
                texts.extend(members.iter().flat_map(|one| [&one.name, &one.value].into_iter().chain(&one.when)));
                if let Some(of) = children {
                    let parts = [&of.element, &of.after, &of.key, &of.value, &of.when, &of.chain];
                    texts.extend(parts.into_iter().flatten());
                    match &of.walk {
                        PrinterWalk::Array { first, count, end } => {
                            texts.extend([first].into_iter().chain(count).chain(end));
                        }
                        PrinterWalk::Index { item, count } => texts.extend([count].into_iter().chain(item)),
                        PrinterWalk::List { first, next, end, count } => {
                            texts.extend([first, next].into_iter().chain(end).chain(count));
                        }
                        PrinterWalk::Tree { root, left, right, end, count } => {
                            texts.extend([root, left, right].into_iter().chain(end).chain(count));
                        }
                    }
                }
            }
        }
        texts.into_iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        PrinterSource::parse("p.toml", text).unwrap_err()
    }

    #[test]
    fn a_rule_has_types_conditions_a_title_and_children() {
        let text = "# rings\n\n[[printer]]\ntype = \"Ring<*>\"\nhas = [\"items.first\"]\nwhen = \"size > 0\"\n\
            title = \"ring of {size}\"\nmembers = [\"size\", \"twice = 2 * size\", \"same == 1\", \"*\"]\n\
            children = { array = \"items\", count = \"size\", hint = \"list\" }\n";
        let file = PrinterSource::parse("p.toml", text).unwrap();
        let [rule] = &file.rules[..] else { panic!("{file:?}") };
        assert_eq!((rule.line, &rule.types[..]), (4, &["Ring<*>".to_owned()][..]));
        let PrinterBody::Parts(members, Some(children)) = &rule.body else { panic!("{rule:?}") };
        let members: Vec<_> = members.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect();
        assert_eq!(members, [("size", "size"), ("twice", "2 * size"), ("same == 1", "same == 1"), ("", "*this")]);
        assert_eq!(children.hint, Some(PrinterHint::List));
    }

    #[test]
    fn a_fault_is_reported_with_its_line() {
        let rule = |rest: &str| format!("\n[[printer]]\ntype = \"A\"\n{rest}\n");
        for (text, words) in [
            ("[[printer]\n".to_owned(), "p.toml:1: "),
            ("\n\n[[printer]]\ntitle = \"x\"\n".to_owned(), "p.toml:3: missing field `type`"),
            (rule("titel = \"x\""), "p.toml:4: unknown field `titel`"),
            (rule(""), "p.toml:3: nothing to show"),
            (rule("title = \"x\"\nshown = \"a\"\ntext = \"b\""), "p.toml:3: only one of"),
            (rule("children = { list = \"a\" }"), "p.toml:3: children lack \"next\""),
            (rule("children = { array = \"a\" }"), "an \"array\" has a \"count\" or an \"end\""),
            (
                rule("children = { array = \"a\", count = \"1\", next = \"b\" }"),
                "\"next\" of children goes with \"list\"",
            ),
            (rule("children = { count = \"1\" }"), "children lack \"array\""),
            (rule("children = { list = \"a\", array = \"b\" }"), "children are one of"),
            (rule("title = \"\\u001b[2J\""), "has control characters"),
            (rule("shown = 3"), "p.toml:4: invalid type: integer `3`"),
            (rule("members = [\"= 3\"]"), "expected NAME = EXPRESSION"),
            (rule("title = \"x\"\nnames = { \"a b\" = \"c\" }"), "is no name"),
        ] {
            let found = fault(&text);
            assert!(found.contains(words), "{found}\n{text}");
        }
        assert!(fault(&" ".repeat(LONGEST_PRINTER_FILE + 1)).contains("longer than 256 KiB"));
        assert!(fault(&rule(&format!("title = \"{}\"", "x".repeat(LONGEST_TEXT + 1)))).contains("longer than 4096"));
    }

    #[test]
    fn what_is_sent_to_the_servers_is_what_was_read() {
        let text =
            "[[printer]]\ntype = \"A\"\nchildren = { tree = \"root\", left = \"l\", right = \"r\", key = \"k\" }\n";
        let file = PrinterSource::parse("p.toml", text).unwrap();
        let sent: PrinterSource = serde_json::from_str(&serde_json::to_string(&file).unwrap()).unwrap();
        assert_eq!(sent, file);
    }
}
