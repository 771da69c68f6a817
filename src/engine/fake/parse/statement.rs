//! Parses statements.

use super::lex::{Fault, Token};
use super::{Parser, syntax::Statement};

impl Parser {
    /// Parses a block after its `{`; returns the statements and the line of the closing brace.
    pub(super) fn block_body(&mut self) -> Result<(Vec<Statement>, u32), Fault> {
        let mut body = Vec::new();
        loop {
            let line = self.line();
            if self.accept("}") {
                return Ok((body, line));
            }
            if *self.peek() == Token::End {
                return Err(self.fault("expected \"}\""));
            }
            body.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Result<Statement, Fault> {
        let line = self.line();
        if self.accept("{") {
            return Ok(Statement::Block(self.block_body()?.0));
        }
        if self.accept(";") {
            return Ok(Statement::Block(Vec::new()));
        }
        if self.accept_word("if") {
            self.expect("(")?;
            let condition = self.expression()?;
            self.expect(")")?;
            let yes = Box::new(self.statement()?);
            let no = if self.accept_word("else") { Some(Box::new(self.statement()?)) } else { None };
            return Ok(Statement::If(condition, yes, no));
        }
        if self.accept_word("while") {
            self.expect("(")?;
            let condition = self.expression()?;
            self.expect(")")?;
            return Ok(Statement::While(condition, Box::new(self.statement()?)));
        }
        if self.accept_word("for") {
            return self.for_loop(line);
        }
        if self.accept_word("return") {
            let value = if self.accept(";") {
                None
            } else {
                let value = self.expression()?;
                self.expect(";")?;
                Some(value)
            };
            return Ok(Statement::Return(value, line));
        }
        if self.accept_word("break") {
            self.expect(";")?;
            return Ok(Statement::Break(line));
        }
        if self.accept_word("continue") {
            self.expect(";")?;
            return Ok(Statement::Continue(line));
        }
        if self.at_type() {
            return Ok(Statement::Declare(self.local_variables()?));
        }
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(Statement::Expression(expression))
    }

    fn for_loop(&mut self, line: u32) -> Result<Statement, Fault> {
        self.expect("(")?;
        let start = if self.accept(";") {
            None
        } else if self.at_type() {
            Some(Box::new(Statement::Declare(self.local_variables()?)))
        } else {
            let expression = self.expression()?;
            self.expect(";")?;
            Some(Box::new(Statement::Expression(expression)))
        };
        let condition = if self.accept(";") {
            None
        } else {
            let condition = self.expression()?;
            self.expect(";")?;
            Some(condition)
        };
        let advance = if self.accept(")") {
            None
        } else {
            let advance = self.expression()?;
            self.expect(")")?;
            Some(advance)
        };
        Ok(Statement::For(start, condition, advance, Box::new(self.statement()?), line))
    }
}
