//! The types of parts of values in words: a part has none with its data.

use model::aif::{AifType, Spelling};

/// The type in the notation of its language, as far as its kind tells.
pub(crate) fn words(ty: &AifType, spelling: Option<Spelling>) -> String {
    match spelling {
        Some(Spelling::Fortran) => words_of_fortran(ty),
        Some(Spelling::Rust) => String::new(),
        None => words_of_c(ty),
    }
}

fn words_of_c(ty: &AifType) -> String {
    let words = words_of_c;
    match ty {
        AifType::Integer { signed, size } => {
            let word = match size {
                1 => "char",
                2 => "short",
                4 => "int",
                8 => "long",
                _ => "int128",
            };
            if *signed && *size > 1 {
                word.to_owned()
            } else if *signed {
                "signed char".to_owned()
            } else {
                format!("unsigned {word}")
            }
        }
        AifType::Float { size: 4 } => "float".to_owned(),
        AifType::Float { size: 8 } => "double".to_owned(),
        AifType::Float { size: 2 } => "half".to_owned(),
        AifType::Brain => "bfloat16".to_owned(),
        AifType::Float { .. } | AifType::Extended => "long double".to_owned(),
        AifType::Char => "char".to_owned(),
        AifType::Character { .. } => "char".to_owned(),
        AifType::Bool { .. } => "bool".to_owned(),
        AifType::Void { .. } => "void".to_owned(),
        AifType::CharPointer { .. } => "char *".to_owned(),
        AifType::Pointer { target, .. } => format!("{} *", words(target)).replace("* *", "**"),
        AifType::Reference { target, .. } => format!("{} &", words(target)),
        AifType::Aggregate { name, .. } => named("struct", name),
        AifType::Union { name, .. } => named("union", name),
        AifType::Enumeration { name, .. } => named("enum", name),
        AifType::Array { index, element } | AifType::Runs { index, element } => {
            // Dimensions are written from the outermost, after the innermost element type.
            let inner = words(element);
            let count = format!("[{}]", index.range_count());
            match inner.find('[') {
                Some(at) => format!("{}{count}{}", &inner[..at], &inner[at..]),
                None => format!("{inner} {count}"),
            }
        }
        AifType::BitField { bits, base } => format!("{} : {bits}", words(base)),
        AifType::Complex(base) => format!("complex {}", words(base)),
        AifType::Named { ty, .. } | AifType::Optional(ty) | AifType::Located { ty, .. } => words(ty),
        AifType::TextPointer { .. } => "char *".to_owned(),
        _ => String::new(),
    }
}

fn named(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("{kind} {{…}}") } else { format!("{kind} {name}") }
}

fn words_of_fortran(ty: &AifType) -> String {
    match ty {
        AifType::Integer { size, .. } => format!("integer(kind={size})"),
        AifType::Float { size } => format!("real(kind={size})"),
        AifType::Extended => "real(kind=10)".to_owned(),
        AifType::Bool { size } => format!("logical(kind={size})"),
        AifType::Complex(base) => words_of_fortran(base).replacen("real", "complex", 1),
        AifType::Aggregate { name, .. } => format!("Type {}", name.rsplit("::").next().unwrap_or(name)),
        AifType::Pointer { target, .. } => format!("PTR TO -> ( {} )", words_of_fortran(target)),
        AifType::Array { index, element } | AifType::Runs { index, element } if element.is_character() => {
            format!("character*{}", index.range_count())
        }
        AifType::Array { .. } | AifType::Runs { .. } => {
            let (mut bounds, mut inner) = (Vec::new(), ty);
            while let AifType::Array { index, element } | AifType::Runs { index, element } = inner
                && !element.is_character()
            {
                bounds.insert(0, index.range_count().to_string());
                inner = element;
            }
            format!("{} ({})", words_of_fortran(inner), bounds.join(","))
        }
        AifType::Named { ty, .. } | AifType::Optional(ty) | AifType::Located { ty, .. } => words_of_fortran(ty),
        _ => String::new(),
    }
}
