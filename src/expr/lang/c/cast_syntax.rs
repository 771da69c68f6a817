//! Tells casts from expressions in parentheses, without looking names up.

use super::type_names::{at_type, type_expression};
use crate::syntax::token::Token;
use crate::syntax::token_cursor::TokenCursor;
use crate::syntax::tree::{Derivation, TypeExpression};
use std::sync::Arc;

/// True if a type and a closing parenthesis are here, and cannot be an expression, whatever the names in them mean:
/// `T *`, `T (&)[2]`, `T (*)(int)`. What could be one, such as `a[2]` and `a * (b)`, is left to the caller.
pub(super) fn can_only_be_type(tokens: &TokenCursor<'_>) -> bool {
    match type_here(tokens) {
        // A function of parameters may as well be a product or a call.
        Some((ty, _)) => match ty.derived.last() {
            Some(Derivation::Function { .. }) => false,
            Some(_) if ty.derived.iter().all(|step| matches!(step, Derivation::Array(_))) => is_qualified(&ty),
            None => is_qualified(&ty),
            Some(_) => true,
        },
        None => false,
    }
}

fn is_qualified(ty: &TypeExpression) -> bool {
    ty.is_const || ty.is_volatile
}

/// Reads a type up to the closing parenthesis after it, without expressions in it; also returns the number of tokens.
fn type_here(tokens: &TokenCursor<'_>) -> Option<(TypeExpression, usize)> {
    if !matches!(tokens.peek(0), Some(Token::Word(_))) {
        return None;
    }
    let mut ahead = tokens.clone();
    // Operands would be parsed again at each level of nesting.
    let ty = type_expression(&mut ahead, &|tokens| Err(tokens.fault())).ok()?;
    ahead.is_sign(0, ")").then(|| (ty, ahead.next_token() - tokens.next_token()))
}

/// True if the parenthesis here opens a cast; a name that makes it one if it is a type is added to `doubtful`.
pub(super) fn at_cast(tokens: &mut TokenCursor<'_>, types: &[Arc<str>], doubtful: &mut Vec<Arc<str>>) -> bool {
    let mut inside = tokens.clone();
    inside.advance();
    if at_type(&inside, types) {
        return true;
    }
    let Some(Token::Word(name)) = inside.peek(0) else { return false };
    let Some((ty, length)) = type_here(&inside) else { return false };
    let after = inside.peek(length + 1);
    if can_only_be_type(&inside) {
        return after.is_some();
    }
    if ty.derived.iter().any(|step| !matches!(step, Derivation::Array(_))) {
        return false;
    }
    match after {
        Some(Token::Sign("(" | "*" | "&" | "-" | "+" | "++" | "--")) => {
            doubtful.push(name.clone());
            false
        }
        Some(Token::Sign("~" | "!" | "{")) => true,
        Some(Token::Sign(_)) | None => false,
        Some(_) => true,
    }
}
