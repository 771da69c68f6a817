//! Prints the graph of a symbol. Types are written inside out, like C declarations: the surrounding declarator is
//! passed inwards.

use super::{Extent, Id, Node};

/// The limit on the bytes of a name; longer names stay mangled.
const LONGEST: usize = 1 << 16;
/// The limit on nodes written for one symbol: back references could double at each step.
const MOST: u32 = 100_000;
const DEEPEST: u32 = 300;

pub(super) struct Printer<'a> {
    nodes: &'a [Node],
    /// Arguments of the enclosing templates, the innermost last.
    arguments: Vec<&'a [Id]>,
    /// The index of the pack element being written.
    element: Option<usize>,
    /// True within a lambda's parameters, where template parameters are the lambda's own.
    in_lambda: bool,
    /// The qualifier for the elements of the next array.
    of_elements: Option<&'static str>,
    written: u32,
    depth: u32,
}

impl<'a> Printer<'a> {
    pub(super) fn new(nodes: &'a [Node]) -> Self {
        Self { nodes, arguments: Vec::new(), element: None, in_lambda: false, of_elements: None, written: 0, depth: 0 }
    }

    pub(super) fn symbol(&mut self, id: Id, extent: Extent) -> Option<String> {
        match self.nodes.get(id)? {
            Node::Encoding { .. } => self.encoding(id, extent),
            Node::Special(words, of) => {
                let of = self.symbol(*of, Extent::Whole)?;
                Some(format!("{words}{of}"))
            }
            Node::Within(base, derived) => {
                let (base, derived) = (self.text(*base)?, self.text(*derived)?);
                Some(format!("construction vtable for {base}-in-{derived}"))
            }
            _ => self.text(id),
        }
    }

    fn text(&mut self, id: Id) -> Option<String> {
        self.declared(id, String::new())
    }

    /// Joins with commas; empty packs are left out.
    fn list(&mut self, ids: &[Id]) -> Option<String> {
        let mut all = String::new();
        for id in ids {
            let one = self.text(*id)?;
            let separator = if all.is_empty() || one.is_empty() { "" } else { ", " };
            all.push_str(separator);
            all.push_str(&one);
        }
        Some(all)
    }

    fn encoding(&mut self, id: Id, extent: Extent) -> Option<String> {
        let Node::Encoding { name, returns, parameters, qualifiers } = self.nodes.get(id)? else { return None };
        let around = self.template_of(*name);
        let mut text = self.text(*name)?;
        self.arguments.extend(around);
        if extent != Extent::Name
            && let Some(parameters) = parameters
        {
            let parameters = self.list(parameters)?;
            text = format!("{text}({parameters}){}", qualifiers.text());
        }
        if extent == Extent::Whole
            && let Some(returns) = returns
        {
            text = self.declared(*returns, format!(" {text}"))?;
        }
        if around.is_some() {
            self.arguments.pop();
        }
        Some(text)
    }

