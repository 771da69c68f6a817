//! The table of printers: rules by the names of their types.

use super::pattern::{TypePattern, head};
use super::rule::Rule;
use super::show::{Subject, noted};
use crate::EvalError;
use crate::context::{EvalContext, TypePrinters};
use crate::printers::container::Printed;
use crate::types::type_of;
use crate::value::Value;
use debuginfo::types::{Kind, TypeRef};
use model::{PrinterSource, Printers, shipped_printers};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Titles may show values with titles of their own, up to this depth.
pub(crate) const DEEPEST: u8 = 3;

/// Printers, ready to be evaluated.
#[derive(Debug, Default)]
pub struct PrinterTable {
    rules: Vec<Rule>,
    /// Patterns by the beginnings of names, in the order of the rules.
    by_head: HashMap<String, Vec<(TypePattern, usize)>>,
    has_pointers: bool,
    /// What the user has disabled; `None`: nothing.
    without: Option<Box<Without>>,
}

/// The printers in code and those that come with the program, without the disabled ones.
#[derive(Debug)]
struct Without {
    printers: Printers,
    shipped: PrinterTable,
}

static SHIPPED: LazyLock<PrinterTable> = LazyLock::new(|| PrinterTable::of_files(shipped_printers()));

impl PrinterTable {
    /// Prepares the user's printers.
    pub fn new(printers: &Printers) -> Self {
        if printers.disabled().next().is_none() {
            return Self::of_files(printers.files());
        }
        let left = |files: &[PrinterSource]| -> Self {
            Self::of_files(&files.iter().map(|file| printers.without_disabled(file)).collect::<Vec<_>>())
        };
        let without = Without { printers: printers.clone(), shipped: left(shipped_printers()) };
        Self { without: Some(Box::new(without)), ..left(printers.files()) }
    }

    /// Those that come with the program, without the ones that are disabled in this table.
    pub(crate) fn shipped_with(own: Option<&Self>) -> &Self {
        own.and_then(|own| own.without.as_ref()).map_or(Self::shipped(), |without| &without.shipped)
    }

    /// The printers that come with the program.
    pub(crate) fn shipped() -> &'static Self {
        &SHIPPED
    }

    fn of_files(files: &[PrinterSource]) -> Self {
        let mut table = Self::default();
        for file in files {
            for rule in &file.rules {
                let (patterns, rule) = Rule::parse(&file.name, rule);
                table.add(patterns, rule);
            }
        }
        table
    }

    fn add(&mut self, patterns: Vec<TypePattern>, rule: Rule) {
        let index = self.rules.len();
        self.rules.push(rule);
        for pattern in patterns {
            self.has_pointers |= pattern.is_pointer;
            self.by_head.entry(pattern.head().to_owned()).or_default().push((pattern, index));
        }
    }

    /// Returns the reasons why rules cannot be used, each with its file and line.
    pub fn faults(&self) -> Vec<String> {
        let fault = |rule: &Rule| Some(format!("{}: {}", rule.place, rule.fault.as_ref()?));
        self.rules.iter().filter_map(fault).collect()
    }

    /// Uses the first rule that is for a value; fails with the place of the rule, and the reason.
    pub(super) fn used<T>(
        &self,
        value: &Value,
        of_pointer: bool,
        context: &EvalContext<'_>,
        mut using: impl FnMut(&Rule, &Subject<'_>) -> Result<Option<T>, EvalError>,
    ) -> Result<Option<T>, (String, EvalError)> {
        if self.rules.is_empty() || context.printing() >= DEEPEST {
            return Ok(None);
        }
        let mut ty = value.ty().clone();
        // A type may be found by its typedefs, too.
        for _ in 0..MOST_NAMES {
            let found = type_of(&ty, context);
            if let Some(name) = found.name.as_deref()
                && let Some(used) = self.used_by_name(value, name, &ty, of_pointer, context, &mut using)?
            {
                return Ok(Some(used));
            }
            match &found.kind {
                Kind::Typedef(next) | Kind::Qualified(_, next) => ty = next.clone(),
                _ => break,
            }
        }
        Ok(None)
    }

    fn used_by_name<T>(
        &self,
        value: &Value,
        name: &str,
        ty: &TypeRef,
        of_pointer: bool,
        context: &EvalContext<'_>,
        using: &mut impl FnMut(&Rule, &Subject<'_>) -> Result<Option<T>, EvalError>,
    ) -> Result<Option<T>, (String, EvalError)> {
        let Some(patterns) = self.by_head.get(&head(name)) else { return Ok(None) };
        for (pattern, index) in patterns.iter().filter(|(pattern, _)| pattern.is_pointer == of_pointer) {
            let (Some(rule), Some(captures)) = (self.rules.get(*index), pattern.captures(name, ty, context)) else {
                continue;
            };
            let is_cpp = name.contains(['<', ':']);
            match using(rule, &Subject { value, captures: &captures, is_cpp }) {
                Ok(Some(used)) => return Ok(Some(used)),
                Ok(None) => {}
                Err(why) => return Err((rule.place.clone(), why)),
            }
        }
        Ok(None)
    }
}

impl TypePrinters for PrinterTable {
    fn printed(&self, value: &Value, of_pointer: bool, context: &EvalContext<'_>) -> Printed {
        match self.used(value, of_pointer, context, |rule, subject| rule.shown(subject, context)) {
            Ok(None) => Printed::Nothing,
            Ok(Some(container)) => Printed::Shown(container),
            Err((place, why)) => Printed::Failed(noted("", &place, &why.message)),
        }
    }

    fn has_pointers(&self) -> bool {
        self.has_pointers
    }

    fn hides_library_type(&self, name: &str) -> bool {
        self.without.as_ref().is_some_and(|without| without.printers.hides_library_type(name))
    }

    fn method(
        &self,
        object: &Value,
        method: &str,
        arguments: &[Value],
        context: &EvalContext<'_>,
    ) -> Result<Option<Value>, EvalError> {
        let computed = self.used(object, false, context, |rule, subject| {
            rule.with_scope(subject, context, |scope| rule.method(scope, method, arguments))
        });
        computed.map(Option::flatten).map_err(|(_, why)| why)
    }

    fn elements(&self, value: &Value, context: &EvalContext<'_>) -> Option<Value> {
        let found = self.used(value, false, context, |rule, subject| {
            rule.with_scope(subject, context, |scope| rule.elements(scope))
        });
        found.ok()??
    }
}

/// Limit on typedefs of one type; more mean a loop in damaged debug information.
const MOST_NAMES: usize = 64;
