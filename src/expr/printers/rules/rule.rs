//! A rule, ready to be evaluated: its patterns and expressions are parsed once.

use super::checked_expression::CheckedExpression;
use super::pattern::TypePattern;
use super::title::Title;
use model::{PrinterBody, PrinterChildren, PrinterHint, PrinterRule, PrinterWalk};

#[derive(Debug)]
pub(super) struct Rule {
    /// The file and the line, for notes.
    pub(super) place: String,
    /// Why the rule cannot be used.
    pub(super) fault: Option<String>,
    pub(super) has: Vec<CheckedExpression>,
    pub(super) when: Option<CheckedExpression>,
    pub(super) names: Vec<(String, TypeOf)>,
    pub(super) title: Option<Title>,
    /// What `*` and `->` follow.
    pub(super) pointer: Option<CheckedExpression>,
    pub(super) body: Body,
}

/// The type of an expression, or one of its template arguments.
#[derive(Debug)]
pub(super) struct TypeOf {
    /// `None`: that of the value.
    pub(super) of: Option<CheckedExpression>,
    pub(super) argument: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Body {
    Nothing,
    Shown(CheckedExpression),
    Text(CheckedExpression, Option<CheckedExpression>),
    Parts(Vec<Part>, Option<Box<Children>>),
}

#[derive(Debug)]
pub(super) struct Part {
    /// Empty for all members of the value.
    pub(super) name: String,
    pub(super) value: CheckedExpression,
    pub(super) when: Option<CheckedExpression>,
}

#[derive(Debug)]
pub(super) struct Children {
    pub(super) walk: Walk,
    /// An expression with the type of an element: a null pointer to it.
    pub(super) element: Option<CheckedExpression>,
    pub(super) after: Option<CheckedExpression>,
    pub(super) key: Option<CheckedExpression>,
    pub(super) value: Option<CheckedExpression>,
    pub(super) when: Option<CheckedExpression>,
    pub(super) chain: Option<CheckedExpression>,
    pub(super) hint: PrinterHint,
}

#[derive(Debug)]
pub(super) enum Walk {
    Array {
        first: CheckedExpression,
        count: Option<CheckedExpression>,
        end: Option<CheckedExpression>,
    },
    Index {
        item: Option<CheckedExpression>,
        count: CheckedExpression,
    },
    List {
        first: CheckedExpression,
        next: CheckedExpression,
        end: Option<CheckedExpression>,
        count: Option<CheckedExpression>,
    },
    Tree {
        root: CheckedExpression,
        ways: [CheckedExpression; 2],
        end: Option<CheckedExpression>,
        count: Option<CheckedExpression>,
    },
}

/// Parses the expressions of a rule.
struct Reader<'a> {
    rule: &'a PrinterRule,
    wildcards: usize,
}

impl Rule {
    /// Parses a rule with its patterns. What is wrong with it is its fault.
    pub(super) fn parse(file: &str, rule: &PrinterRule) -> (Vec<TypePattern>, Self) {
        let name = file.rsplit('/').next().unwrap_or(file);
        let place = format!("{name}:{}", rule.line);
        let mut patterns = Vec::new();
        let mut fault = None;
        for text in &rule.types {
            match TypePattern::parse(text) {
                Ok(pattern) => patterns.push(pattern),
                Err(why) => fault = fault.or(Some(why)),
            }
        }
        // All types of a rule have the names that its expressions use.
        let wildcards = patterns.iter().map(TypePattern::wildcards).min().unwrap_or(0);
        let parsed = Reader { rule, wildcards }.rule(&place);
        let parsed = parsed.and_then(|rule| fault.map_or(Ok(rule), Err));
        (patterns, parsed.unwrap_or_else(|why| Self::faulty(place, why)))
    }

    fn faulty(place: String, why: String) -> Self {
        let (has, names) = (Vec::new(), Vec::new());
        Self { place, fault: Some(why), has, when: None, names, title: None, pointer: None, body: Body::Nothing }
    }
}

