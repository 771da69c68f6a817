//! Names that mean nothing, and those of which only symbol tables know.

use super::evaluator::Evaluator;
use crate::syntax::tree::{Node, NodeKind};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, NamedValue, TypeRef, UNDESCRIBED_DATA};

/// Whether it is data that only symbol tables know.
pub(crate) fn is_undescribed(found: &NamedValue) -> bool {
    match &found.ty {
        TypeRef::Made(ty) => matches!(ty.kind, Kind::Unknown(_)) && ty.name.as_deref() == Some(UNDESCRIBED_DATA),
        _ => false,
    }
}

impl Evaluator<'_> {
    /// Data of which only the symbol is known: it has an address, and a cast gives it the type that it was declared with.
    pub(crate) fn undescribed(&self, node: &Node) -> Option<Value> {
        let NodeKind::Name(name) = &node.kind else { return None };
        let found = self.context.variable(name).filter(is_undescribed)?;
        Some(Value::new(found.ty, found.place.ok()?))
    }

    /// gdb's words for a name that means nothing: of `scope::x` it says which of both is not there.
    pub(crate) fn missing(&self, name: &str) -> String {
        if let Some((scope, name)) = name.rsplit_once("::")
            && self.context.is_cplusplus()
            && let Some(ty) = self.context.type_named(scope)
        {
            let (_, ty) = stripped(&ty, &self.context);
            let scope = ty.name.as_deref().unwrap_or(scope);
            return match &ty.kind {
                Kind::Enumeration { .. } => format!("no constant named \"{name}\" in enum \"{scope}\""),
                Kind::Aggregate { .. } => format!("There is no field named {name}"),
                _ => format!("`{scope}' is not defined as an aggregate type."),
            };
        }
        match name.rsplit_once("::") {
            Some((scope, name)) if scope.is_empty() || self.context.variable(scope).is_some() => {
                format!("No symbol \"{name}\" in specified context.")
            }
            Some((scope, _)) => format!("No symbol \"{scope}\" in current context."),
            None => format!("No symbol \"{name}\" in current context."),
        }
    }
}
