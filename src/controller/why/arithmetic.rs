//! Arguments as integer expressions. Only names are evaluated in the program, and only those that run no code there.

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Number(i64),
    /// A variable, such as `grid->left[i]`.
    Name(String),
    /// An element that has one of these names, by the type of what contains it.
    OneOf(Vec<String>),
    Minus(Box<Term>),
    Not(Box<Term>),
    /// `~` of C.
    Complement(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    /// `condition ? then : otherwise`
    Choice(Box<Term>, Box<Term>, Box<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Divided,
    Remainder,
    /// Fortran's `modulo`: with the sign of the divisor.
    Modulo,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    /// `&&`
    Both,
    /// `||`
    Either,
}

impl Term {
    /// Adds the names that it contains.
    pub(super) fn names(&self, into: &mut Vec<String>) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => into.push(name.clone()),
            Self::OneOf(names) => into.extend(names.iter().cloned()),
            Self::Minus(term) | Self::Not(term) | Self::Complement(term) => term.names(into),
            Self::Binary(_, left, right) => {
                left.names(into);
                right.names(into);
            }
            Self::Choice(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|term| term.names(into));
            }
        }
    }

    pub(super) fn value(&self, of: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(name) => of(name),
            Self::OneOf(names) => names.iter().find_map(|name| of(name)),
            Self::Minus(term) => term.value(of)?.checked_neg(),
            Self::Not(term) => Some(i64::from(term.value(of)? == 0)),
            Self::Complement(term) => Some(!term.value(of)?),
            // As in C, only what decides needs a value.
            Self::Choice(condition, then, otherwise) => {
                if condition.value(of)? != 0 {
                    then.value(of)
                } else {
                    otherwise.value(of)
                }
            }
            Self::Binary(Operator::Both, left, right) => match left.value(of)? {
                0 => Some(0),
                _ => Some(i64::from(right.value(of)? != 0)),
            },
            Self::Binary(Operator::Either, left, right) => match left.value(of)? {
                0 => Some(i64::from(right.value(of)? != 0)),
                _ => Some(1),
            },
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(of)?, right.value(of)?);
                match operator {
                    Operator::Plus => left.checked_add(right),
                    Operator::Minus => left.checked_sub(right),
                    Operator::Times => left.checked_mul(right),
                    Operator::Divided => left.checked_div(right),
                    Operator::Remainder => left.checked_rem(right),
                    Operator::Modulo => {
                        let rest = left.checked_rem(right)?;
                        Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
                    }
                    Operator::And => Some(left & right),
                    Operator::Or => Some(left | right),
                    Operator::Xor => Some(left ^ right),
                    Operator::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?),
                    Operator::ShiftRight => left.checked_shr(u32::try_from(right).ok()?),
                    Operator::Less => Some(i64::from(left < right)),
                    Operator::LessOrEqual => Some(i64::from(left <= right)),
                    Operator::Greater => Some(i64::from(left > right)),
                    Operator::GreaterOrEqual => Some(i64::from(left >= right)),
                    Operator::Equal => Some(i64::from(left == right)),
                    Operator::NotEqual => Some(i64::from(left != right)),
                    Operator::Both => Some(i64::from(left != 0 && right != 0)),
                    Operator::Either => Some(i64::from(left != 0 || right != 0)),
                }
            }
        }
    }
}