impl Reader<'_> {
    fn rule(&self, place: &str) -> Result<Rule, String> {
        let rule = self.rule;
        let body = match &rule.body {
            PrinterBody::Nothing => Body::Nothing,
            PrinterBody::Shown(value) => Body::Shown(self.read(value)?),
            PrinterBody::Text(pointer, length) => Body::Text(self.read(pointer)?, self.maybe(length.as_ref())?),
            PrinterBody::Parts(members, children) => {
                let part = |member: &model::PrinterMember| {
                    let (value, when) = (self.read(&member.value)?, self.maybe(member.when.as_ref())?);
                    Ok(Part { name: member.name.clone(), value, when })
                };
                let parts = members.iter().map(part).collect::<Result<_, String>>()?;
                let children = children.as_ref().map(|children| self.children(children)).transpose()?;
                Body::Parts(parts, children.map(Box::new))
            }
        };
        let names = rule.names.iter().map(|(name, text)| Ok((name.clone(), self.type_of(text)?)));
        Ok(Rule {
            place: place.to_owned(),
            fault: None,
            has: rule.has.iter().map(|path| self.read(path)).collect::<Result<_, _>>()?,
            when: self.maybe(rule.when.as_ref())?,
            names: names.collect::<Result<_, String>>()?,
            title: rule.title.as_ref().map(|title| Title::parse(title, &|text| self.read(text))).transpose()?,
            pointer: self.maybe(rule.pointer.as_ref())?,
            body,
        })
    }

    fn read(&self, text: &str) -> Result<CheckedExpression, String> {
        let number = |name: &str| name.strip_prefix('T').and_then(|digits| digits.parse::<usize>().ok());
        let knows = |name: &str| {
            matches!(name, "i" | "node" | "item" | "this")
                || self.rule.names.contains_key(name)
                || number(name).is_some_and(|number| (1..=self.wildcards).contains(&number))
        };
        CheckedExpression::parse(text, &knows)
    }

    fn maybe(&self, text: Option<&String>) -> Result<Option<CheckedExpression>, String> {
        text.map(|text| self.read(text)).transpose()
    }

    /// Parses `expression` or `expression<N>`.
    fn type_of(&self, text: &str) -> Result<TypeOf, String> {
        let text = text.trim();
        let argument = text.strip_suffix('>').and_then(|inner| {
            let (of, number) = inner.rsplit_once('<')?;
            Some((of.trim(), number.trim().parse().ok()?))
        });
        let (of, argument) = argument.map_or((text, None), |(of, number)| (of, Some(number)));
        let of = if of.is_empty() { None } else { Some(self.read(of)?) };
        Ok(TypeOf { of, argument })
    }

    fn children(&self, children: &PrinterChildren) -> Result<Children, String> {
        let walk = match &children.walk {
            PrinterWalk::Array { first, count, end } => Walk::Array {
                first: self.read(first)?,
                count: self.maybe(count.as_ref())?,
                end: self.maybe(end.as_ref())?,
            },
            PrinterWalk::Index { item, count } => {
                Walk::Index { item: self.maybe(item.as_ref())?, count: self.read(count)? }
            }
            PrinterWalk::List { first, next, end, count } => Walk::List {
                first: self.read(first)?,
                next: self.read(next)?,
                end: self.maybe(end.as_ref())?,
                count: self.maybe(count.as_ref())?,
            },
            PrinterWalk::Tree { root, left, right, end, count } => Walk::Tree {
                root: self.read(root)?,
                ways: [self.read(left)?, self.read(right)?],
                end: self.maybe(end.as_ref())?,
                count: self.maybe(count.as_ref())?,
            },
        };
        let is_plain = matches!(walk, Walk::Array { .. } | Walk::Index { .. }) && children.chain.is_none();
        let usual = if is_plain { PrinterHint::Array } else { PrinterHint::List };
        let hint = if children.key.is_some() { PrinterHint::Map } else { children.hint.unwrap_or(usual) };
        let pointer = children.element.as_ref().map(|ty| self.read(&format!("({ty} *) 0"))).transpose()?;
        Ok(Children {
            walk,
            element: pointer,
            after: self.maybe(children.after.as_ref())?,
            key: self.maybe(children.key.as_ref())?,
            value: self.maybe(children.value.as_ref())?,
            when: self.maybe(children.when.as_ref())?,
            chain: self.maybe(children.chain.as_ref())?,
            hint,
        })
    }
}
