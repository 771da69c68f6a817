//! Maps the scopes of a syntax definition to roles of a theme.

use crate::theme::Role;
use std::sync::OnceLock;
use syntect::parsing::{Scope, ScopeStack};

const ROLES: &[(&str, Role)] = &[
    ("comment", Role::CodeComment),
    ("string", Role::CodeString),
    ("constant.character", Role::CodeString),
    ("constant", Role::CodeNumber),
    ("keyword.control.import", Role::CodePreprocessor),
    ("keyword.control.directive", Role::CodePreprocessor),
    ("meta.preprocessor", Role::CodePreprocessor),
    ("meta.annotation", Role::CodePreprocessor),
    ("keyword.operator.word", Role::CodeKeyword),
    ("keyword.operator", Role::CodeOperator),
    ("keyword.declaration", Role::CodeKeyword),
    ("keyword", Role::CodeKeyword),
    ("storage.modifier", Role::CodeKeyword),
    ("storage.type.function", Role::CodeKeyword),
    ("storage", Role::CodeType),
    ("entity.name.function", Role::CodeFunction),
    ("variable.function", Role::CodeFunction),
    ("support.function", Role::CodeFunction),
    ("support.macro", Role::CodeFunction),
    ("entity.name", Role::CodeType),
    ("entity.other.inherited-class", Role::CodeType),
    ("support.type", Role::CodeType),
    ("support.class", Role::CodeType),
    ("support.constant", Role::CodeNumber),
    ("punctuation.definition.comment", Role::CodeComment),
    ("punctuation.definition.string", Role::CodeString),
    ("punctuation", Role::CodeOperator),
];

fn table() -> &'static Vec<(Scope, Role)> {
    static TABLE: OnceLock<Vec<(Scope, Role)>> = OnceLock::new();
    TABLE.get_or_init(|| ROLES.iter().filter_map(|(name, role)| Some((Scope::new(name).ok()?, *role))).collect())
}

/// The role of text under these scopes: that of the innermost scope that has one.
pub(super) fn role_of(stack: &ScopeStack) -> Role {
    for scope in stack.as_slice().iter().rev() {
        if let Some((_, role)) = table().iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)) {
            return *role;
        }
    }
    Role::Text
}
