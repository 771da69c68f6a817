//! Floating-point numbers of an expression: doubles, and `long double` at its own precision.

use model::aif::X87;

/// A number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Real {
    /// `float` and `double`; arithmetic on floats is done on doubles and rounded, which gives the same.
    Double(f64),
    /// `long double`.
    Wide(X87),
}

/// What can be done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RealOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Real {
    /// The nearest double.
    pub(super) fn double(self) -> f64 {
        match self {
            Self::Double(value) => value,
            Self::Wide(value) => value.double(),
        }
    }

    /// The same number as a `long double`.
    pub(super) fn wide(self) -> X87 {
        match self {
            Self::Double(value) => X87::of_double(value),
            Self::Wide(value) => value,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Double(value) => Self::Double(-value),
            Self::Wide(value) => Self::Wide(value.negated()),
        }
    }

    /// Of two numbers, at the precision of the wider one.
    pub(super) fn calculated(operator: RealOperator, a: Self, b: Self) -> Self {
        if let (Self::Double(a), Self::Double(b)) = (a, b) {
            return Self::Double(match operator {
                RealOperator::Add => a + b,
                RealOperator::Subtract => a - b,
                RealOperator::Multiply => a * b,
                RealOperator::Divide => a / b,
            });
        }
        let (a, b) = (a.wide(), b.wide());
        Self::Wide(match operator {
            RealOperator::Add => a.plus(b),
            RealOperator::Subtract => a.minus(b),
            RealOperator::Multiply => a.times(b),
            RealOperator::Divide => a.over(b),
        })
    }
}

impl Real {
    /// Equal as numbers.
    pub(super) fn equals(self, other: Self) -> bool {
        self.partial_cmp(&other) == Some(std::cmp::Ordering::Equal)
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.equals(*other)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        if let (Self::Double(a), Self::Double(b)) = (self, other) {
            return a.partial_cmp(b);
        }
        let difference = Self::calculated(RealOperator::Subtract, *self, *other).double();
        // Equal infinities have no difference; a difference too small for a double has its sign still.
        if self.double().is_infinite() || other.double().is_infinite() || difference == 0.0 {
            let bits = |real: &Self| real.wide().bits;
            if bits(self) == bits(other) {
                return Some(std::cmp::Ordering::Equal);
            }
            return self.double().partial_cmp(&other.double());
        }
        difference.partial_cmp(&0.0)
    }
}
