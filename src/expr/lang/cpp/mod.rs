//! C++ beyond C: templates, methods, overloads, classes.

pub(crate) mod base_classes;
pub(crate) mod class_casts;
pub(crate) mod class_text;
pub(crate) mod cpp_nodes;
pub(crate) mod dynamic_class;
pub(crate) mod evaluate;
pub(crate) mod language;
pub(crate) mod library_names;
pub(crate) mod local_names;
pub(crate) mod member_pointers;
pub(crate) mod methods;
pub(crate) mod operator_names;
pub(crate) mod operators;
pub(crate) mod template_arguments;
pub(crate) mod type_identity;
pub(crate) mod type_spelling;
pub(crate) mod virtual_tables;
