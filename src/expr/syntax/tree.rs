//! The tree of an expression.

use crate::EvalError;
use crate::long_double::Real;
use debuginfo::types::builtin::Builtin;
use model::ErrorCode;
use std::sync::Arc;

/// A node of the tree, with its position in characters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub kind: NodeKind,
    pub position: u32,
    depth: u32,
}

/// Deepest tree: evaluation recurses, so it takes stack.
const MAX_DEPTH: u32 = 200;

impl Node {
    /// Creates a node over its parts; fails if the tree gets too deep.
    pub(crate) fn new(kind: NodeKind, position: u32) -> Result<Self, EvalError> {
        let depth = 1 + kind.parts().iter().map(|part| part.depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            let message = format!("The expression is nested deeper than {MAX_DEPTH} levels.");
            return Err(EvalError::new(ErrorCode::DEBUGGER, message).at(position));
        }
        Ok(Self { kind, position, depth })
    }
}

/// A grammar of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    C,
    Fortran,
    Rust,
}

impl Syntax {
    /// In the order in which they are tried if the language is unknown.
    pub(crate) const ALL: [Self; 3] = [Self::C, Self::Fortran, Self::Rust];
}

/// A tree, and the names that would change it if they were types.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parsed {
    pub root: Node,
    pub doubtful: Vec<Arc<str>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NodeKind {
    Name(Arc<str>),
    Register(Arc<str>),
    Integer(u64, Builtin),
    Float(Real, Builtin),
    Character(u32, Builtin),
    Text(Vec<u32>, Builtin),
    /// `a.b` and `p->b`, which differ only in their errors, as in gdb.
    Member {
        of: Box<Node>,
        name: Arc<str>,
        arrow: bool,
    },
    Index(Box<Node>, Box<Node>),
    /// `of[first:last]`, both bounds included: an array of the elements between them.
    Slice(Box<Node>, Box<Node>, Box<Node>),
    /// `low:high:stride` among the subscripts of a Fortran array.
    Range(Option<Box<Node>>, Option<Box<Node>>, Option<Box<Node>>),
    /// A call with arguments, or an element of a Fortran array.
    Call(Box<Node>, Vec<Node>),
    Unary(UnaryOperator, Box<Node>),
    /// `++` and `--`: the number added, and whether the value is the one before.
    Step {
        of: Box<Node>,
        by: i8,
        postfix: bool,
    },
    Binary(BinaryOperator, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Conditional(Box<Node>, Box<Node>, Box<Node>),
    Comma(Box<Node>, Box<Node>),
    /// `first@count`: that many consecutive objects in memory, as an array.
    Repeat(Box<Node>, Box<Node>),
    Assign(Option<BinaryOperator>, Box<Node>, Box<Node>),
    Cast(TypeExpression, Box<Node>),
    /// `{a, b}`: an array, or what its place makes of it.
    Braces(Vec<Node>),
    SizeOf(Box<Node>),
    SizeOfType(TypeExpression),
    /// Of what one of the two has the size of.
    AlignOf(Box<Node>),
    /// The whole expression is a type, for `whatis` and `ptype`.
    Type(TypeExpression),
    Cpp(CppNode),
    Rust(RustNode),
}

/// Nodes that only C++ has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CppNode {
    /// `object.*member` and `pointer->*member`.
    PointedMember { of: Box<Node>, member: Box<Node>, arrow: bool },
    /// `dynamic_cast<T>(e)`.
    DynamicCast(TypeExpression, Box<Node>),
    /// `reinterpret_cast<T>(e)` and `const_cast<T>(e)`: an address stays as it is.
    Reinterpreted(TypeExpression, Box<Node>),
    /// `typeid(e)`, and of a type that the parser recognises, which is a [`NodeKind::Type`].
    TypeId(Box<Node>),
}

impl CppNode {
    fn parts(&self) -> Vec<&Node> {
        match self {
            Self::PointedMember { of, member, .. } => vec![of, member],
            Self::DynamicCast(ty, of) | Self::Reinterpreted(ty, of) => with_type(ty, of),
            Self::TypeId(of) => vec![of],
        }
    }
}

fn with_type<'a>(ty: &'a TypeExpression, of: &'a Node) -> Vec<&'a Node> {
    ty.parts().into_iter().chain([of]).collect()
}

/// Nodes that only Rust has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RustNode {
    /// `low..high`.
    Span { low: Option<Box<Node>>, high: Option<Box<Node>>, inclusive: bool },
    /// `[a, b]`.
    Array(Vec<Node>),
    /// `[a; count]`.
    Repeated(Box<Node>, Box<Node>),
    /// `Name { field: value, ..base }`.
    Struct { ty: TypeExpression, fields: Vec<(Arc<str>, Node)>, base: Option<Box<Node>> },
    /// `()`.
    Unit,
}

impl RustNode {
    fn parts(&self) -> Vec<&Node> {
        match self {
            Self::Span { low, high, .. } => [low, high].into_iter().flatten().map(|part| &**part).collect(),
            Self::Array(elements) => elements.iter().collect(),
            Self::Repeated(a, b) => vec![a, b],
            Self::Struct { fields, base, .. } => fields.iter().map(|(_, value)| value).chain(base.as_deref()).collect(),
            Self::Unit => Vec::new(),
        }
    }
}

