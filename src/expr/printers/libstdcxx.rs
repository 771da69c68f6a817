//! The types of the C++ standard library (libstdc++) that its gdb printers show, and those of Eigen.

use super::characters::template;
use super::container::Container;
use super::containers::{
    deque, forward_list, hashed, list, optional, pair, shared_pointer, string, tree, tuple, unique_pointer, variant,
    vector,
};
use super::eigen::Dense;
use super::element_storage::is_matrix;
use super::iterators::{adapter, array_iterator, atomic, bitset, initializer_list, iterator, span};
use super::printer_members::PrinterMembers;
use crate::context::EvalContext;
use crate::value::Value;

/// Returns the contents of a container; `None` for an unknown type, or a layout other than the library's.
pub(crate) fn container(value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
    let look = PrinterMembers { value, context };
    if name.starts_with("__gnu_cxx::__normal_iterator<") {
        return array_iterator(&look);
    }
    if is_matrix(name) {
        return Dense::of(&look, name)?.contents(&look);
    }
    let template = template(name)?;
    match template {
        "basic_string" | "basic_string_view" => string(&look, template),
        "vector" => vector(&look),
        "map" | "multimap" | "set" | "multiset" => tree(&look, template),
        "unordered_map" | "unordered_multimap" | "unordered_set" | "unordered_multiset" => hashed(&look, template),
        "list" => list(&look, name.contains("__cxx11::")),
        "forward_list" => forward_list(&look),
        "deque" => deque(&look),
        "pair" => pair(&look),
        "tuple" => tuple(&look),
        "optional" => optional(&look),
        "variant" => variant(&look),
        "unique_ptr" => unique_pointer(&look),
        "shared_ptr" | "weak_ptr" => shared_pointer(&look, template),
        "stack" | "queue" | "priority_queue" => adapter(&look, template),
        "initializer_list" => initializer_list(&look),
        "span" => span(&look, name),
        "bitset" => bitset(&look, name),
        "atomic" => atomic(&look),
        _ => iterator(&look, template),
    }
}

#[cfg(test)]
mod tests {
    use model::LIBRARY_PRINTERS;

    #[test]
    fn every_type_with_a_printer_is_listed_and_can_be_disabled() {
        let (_, listed) = LIBRARY_PRINTERS.iter().find(|(library, _)| *library == "libstdc++").unwrap();
        let arms = include_str!("libstdcxx.rs").lines().map(str::trim).filter(|line| line.starts_with('"'));
        let names: Vec<String> = arms
            .filter_map(|line| line.split_once(" => "))
            .flat_map(|(names, _)| names.split(" | "))
            .map(|name| format!("std::{}", name.trim_matches('"')))
            .collect();
        assert!(names.len() > 20, "{names:?}");
        assert!(names.iter().all(|name| listed.contains(&name.as_str())), "{names:?}");
        assert_eq!(names.len(), listed.len());
    }
}
