//! Global variables with their initial values, and string constants.

use super::code::{CONSTANTS, GLOBALS};
use super::ctype::{CType, Scalar};
use super::parse::lex::Fault;
use super::parse::syntax::{Expression, ExpressionKind, Initial};
use model::ErrorCode;

pub(super) fn plain_fault(line: u32, message: impl Into<String>) -> Fault {
    Fault { code: ErrorCode::DEBUGGER, message: message.into(), line, position: 0 }
}

#[derive(Default)]
pub(super) struct Memory {
    pub(super) data: Vec<u8>,
    pub(super) constants: Vec<u8>,
}

impl Memory {
    pub(super) fn text(&mut self, text: &[u8]) -> u64 {
        let at = CONSTANTS + self.constants.len() as u64;
        self.constants.extend(text);
        self.constants.push(0);
        at
    }

    pub(super) fn reserve(&mut self, ty: &CType) -> u64 {
        let at = self.data.len().next_multiple_of(ty.align() as usize);
        self.data.resize(at + ty.size() as usize, 0);
        GLOBALS + at as u64
    }
}

impl Memory {
    /// Writes the initial value of a global variable.
    pub(super) fn fill(&mut self, ty: &CType, address: u64, initial: &Initial) -> Result<(), Fault> {
        match (ty.plain(), initial) {
            (CType::Array(of, count), Initial::List(values, line)) => {
                if values.len() > *count as usize {
                    return Err(plain_fault(*line, "more values than the array has elements"));
                }
                let places = (0..).map(|i| address + u64::from(of.size()) * i);
                places.zip(values).try_for_each(|(at, value)| self.fill(of, at, value))
            }
            (CType::Structure(s), Initial::List(values, _)) => {
                let places = s.fields.iter().map(|f| (&f.ty, address + u64::from(f.offset)));
                places.zip(values).try_for_each(|((ty, at), value)| self.fill(ty, at, value))
            }
            (CType::Array(of, _), Initial::Value(Expression { kind: ExpressionKind::Text(text), .. }))
                if of.size() == 1 =>
            {
                self.put(address, text);
                Ok(())
            }
            (_, Initial::Value(e)) => {
                let bits = self.constant(e)?;
                match (ty.scalar(), &e.kind) {
                    (Some(Scalar::Float(size)), kind) => {
                        let float = matches!(kind, ExpressionKind::Float(_)) || negated_float(kind);
                        let value = if float { f64::from_bits(bits) } else { bits as i64 as f64 };
                        let bytes = if size == 4 {
                            (value as f32).to_le_bytes().to_vec()
                        } else {
                            value.to_le_bytes().to_vec()
                        };
                        self.put(address, &bytes);
                    }
                    (Some(_), _) => self.put(address, &bits.to_le_bytes()[..ty.size().min(8) as usize]),
                    (None, _) => return Err(plain_fault(e.line, "expected a list in braces")),
                }
                Ok(())
            }
            (_, Initial::List(_, line)) => Err(plain_fault(*line, "a list in braces is for arrays and structures")),
        }
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        let at = (address - GLOBALS) as usize;
        if let Some(place) = self.data.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn constant(&mut self, e: &Expression) -> Result<u64, Fault> {
        match &e.kind {
            ExpressionKind::Integer(value, _) => Ok(*value as u64),
            ExpressionKind::Float(value) => Ok(value.to_bits()),
            ExpressionKind::Text(text) => Ok(self.text(text)),
            ExpressionKind::Unary("-", inner) if matches!(inner.kind, ExpressionKind::Float(_)) => {
                Ok((-f64::from_bits(self.constant(inner)?)).to_bits())
            }
            ExpressionKind::Unary("-", inner) => Ok((self.constant(inner)? as i64).wrapping_neg() as u64),
            _ => Err(plain_fault(e.line, "the initializer of a global variable must be constant")),
        }
    }
}

fn negated_float(kind: &ExpressionKind) -> bool {
    matches!(kind, ExpressionKind::Unary("-", inner) if matches!(inner.kind, ExpressionKind::Float(_)))
}