    /// Returns the template arguments that parameters in this function's signature refer to.
    fn template_of(&self, name: Id) -> Option<&'a [Id]> {
        match self.nodes.get(name)? {
            Node::Template(_, arguments) => Some(arguments),
            Node::Local(_, inner) | Node::Tagged(inner, _) => self.template_of(*inner),
            Node::Nested(scope, _) => self.template_of(*scope),
            _ => None,
        }
    }

    /// Writes a node with its surrounding declarator.
    fn declared(&mut self, id: Id, declarator: String) -> Option<String> {
        self.written += 1;
        if self.written > MOST || self.depth > DEEPEST || declarator.len() > LONGEST {
            return None;
        }
        self.depth += 1;
        let text = self.node(id, declarator);
        self.depth -= 1;
        text.filter(|text| text.len() <= LONGEST)
    }

    fn node(&mut self, id: Id, declarator: String) -> Option<String> {
        let base = match self.nodes.get(id)? {
            Node::Parameter(number) => return self.parameter(*number, declarator),
            Node::Pack(all) => match self.element {
                Some(element) => return self.declared(*all.get(element)?, declarator),
                None => self.list(all)?,
            },
            Node::Expansion(of) => self.expansion(*of)?,
            Node::Pointer(sign, of) => {
                let (sign, of) = self.collapsed(sign, *of);
                return self.declared(of, format!("{sign}{declarator}"));
            }
            // A qualifier of an array applies to its elements.
            Node::Qualified(word, of) if matches!(self.nodes.get(self.argument(*of)), Some(Node::Array(..))) => {
                self.of_elements = Some(word);
                return self.declared(*of, declarator);
            }
            Node::Qualified(word, of) => return self.declared(*of, format!(" {word}{declarator}")),
            Node::Function { returns, parameters, qualifiers } => {
                let parameters = self.list(parameters)?;
                let inner = if declarator.is_empty() { String::new() } else { format!("({})", tight(&declarator)) };
                return self.declared(*returns, format!(" {inner}({parameters}){}", qualifiers.text()));
            }
            Node::Array(count, element) => {
                let count = count.map_or(Some(String::new()), |count| self.text(count))?;
                let around = match declarator.as_str() {
                    "" => format!(" [{count}]"),
                    outer if outer.ends_with(']') => format!("{outer}[{count}]"),
                    outer => format!(" ({}) [{count}]", tight(outer)),
                };
                let word = self.of_elements.take().map_or(String::new(), |word| format!(" {word}"));
                return self.declared(*element, word + &around);
            }
            Node::Member(class, member) => {
                let class = self.text(*class)?;
                let function = matches!(self.nodes.get(*member)?, Node::Function { .. });
                let blank = if function { "" } else { " " };
                return self.declared(*member, format!("{blank}{class}::*{declarator}"));
            }
            _ => self.name(id)?,
        };
        Some(base + &declarator)
    }

    fn name(&mut self, id: Id) -> Option<String> {
        Some(match self.nodes.get(id)? {
            Node::Name(name) => name.clone(),
            Node::Nested(scope, name) => format!("{}::{}", self.text(*scope)?, self.text(*name)?),
            Node::Template(of, all) => {
                let of = self.text(*of)?;
                let arguments = self.list(all)?;
                let blank = if of.ends_with('<') { " " } else { "" };
                // gdb writes no blank after arguments that are empty.
                let nothing = all.last().is_some_and(|last| self.comes_to_nothing(*last));
                let end = if arguments.ends_with('>') && !nothing { " >" } else { ">" };
                format!("{of}{blank}<{arguments}{end}")
            }
            Node::Local(function, inner) => {
                let function_text = self.symbol(*function, Extent::Parameters)?;
                format!("{function_text}::{}", self.text(*inner)?)
            }
            Node::Conversion(ty) => format!("operator {}", self.text(*ty)?),
            Node::Constructor(sign, class) => format!("{sign}{}", self.last_name(*class)?),
            Node::Lambda(parameters, number) => {
                let outside = std::mem::replace(&mut self.in_lambda, true);
                let parameters = self.list(parameters);
                self.in_lambda = outside;
                format!("{{lambda({})#{number}}}", parameters?)
            }
            Node::Tagged(name, tag) => format!("{}[abi:{tag}]", self.text(*name)?),
            Node::Encoding { .. } => self.encoding(id, Extent::Parameters)?,
            Node::Special(..) | Node::Within(..) => self.symbol(id, Extent::Whole)?,
            _ => self.expression(id)?,
        })
    }

    fn expression(&mut self, id: Id) -> Option<String> {
        Some(match self.nodes.get(id)? {
            Node::Literal(ty, digits) => {
                let ty = self.text(*ty)?;
                match (ty.as_str(), digits.as_str()) {
                    ("bool", "0") => "false".to_owned(),
                    ("bool", "1") => "true".to_owned(),
                    ("int", digits) => digits.to_owned(),
                    ("unsigned int", digits) => format!("{digits}u"),
                    ("long", digits) => format!("{digits}l"),
                    ("unsigned long", digits) => format!("{digits}ul"),
                    ("long long", digits) => format!("{digits}ll"),
                    ("unsigned long long", digits) => format!("{digits}ull"),
                    ("float" | "double" | "long double", digits) => format!("({ty})[{digits}]"),
                    (ty, digits) => format!("({ty}){digits}"),
                }
            }
            // A function whose address is taken is in parentheses if it is written with parameters.
            Node::Unary("&", of) if matches!(self.nodes.get(*of)?, Node::Encoding { .. }) => {
                let of = self.encoding(*of, Extent::Whole)?;
                if of.ends_with(')') { format!("&({of})") } else { format!("&{of}") }
            }
            Node::Unary(sign, of) => format!("{sign}{}", self.operand(*of)?),
            Node::Binary(sign @ ("." | "->"), left, right) => {
                format!("{}{sign}{}", self.operand(*left)?, self.text(*right)?)
            }
            Node::Binary("[]", left, right) => format!("{}[{}]", self.operand(*left)?, self.text(*right)?),
            Node::Binary(sign, left, right) => {
                let text = format!("{}{sign}{}", self.operand(*left)?, self.operand(*right)?);
                if *sign == ">" { format!("({text})") } else { text }
            }
            Node::Call(function, arguments) => format!("{}({})", self.operand(*function)?, self.list(arguments)?),
            Node::Cast(ty, arguments) => format!("({})({})", self.text(*ty)?, self.list(arguments)?),
            Node::NamedCast(word, ty, of) => format!("{word}<{}>({})", self.text(*ty)?, self.text(*of)?),
            Node::Word(word, of) => format!("{word}({})", self.text(*of)?),
            _ => return None,
        })
    }

    fn operand(&mut self, id: Id) -> Option<String> {
        let simple = match self.nodes.get(id)? {
            Node::Name(_) | Node::Encoding { .. } => true,
            Node::Nested(_, last) => !matches!(self.nodes.get(*last)?, Node::Template(..)),
            _ => false,
        };
        let text = self.text(id)?;
        Some(if simple { text } else { format!("({text})") })
    }

    /// Writes the argument of a template parameter, outside the scope of its template.
    fn parameter(&mut self, number: usize, declarator: String) -> Option<String> {
        if self.in_lambda {
            return Some(format!("auto:{}{declarator}", number + 1));
        }
        let arguments = self.arguments.pop()?;
        let text = arguments.get(number).copied().and_then(|argument| self.declared(argument, declarator));
        self.arguments.push(arguments);
        text
    }

    /// Collapses a reference to a reference as C++ does.
    fn collapsed(&self, sign: &'static str, of: Id) -> (&'static str, Id) {
        match (sign, self.nodes.get(self.argument(of))) {
            ("&" | "&&", Some(Node::Pointer("&", inner))) => ("&", *inner),
            ("&" | "&&", Some(Node::Pointer("&&", inner))) => (sign, *inner),
            _ => (sign, of),
        }
    }

    /// Returns the argument of a template parameter; returns any other node unchanged.
    fn argument(&self, of: Id) -> Id {
        let Some(Node::Parameter(number)) = self.nodes.get(of).filter(|_| !self.in_lambda) else { return of };
        let argument = self.arguments.last().and_then(|arguments| arguments.get(*number));
        match (argument.and_then(|id| self.nodes.get(*id)), self.element) {
            (Some(Node::Pack(all)), Some(element)) => all.get(element).copied().unwrap_or(of),
            (Some(_), _) => argument.copied().unwrap_or(of),
            _ => of,
        }
    }

    fn expansion(&mut self, of: Id) -> Option<String> {
        let Some(length) = self.pack_length(of, 0) else { return Some(format!("{}...", self.operand(of)?)) };
        let outside = self.element;
        let mut all = Vec::new();
        for element in 0..length {
            self.element = Some(element);
            all.push(self.text(of));
        }
        self.element = outside;
        Some(all.into_iter().collect::<Option<Vec<_>>>()?.join(", "))
    }

    fn comes_to_nothing(&self, id: Id) -> bool {
        match self.nodes.get(id) {
            Some(Node::Pack(all)) => all.iter().all(|one| self.comes_to_nothing(*one)),
            Some(Node::Expansion(of)) => self.pack_length(*of, 0) == Some(0),
            _ => false,
        }
    }

    /// Returns the number of elements in the pack that a type uses.
    fn pack_length(&self, id: Id, depth: u32) -> Option<usize> {
        let within = |id: &Id| self.pack_length(*id, depth + 1);
        if depth > DEEPEST {
            return None;
        }
        match self.nodes.get(id)? {
            Node::Parameter(number) if !self.in_lambda => {
                match self.nodes.get(*self.arguments.last()?.get(*number)?)? {
                    Node::Pack(all) => Some(all.len()),
                    _ => None,
                }
            }
            Node::Pointer(_, of) | Node::Qualified(_, of) | Node::Expansion(of) | Node::Word(_, of) => within(of),
            Node::Nested(left, right) | Node::Member(left, right) | Node::Binary(_, left, right) => {
                within(left).or_else(|| within(right))
            }
            Node::Template(of, all) | Node::Call(of, all) | Node::Cast(of, all) => {
                within(of).or_else(|| all.iter().find_map(within))
            }
            Node::Function { returns, parameters, .. } => {
                within(returns).or_else(|| parameters.iter().find_map(within))
            }
            Node::Array(_, element) => within(element),
            _ => None,
        }
    }

    /// Returns the name of a class without scopes and arguments.
    fn last_name(&mut self, class: Id) -> Option<String> {
        match self.nodes.get(class)? {
            Node::Nested(_, name) | Node::Template(name, _) | Node::Local(_, name) => self.last_name(*name),
            Node::Tagged(name, _) => self.last_name(*name),
            Node::Name(name) => {
                let name = name.split('<').next().unwrap_or(name);
                Some(name.rsplit("::").next().unwrap_or(name).to_owned())
            }
            _ => self.text(class),
        }
    }
}

/// Formats a declarator for parentheses, without the blank between a sign and a name.
fn tight(declarator: &str) -> String {
    let text = declarator.trim_start();
    let signs = text.len() - text.trim_start_matches(['*', '&']).len();
    let (signs, rest) = text.split_at_checked(signs).unwrap_or((text, ""));
    if signs.is_empty() || rest.starts_with(" const") || rest.starts_with(" volatile") {
        return text.to_owned();
    }
    format!("{signs}{}", rest.trim_start())
}
