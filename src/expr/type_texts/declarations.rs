//! Declarations as gdb lists them: `info functions`, `info variables`, `info types`.

use crate::context::EvalContext;
use crate::types::type_of;
use debuginfo::types::{Kind, TypeRef};

/// Formats the declaration of a function or a variable.
pub fn declaration_text(ty: &TypeRef, name: &str, is_static: bool, context: &EvalContext<'_>) -> String {
    let text = context.language().declaration(ty, name, context);
    if is_static { format!("static {text};") } else { format!("{text};") }
}

/// Formats the declaration of a type, as short as gdb's.
pub fn type_declaration_text(ty: &TypeRef, name: &str, context: &EvalContext<'_>) -> String {
    let language = context.language();
    match &type_of(ty, context).kind {
        Kind::Typedef(target) => format!("typedef {} {name};", language.declaration(target, "", context)),
        Kind::Aggregate { .. } | Kind::Enumeration { .. } | Kind::Variants(_) => {
            format!("{};", language.declaration(ty, "", context))
        }
        _ => language.declaration(ty, "", context),
    }
}

/// Formats the type of a variable or a function as `whatis` does, for searching.
pub fn type_of_declaration(ty: &TypeRef, context: &EvalContext<'_>) -> String {
    context.language().declaration(ty, "", context)
}
