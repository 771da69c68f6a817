//! C++ beyond C: templates, methods, overloads, classes.

pub(crate) mod class_text;
pub(crate) mod dynamic_class;
pub(crate) mod evaluate;
pub(crate) mod language;
pub(crate) mod library_names;
pub(crate) mod local_names;
pub(crate) mod methods;
pub(crate) mod template_arguments;
pub(crate) mod type_spelling;
