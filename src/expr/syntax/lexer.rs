//! Splits an expression into tokens.

use super::characters::Characters;
use super::token::Token;
use crate::EvalError;
use model::ErrorCode;

/// Longest expression, in bytes.
const LONGEST: usize = 65536;

/// Splits expressions of a language into tokens.
pub(crate) trait Lexer: Sync {
    /// Reads the token that begins here; `before` are those already read.
    fn token(&self, text: &mut Characters<'_>, before: &[(Token, u32)]) -> Result<Token, EvalError>;
}

/// Returns the tokens of a text, each with its position in characters.
pub(crate) fn tokens(text: &str, lexer: &dyn Lexer) -> Result<Vec<(Token, u32)>, EvalError> {
    if text.len() > LONGEST {
        return Err(EvalError::new(ErrorCode::DEBUGGER, format!("An expression is at most {LONGEST} bytes long.")));
    }
    let mut characters = Characters::new(text);
    let mut tokens = Vec::new();
    while characters.skip_blanks() {
        let start = characters.position();
        let token = lexer.token(&mut characters, &tokens)?;
        tokens.push((token, start as u32));
    }
    Ok(tokens)
}
