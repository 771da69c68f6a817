//! The syntax tree of the simulated language.

use super::ctype::CType;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: ExpressionKind,
    pub(super) line: u32,
    pub(super) position: u32,
}

#[derive(Clone, Debug)]
pub(super) enum ExpressionKind {
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
pub(super) enum Initial {
    Value(Expression),
    List(Vec<Initial>, u32),
}

#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) name: Arc<str>,
    pub(super) ty: CType,
    pub(super) initial: Option<Initial>,
    pub(super) line: u32,
    pub(super) fixed: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
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
pub(super) struct FunctionText {
    pub(super) name: Arc<str>,
    pub(super) returns: CType,
    pub(super) parameters: Vec<(Arc<str>, CType)>,
    pub(super) body: Vec<Statement>,
    /// The line of the name, and that of the closing brace.
    pub(super) lines: (u32, u32),
}
