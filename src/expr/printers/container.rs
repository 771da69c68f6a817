//! The contents of a type of a library.

use crate::value::Value;
use debuginfo::types::TypeRef;
use model::aif::ChildStyle;

pub(crate) enum Container {
    /// Characters, and whether there are more.
    Text {
        address: u64,
        length: u64,
        unit: TypeRef,
    },
    /// A title and elements of one type.
    Held {
        title: String,
        style: ChildStyle,
        values: Vec<(Option<Value>, Value)>,
        more: bool,
    },
    /// A title and named values, each of its own type.
    Named {
        title: String,
        values: Vec<(String, Value)>,
    },
    /// Another value in its place.
    Shown(Value),
    Words(String),
    /// Elements behind the name of the type, as gdb itself shows what has a pointer and a length.
    Slice {
        name: String,
        address: u64,
        length: u64,
        element: TypeRef,
    },
}
