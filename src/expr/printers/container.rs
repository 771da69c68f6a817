//! The contents of a library container.

use crate::value::Value;
use debuginfo::types::TypeRef;
use model::aif::ChildStyle;

/// A name, and a value or why there is none.
pub(crate) type NamedPart = (String, Result<Value, String>);

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
    /// A title and named values, or why there is no value.
    Parts {
        title: String,
        parts: Vec<NamedPart>,
    },
    /// Another value shown in place of the container.
    Shown(Value),
    /// Another value behind a title.
    Wrapped {
        title: String,
        value: Value,
    },
    /// A container behind a title.
    Titled {
        title: String,
        container: Box<Container>,
    },
    Words(String),
    /// Elements behind the name of the type, as gdb itself shows a pointer with a length.
    Slice {
        name: String,
        address: u64,
        length: u64,
        element: TypeRef,
    },
}

/// The outcome of looking for a printer.
pub(crate) enum Printed {
    /// There is none.
    Nothing,
    Shown(Container),
    /// A printer has failed; the note says which, and why.
    Failed(String),
}
