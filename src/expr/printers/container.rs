//! The contents of a library container.

use crate::value::Value;
use debuginfo::types::TypeRef;
use model::aif::ChildStyle;

pub(crate) enum Container {
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
    /// A title and named values of different types.
    Named {
        title: String,
        values: Vec<(String, Value)>,
    },
    /// Another value shown in place of the container.
    Shown(Value),
    Words(String),
    /// Elements behind the name of the type, as gdb itself shows a pointer with a length.
    Slice {
        name: String,
        address: u64,
        length: u64,
        element: TypeRef,
    },
}
