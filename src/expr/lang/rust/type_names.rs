//! Parses Rust type names.

use super::lexer::spaced;
use crate::EvalError;
use crate::syntax::token::Token;
use crate::syntax::token_cursor::TokenCursor;
use crate::syntax::tree::{BaseType, Derivation, TypeExpression};
use model::ErrorCode;
use std::sync::Arc;

pub(super) fn said(tokens: &TokenCursor<'_>, message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message).at(tokens.position())
}

pub(super) fn expect(tokens: &mut TokenCursor<'_>, sign: &str) -> Result<(), EvalError> {
    if tokens.eat(sign) { Ok(()) } else { Err(said(tokens, format!("'{sign}' expected"))) }
}

pub(super) fn ty(tokens: &mut TokenCursor<'_>) -> Result<TypeExpression, EvalError> {
    tokens.deeper(type_within)
}

fn type_within(tokens: &mut TokenCursor<'_>) -> Result<TypeExpression, EvalError> {
    let position = tokens.position();
    let start = tokens.next_token();
    let named = |name: String| TypeExpression {
        base: BaseType::Named(None, Arc::from(name)),
        is_const: false,
        is_volatile: false,
        derived: Vec::new(),
        position,
    };
    let pointer = Derivation::Pointer { is_const: false, is_volatile: false };
    match tokens.peek(0) {
        Some(Token::Sign("*")) => {
            tokens.advance();
            if !tokens.is_word("mut") && !tokens.is_word("const") {
                return Err(said(tokens, "'mut' or 'const' expected"));
            }
            tokens.advance();
            let mut ty = ty(tokens)?;
            ty.derived.push(pointer);
            Ok(ty)
        }
        Some(Token::Sign("&")) => {
            tokens.advance();
            if tokens.is_word("mut") {
                tokens.advance();
            }
            let slice = tokens.is_sign(0, "[") || tokens.is_word("str") || tokens.is_word("dyn");
            let mut ty = ty(tokens)?;
            if slice && ty.derived.is_empty() {
                // A reference to an unsized type is a type of its own.
                return Ok(named(written(tokens, start)));
            }
            ty.derived.push(pointer);
            Ok(ty)
        }
        Some(Token::Sign("[")) => {
            tokens.advance();
            let mut ty = ty(tokens)?;
            if tokens.eat(";") {
                let Some(Token::Integer(count, _)) = tokens.peek(0) else {
                    return Err(said(tokens, "integer expected"));
                };
                tokens.advance();
                expect(tokens, "]")?;
                ty.derived.push(Derivation::Array(Some(*count)));
                return Ok(ty);
            }
            expect(tokens, "]")?;
            Ok(named(written(tokens, start)))
        }
        Some(Token::Sign("(")) => {
            tokens.advance();
            types_until(tokens, ")")?;
            Ok(named(written(tokens, start)))
        }
        Some(Token::Word(word)) if **word == *"fn" => {
            tokens.advance();
            expect(tokens, "(")?;
            let parameters = types_until(tokens, ")")?;
            let mut ty = if tokens.eat("->") { ty(tokens)? } else { named("()".to_owned()) };
            ty.derived.push(Derivation::Function { parameters, variadic: false, prototyped: true });
            Ok(ty)
        }
        Some(Token::Word(word)) if **word == *"dyn" => {
            tokens.advance();
            ty(tokens)?;
            while tokens.eat("+") {
                ty(tokens)?;
            }
            Ok(named(written(tokens, start)))
        }
        Some(Token::Word(_)) => {
            tokens.advance();
            if tokens.is_sign(0, "<") {
                angle_brackets(tokens)?;
            }
            Ok(named(written(tokens, start)))
        }
        _ => Err(said(tokens, "unexpected token")),
    }
}

fn types_until(tokens: &mut TokenCursor<'_>, close: &str) -> Result<Vec<TypeExpression>, EvalError> {
    let mut types = Vec::new();
    while !tokens.eat(close) {
        if !types.is_empty() && !tokens.eat(",") {
            return Err(said(tokens, format!("',' or '{close}' expected")));
        }
        types.push(ty(tokens)?);
    }
    Ok(types)
}

fn angle_brackets(tokens: &mut TokenCursor<'_>) -> Result<(), EvalError> {
    let mut depth = 0_i32;
    loop {
        match tokens.peek(0) {
            Some(Token::Sign("<")) => depth += 1,
            Some(Token::Sign("<<")) => depth += 2,
            Some(Token::Sign(">")) => depth -= 1,
            Some(Token::Sign(">>")) => depth -= 2,
            Some(_) => {}
            None => return Err(said(tokens, "'>' expected")),
        }
        tokens.advance();
        if depth <= 0 {
            return Ok(());
        }
    }
}

/// Returns the source text from a token up to here.
fn written(tokens: &TokenCursor<'_>, start: usize) -> String {
    let end = tokens.position() as usize;
    let from = tokens.position_of(start) as usize;
    spaced(&tokens.source().chars().take(end).skip(from).collect::<String>())
}