impl NodeKind {
    /// Returns the parts that are expressions.
    pub(crate) fn parts(&self) -> Vec<&Node> {
        match self {
            Self::Member { of, .. } | Self::Step { of, .. } => vec![of],
            Self::Call(of, arguments) => std::iter::once(&**of).chain(arguments).collect(),
            Self::Unary(_, of) | Self::SizeOf(of) | Self::AlignOf(of) => vec![of],
            Self::Cast(ty, of) => with_type(ty, of),
            Self::SizeOfType(ty) | Self::Type(ty) => ty.parts(),
            Self::Index(a, b) | Self::Binary(_, a, b) | Self::And(a, b) | Self::Or(a, b) => vec![a, b],
            Self::Comma(a, b) | Self::Repeat(a, b) | Self::Assign(_, a, b) => vec![a, b],
            Self::Conditional(a, b, c) | Self::Slice(a, b, c) => vec![a, b, c],
            Self::Range(a, b, c) => [a, b, c].into_iter().flatten().map(|part| &**part).collect(),
            Self::Braces(elements) => elements.iter().collect(),
            Self::Cpp(node) => node.parts(),
            Self::Rust(node) => node.parts(),
            Self::Name(_)
            | Self::Register(_)
            | Self::Integer(..)
            | Self::Float(..)
            | Self::Character(..)
            | Self::Text(..) => Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Plus,
    Negate,
    Complement,
    Not,
    Dereference,
    AddressOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    /// Fortran's `**`.
    Power,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
}

/// A type written without a name, as in C: `struct cell *`, `int (*)(int)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypeExpression {
    pub base: BaseType,
    pub is_const: bool,
    pub is_volatile: bool,
    /// In the order in which they apply to the base.
    pub derived: Vec<Derivation>,
    pub position: u32,
}

impl TypeExpression {
    /// Returns the expressions in it: those of `typeof`.
    fn parts(&self) -> Vec<&Node> {
        let own = match &self.base {
            BaseType::Of { of, .. } => Some(&**of),
            BaseType::Builtin(_) | BaseType::Complex(_) | BaseType::Named(..) => None,
        };
        let parameters = self.derived.iter().flat_map(|derivation| match derivation {
            Derivation::Function { parameters, .. } => parameters.as_slice(),
            _ => &[],
        });
        own.into_iter().chain(parameters.flat_map(Self::parts)).collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BaseType {
    Builtin(Builtin),
    /// `complex double` and the like, by the type of one part.
    Complex(Builtin),
    /// A name, with `struct`, `union`, `enum` or `class` if it was given.
    Named(Option<&'static str>, Arc<str>),
    /// `typeof(e)`; with `refers`, `decltype(e)` of anything but a name: a reference if `e` has an address.
    Of {
        of: Box<Node>,
        refers: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Derivation {
    Pointer {
        is_const: bool,
        is_volatile: bool,
    },
    Reference {
        rvalue: bool,
    },
    /// `Class::*`.
    MemberPointer(Arc<str>),
    Array(Option<u64>),
    Function {
        parameters: Vec<TypeExpression>,
        variadic: bool,
        prototyped: bool,
    },
}

impl UnaryOperator {
    /// Returns the operator as written.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Negate => "-",
            Self::Complement => "~",
            Self::Not => "!",
            Self::Dereference => "*",
            Self::AddressOf => "&",
        }
    }
}

/// Binary operators as written, and how strongly they bind.
const BINARY: &[(&str, BinaryOperator, u8)] = &[
    ("|", BinaryOperator::BitOr, 3),
    ("^", BinaryOperator::BitXor, 4),
    ("&", BinaryOperator::BitAnd, 5),
    ("==", BinaryOperator::Equal, 6),
    ("!=", BinaryOperator::NotEqual, 6),
    ("<", BinaryOperator::Less, 7),
    ("<=", BinaryOperator::LessEqual, 7),
    (">", BinaryOperator::Greater, 7),
    (">=", BinaryOperator::GreaterEqual, 7),
    ("<<", BinaryOperator::ShiftLeft, 8),
    (">>", BinaryOperator::ShiftRight, 8),
    ("+", BinaryOperator::Add, 10),
    ("-", BinaryOperator::Subtract, 10),
    ("*", BinaryOperator::Multiply, 11),
    ("/", BinaryOperator::Divide, 11),
    ("%", BinaryOperator::Remainder, 11),
    ("**", BinaryOperator::Power, 12),
];

/// How strongly `@` binds: between shifts and sums, as in gdb.
pub(crate) const REPEAT_STRENGTH: u8 = 9;

impl BinaryOperator {
    /// Returns the operator as written.
    pub(crate) fn sign(self) -> &'static str {
        BINARY.iter().find(|(_, operator, _)| *operator == self).map_or("", |(sign, ..)| sign)
    }

    /// Returns the operator of a sign, and how strongly it binds.
    pub(crate) fn of_sign(sign: &str) -> Option<(Self, u8)> {
        BINARY.iter().find(|(known, ..)| *known == sign).map(|(_, operator, strength)| (*operator, *strength))
    }
}
