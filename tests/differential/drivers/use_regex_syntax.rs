//! Uses regular expressions as programs do: parses, translates, extracts literals, reports errors.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::literal::{ExtractKind, Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind, Look};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
struct Counts {
    literals: usize,
    classes: usize,
    repetitions: Vec<(u32, Option<u32>)>,
    looks: Vec<Look>,
    groups: BTreeMap<String, u32>,
}

impl Counts {
    fn count(&mut self, hir: &Hir) {
        match hir.kind() {
            HirKind::Literal(literal) => self.literals += literal.0.len(),
            HirKind::Class(_) => self.classes += 1,
            HirKind::Look(look) => self.looks.push(*look),
            HirKind::Repetition(repetition) => {
                self.repetitions.push((repetition.min, repetition.max));
                self.count(&repetition.sub);
            }
            HirKind::Capture(capture) => {
                if let Some(name) = &capture.name {
                    self.groups.insert(name.to_string(), capture.index);
                }
                self.count(&capture.sub);
            }
            HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().for_each(|part| self.count(part)),
            HirKind::Empty => {}
        }
    }
}

fn depth(ast: &Ast) -> usize {
    1 + match ast {
        Ast::Repetition(repetition) => depth(&repetition.ast),
        Ast::Group(group) => depth(&group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter().map(depth).max().unwrap_or(0),
        Ast::Concat(concat) => concat.asts.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn prefixes(hir: &Hir) -> Seq {
    let mut extractor = Extractor::new();
    extractor.kind(ExtractKind::Prefix).limit_class(4);
    let mut seq = extractor.extract(hir);
    seq.optimize_for_prefix_by_preference();
    seq
}

fn main() {
    let patterns = [
        r"^(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])$",
        r"(?i)sam(wise)?|frodo+",
        r"(?x) [a-f&&[^c]]{2,} # a comment",
        r"\bfoo(?:bar|baz)*?\B",
        r"[[:alpha:]--[xyz]]",
        r"(unclosed",
        r"a{5,2}",
        r"\p{Greek}+",
    ];
    for pattern in patterns {
        let parsed = ast::parse::Parser::new().parse(pattern);
        let deep = parsed.as_ref().map(depth);
        match regex_syntax::Parser::new().parse(pattern) {
            Ok(hir) => {
                let mut counts = Counts::default();
                counts.count(&hir);
                println!("{pattern}: {deep:?} {counts:?} {:?}", prefixes(&hir));
            }
            Err(error) => println!("{pattern}: {deep:?} {error}"),
        }
    }
}
