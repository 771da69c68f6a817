//! The syntax tree of the simulated language.

use crate::fake::ctype::CType;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(in crate::fake) struct Expression {
    pub(in crate::fake) kind: ExpressionKind,
    pub(in crate::fake) line: u32,
    pub(in crate::fake) position: u32,
}

#[derive(Clone, Debug)]
pub(in crate::fake) enum ExpressionKind {
    Integer(i64, CType),
    Float(f64),
    Text(Vec<u8>),
    Name(Arc<str>),
    /// The operator is `-`, `!`, `~`, `*` or `&`.
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `Some` holds the operator of a compound assignment such as `+=`.
    Assign(Option<&'static str>, Box<Expression>, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(Arc<str>, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
    /// `true` for `->`.
    Member(Box<Expression>, Arc<str>, bool),
    Cast(CType, Box<Expression>),
    SizeOfType(CType),
    SizeOf(Box<Expression>),
    /// The step is 1 or -1; `true` for the postfix form, which yields the old value.
    Increment(Box<Expression>, i64, bool),
}

#[derive(Clone, Debug)]
pub(in crate::fake) enum Initial {
    Value(Expression),
    List(Vec<Initial>, u32),
}

#[derive(Clone, Debug)]
pub(in crate::fake) struct Declaration {
    pub(in crate::fake) name: Arc<str>,
    pub(in crate::fake) ty: CType,
    pub(in crate::fake) initial: Option<Initial>,
    pub(in crate::fake) line: u32,
    pub(in crate::fake) fixed: bool,
}

#[derive(Clone, Debug)]
pub(in crate::fake) enum Statement {
    Declare(Vec<Declaration>),
    Expression(Expression),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>),
    /// Start, condition, advance, body and line.
    For(Option<Box<Statement>>, Option<Expression>, Option<Expression>, Box<Statement>, u32),
    Return(Option<Expression>, u32),
    Break(u32),
    Continue(u32),
    Block(Vec<Statement>),
}

#[derive(Clone, Debug)]
pub(in crate::fake) struct FunctionText {
    pub(in crate::fake) name: Arc<str>,
    pub(in crate::fake) returns: CType,
    pub(in crate::fake) parameters: Vec<(Arc<str>, CType)>,
    pub(in crate::fake) body: Vec<Statement>,
    /// The line of the name, and that of the closing brace.
    pub(in crate::fake) lines: (u32, u32),
}
