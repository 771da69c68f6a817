//! Undefined behaviour, in the words of the sanitizer that finds it (compiler-rt, `ubsan_handlers.cpp`). The handler has
//! not printed its report yet: the words are made of its arguments.

use super::call_arguments::argument;
use crate::causes::abort_message::FRAMES;
use crate::memory_text::text_at;
use crate::named_place::named_place;
use crate::native::inspect::StoppedThread;
use model::{Cause, CauseKind, SourcePlace, VirtualAddress};

/// Offsets in the first argument: the place in the source (the name of a file, and a line), and then the descriptor of
/// a type.
const LINE: u64 = 8;
const TYPE: u64 = 16;
/// In that of an access, behind one descriptor: the logarithm of the alignment, and the kind of the access.
const ALIGNMENT: u64 = 24;
/// The name in a descriptor, behind its kind and what depends on it.
const NAME: u64 = 4;
/// The maximum number of bytes of a name.
const LONGEST: usize = 512;

/// Kinds of accesses by their numbers.
const ACCESSES: [&str; 12] = [
    "load of",
    "store to",
    "reference binding to",
    "member access within",
    "member call on",
    "constructor call on",
    "downcast of",
    "downcast of",
    "upcast of",
    "cast to virtual base of",
    "_Nonnull binding to",
    "dynamic operation on",
];

/// Returns the cause of a stop at the handler of this name.
pub(super) fn cause(name: &str, thread: &StoppedThread<'_>) -> Option<Cause> {
    let report = Report { thread, data: argument(thread, 0)? };
    let words = report.words(name).unwrap_or_else(|| plain_words(name));
    let text = format!("UndefinedBehaviorSanitizer: {words}");
    Some(Cause { kind: CauseKind::Sanitizer, text, source: report.source(name) })
}

/// Returns the words for a behaviour without its values.
fn plain_words(name: &str) -> String {
    match name {
        "builtin_unreachable" => "execution reached an unreachable program point".to_owned(),
        "missing_return" => {
            "execution reached the end of a value-returning function without returning a value".to_owned()
        }
        "shift_out_of_bounds" => "shift out of bounds".to_owned(),
        "out_of_bounds" => "index out of bounds".to_owned(),
        "load_invalid_value" => "load of a value that is not valid for its type".to_owned(),
        "nonnull_arg" | "nullability_arg" => {
            "null pointer passed as an argument that is declared to never be null".to_owned()
        }
        "nonnull_return_v1" | "nullability_return_v1" => {
            "null pointer returned from a function declared to never return null".to_owned()
        }
        "vla_bound_not_positive" => "variable length array bound evaluates to a non-positive value".to_owned(),
        _ => name.trim_end_matches("_v1").replace('_', " "),
    }
}

/// The arguments of a handler.
struct Report<'a, 'b> {
    thread: &'a StoppedThread<'b>,
    data: u64,
}

impl Report<'_, '_> {
    fn word(&self, at: u64) -> Option<u64> {
        self.thread.access.word(VirtualAddress(at)).ok()
    }

    /// Returns the place in the source.
    fn source(&self, name: &str) -> Option<SourcePlace> {
        // A function may return in several places; the first argument has that of its declaration.
        let place = if name.contains("_return_") { argument(self.thread, 1)? } else { self.data };
        let file = text_at(self.thread.access, self.word(place)?, LONGEST);
        let line = self.word(place.wrapping_add(LINE))? as u32;
        (line > 0 && !file.is_empty()).then(|| named_place(&self.thread.frames(FRAMES), &file, line))
    }

    /// Returns the words with the values of the arguments, if those are of a known form.
    fn words(&self, name: &str) -> Option<String> {
        let data = |offset| self.word(self.data.wrapping_add(offset));
        let (first, second) = (argument(self.thread, 1)?, argument(self.thread, 2)?);
        let kind = self.descriptor(data(TYPE)?)?;
        let operation = |sign: &str| {
            let (left, right, how) = (kind.number(first)?, kind.number(second)?, kind.signedness());
            let of = &kind.name;
            Some(format!("{how} integer overflow: {left} {sign} {right} cannot be represented in type {of}"))
        };
        match name {
            "add_overflow" => operation("+"),
            "sub_overflow" => operation("-"),
            "mul_overflow" => operation("*"),
            "negate_overflow" => {
                let value = kind.number(first)?;
                Some(format!("negation of {value} cannot be represented in type {}", kind.name))
            }
            "divrem_overflow" if kind.number(second)? == 0 => Some("division by zero".to_owned()),
            "divrem_overflow" => {
                let value = kind.number(first)?;
                Some(format!("division of {value} by -1 cannot be represented in type {}", kind.name))
            }
            "out_of_bounds" => {
                let index = self.descriptor(data(TYPE + 8)?)?.number(first)?;
                Some(format!("index {index} out of bounds for type {}", kind.name))
            }
            "type_mismatch_v1" => {
                let bytes = data(ALIGNMENT)?.to_le_bytes();
                let (alignment, access) = (1_u64.checked_shl(bytes[0].into())?, ACCESSES.get(usize::from(bytes[1]))?);
                let of = &kind.name;
                Some(if first == 0 {
                    format!("{access} null pointer of type {of}")
                } else if first % alignment != 0 {
                    format!("{access} misaligned address for type {of}, which requires {alignment} byte alignment")
                } else {
                    format!("{access} address with insufficient space for an object of type {of}")
                })
            }
            _ => None,
        }
    }

    /// Reads the descriptor of a type.
    fn descriptor(&self, at: u64) -> Option<Descriptor> {
        let head = self.word(at)?;
        let name = text_at(self.thread.access, at.wrapping_add(NAME), LONGEST);
        (!name.is_empty()).then_some(Descriptor { kind: head as u16, detail: (head >> 16) as u16, name })
    }
}

/// The descriptor of a type: `TypeDescriptor` of compiler-rt, `ubsan_value.h`.
struct Descriptor {
    kind: u16,
    detail: u16,
    /// In quotes.
    name: String,
}

impl Descriptor {
    /// Returns a value of this type, if it is an integer that is passed in a register.
    fn number(&self, value: u64) -> Option<i128> {
        const INTEGER: u16 = 0;
        let bits = 1_u32.checked_shl((self.detail >> 1).into()).filter(|bits| *bits <= 64 && self.kind == INTEGER)?;
        let unused = 64 - bits;
        Some(if self.is_signed() {
            i128::from(((value << unused) as i64) >> unused)
        } else {
            i128::from((value << unused) >> unused)
        })
    }

    fn is_signed(&self) -> bool {
        self.detail & 1 == 1
    }

    fn signedness(&self) -> &'static str {
        if self.is_signed() { "signed" } else { "unsigned" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_width_of_their_type() {
        let descriptor = |detail| Descriptor { kind: 0, detail, name: "'int'".to_owned() };
        assert_eq!(descriptor(5 << 1 | 1).number(0xffff_ffff), Some(-1));
        assert_eq!(descriptor(5 << 1).number(0xffff_ffff_ffff_ffff), Some(0xffff_ffff));
        assert_eq!(descriptor(6 << 1 | 1).number(u64::MAX), Some(-1));
        assert_eq!(descriptor(6 << 1).number(u64::MAX), Some(u64::MAX.into()));
        assert_eq!(descriptor(7 << 1).number(1), None, "of 128 bits");
        assert_eq!(Descriptor { kind: 1, ..descriptor(5 << 1) }.number(1), None, "no integer");
    }
}
