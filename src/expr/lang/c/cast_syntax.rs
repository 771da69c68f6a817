//! Tells casts from expressions in parentheses, without looking names up.

use super::type_names::at_type;
use crate::syntax::token::Token;
use crate::syntax::token_cursor::TokenCursor;
use std::sync::Arc;

/// Counts the stars after the word that follows the parenthesis here.
pub(super) fn stars(tokens: &TokenCursor<'_>) -> usize {
    (2..).take_while(|ahead| tokens.is_sign(*ahead, "*")).count()
}

/// True if the parenthesis here opens a cast; a name that makes it one if it is a type is added to `doubtful`.
pub(super) fn at_cast(tokens: &mut TokenCursor<'_>, types: &[Arc<str>], doubtful: &mut Vec<Arc<str>>) -> bool {
    let start = tokens.next_token();
    tokens.advance();
    let at_type = at_type(tokens, types);
    tokens.back_to(start);
    if at_type {
        return true;
    }
    let Some(Token::Word(name)) = tokens.peek(1) else { return false };
    let stars = stars(tokens);
    if !tokens.is_sign(2 + stars, ")") {
        return false;
    }
    let after = tokens.peek(3 + stars);
    if stars > 0 {
        return after.is_some();
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
