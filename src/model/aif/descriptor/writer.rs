//! Writes a descriptor in the syntax of the reader.

use crate::aif::{AifType, ChildStyle, Field};
use std::fmt;

/// A name in which the characters that would end it are escaped.
struct Escaped<'a>(&'a str);

/// A name of a member or enumerator: its first character is escaped, too, if it would end the list.
struct Listed<'a>(&'a str);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.starts_with([')', '}', ';', '>']) {
            f.write_str("\\")?;
        }
        Escaped(self.0).fmt(f)
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            if matches!(c, '|' | '=' | '\\') {
                f.write_str("\\")?;
            }
            write!(f, "{c}")?;
        }
        Ok(())
    }
}

/// Fields separated by commas.
struct Fields<'a>(&'a [Field]);

impl fmt::Display for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, field) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{}={}", Listed(&field.name), field.ty)?;
        }
        Ok(())
    }
}

impl fmt::Display for AifType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { signed: true, size } => write!(f, "is{size}"),
            Self::Integer { signed: false, size } => write!(f, "iu{size}"),
            Self::Float { size } => write!(f, "f{size}"),
            Self::Char => f.write_str("c"),
            Self::Bool { size } => write!(f, "b{size}"),
            Self::Void { size } => write!(f, "v{size}"),
            Self::Address { size } => write!(f, "a{size}"),
            Self::Pointer { size, target } => write!(f, "^a{size}{target}"),
            Self::CharPointer { size } => write!(f, "pa{size}"),
            Self::String => f.write_str("s"),
            Self::Enumeration { name, enumerators, base } => {
                write!(f, "<{}|", Escaped(name))?;
                for (number, (name, value)) in enumerators.iter().enumerate() {
                    let comma = if number == 0 { "" } else { "," };
                    write!(f, "{comma}{}={value}", Listed(name))?;
                }
                write!(f, ">{base}")
            }
            Self::Range { low, count, base } => write!(f, "r{low},{count}{base}"),
            Self::Array { index, element } => write!(f, "[{index}]{element}"),
            Self::Aggregate { name, sections: [public, protected, private, package], trailing } => {
                let [public, protected, private, package] = [public, protected, private, package].map(|s| Fields(s));
                write!(f, "{{{}|{public};{protected};{private};{package}}}", Escaped(name))?;
                if !trailing.is_empty() {
                    write!(f, ",{}", Fields(trailing))?;
                }
                Ok(())
            }
            Self::Union { name, members } => write!(f, "({}|{})", Escaped(name), Fields(members)),
            Self::Function { parameters, returns } => {
                f.write_str("&")?;
                for (number, parameter) in parameters.iter().enumerate() {
                    let comma = if number == 0 { "" } else { "," };
                    write!(f, "{comma}{parameter}")?;
                }
                write!(f, "/{returns}")
            }
            Self::Named { id, ty } => write!(f, "%{id}/{ty}"),
            Self::NamedReference { id } => write!(f, ">{id}/"),
            Self::Unknown(text) => write!(f, "?{text}?"),
            Self::Incomplete(text) => f.write_str(text),
            Self::Character { style, size } => write!(f, "w{}{size}", style.letter()),
            Self::BitField { bits, base } => write!(f, "d{bits},{base}"),
            Self::Complex(part) => write!(f, "x{part}"),
            Self::Extended => f.write_str("e10"),
            Self::Brain => f.write_str("e2"),
            Self::Reference { size, target } => write!(f, "~a{size}{target}"),
            Self::Located { size, ty } => write!(f, "@a{size}{ty}"),
            Self::AnnotatedAddress { size } => write!(f, "A{size}"),
            Self::Optional(ty) => write!(f, "!{ty}"),
            Self::TextPointer { unit, size } => write!(f, "q{unit}a{size}"),
            Self::Flags { names, size } => {
                f.write_str("g<")?;
                for (number, (name, bit)) in names.iter().enumerate() {
                    let comma = if number == 0 { "" } else { "," };
                    write!(f, "{comma}{}={bit}", Listed(name))?;
                }
                write!(f, ">{size}")
            }
            Self::Titled(ty) => write!(f, "t{ty}"),
            Self::Own => f.write_str("y"),
            Self::Children { style: ChildStyle::Keyed, key, element } => write!(f, "lk{key}{element}"),
            Self::Children { style, element, .. } => write!(f, "l{}{element}", style.letter()),
            Self::Spoken { language, ty } => write!(f, "k{}{ty}", language.letter()),
            Self::Runs { index, element } => write!(f, "z[{index}]{element}"),
        }
    }
}
