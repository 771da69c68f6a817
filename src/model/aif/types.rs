//! The types of AIF: the kinds of the wire (section 4) and rankscope's extension kinds.

/// Limit on the nesting of types and values. Deeper nesting is an error, not a stack overflow.
pub const MAX_DEPTH: usize = 64;

/// The widest number, in bytes.
pub const MAX_WIDTH: u32 = 16;

/// A named type of an aggregate, union, or parameter list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Empty for an anonymous member; `<Base>` for a base class.
    pub name: String,
    /// The type of the member or parameter.
    pub ty: AifType,
}

/// Character encodings beyond the plain `c`; they decide the prefix of the literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CharStyle {
    /// `unsigned char`: shown like `c`, but never negative.
    Unsigned,
    /// `char8_t`.
    Utf8,
    /// `char16_t`, `u'x'`.
    Utf16,
    /// `char32_t`, `U'x'`.
    Utf32,
    /// `wchar_t`, `L'x'`; signed.
    Wide,
}

impl CharStyle {
    /// The letter that stands for it in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Self::Unsigned => 'b',
            Self::Utf8 => '8',
            Self::Utf16 => 'u',
            Self::Utf32 => 'U',
            Self::Wide => 'L',
        }
    }

    /// The style for a descriptor's letter; `None` if no style has it.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Unsigned, Self::Utf8, Self::Utf16, Self::Utf32, Self::Wide].into_iter().find(|s| s.letter() == letter)
    }
}

/// How the elements of a container are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChildStyle {
    /// `{1, 2}`.
    Plain,
    /// `{[0] = 1, [1] = 2}`.
    Numbered,
    /// `{["a"] = 1}`.
    Keyed,
}

impl ChildStyle {
    /// The letter that stands for it in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Self::Plain => 'p',
            Self::Numbered => 'n',
            Self::Keyed => 'k',
        }
    }

    /// The style for a descriptor's letter; `None` if no style has it.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Plain, Self::Numbered, Self::Keyed].into_iter().find(|style| style.letter() == letter)
    }
}

/// Languages whose values gdb formats differently from C's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// `(1, 2)`, `.TRUE.`, `'text'`.
    Fortran,
    /// `point {x: 1, y: 2}`, `[1, 2]`.
    Rust,
}

impl Spelling {
    /// The letter that stands for it in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Self::Fortran => 'f',
            Self::Rust => 'r',
        }
    }

    /// The language for a descriptor's letter; `None` if no language has it.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Fortran, Self::Rust].into_iter().find(|language| language.letter() == letter)
    }
}

/// A type. Extension kinds, whose letters the base dialect does not use:
///
/// | kind | descriptor | data |
/// |---|---|---|
/// | character | `w`STYLE`N`: `wb1` unsigned char, `w81` char8_t, `wu2` char16_t, `wU4` char32_t, `wL4` wchar_t | N bytes |
/// | bit-field | `d`BITS`,T` | the data of T, the value extended to T |
/// | complex | `xT` | real part, imaginary part |
/// | x87 extended | `e10` | sign and exponent (2 bytes), mantissa with its integer bit (8 bytes) |
/// | reference | `~aN``T` | as a pointer |
/// | located | `@aN``T` | address (N), then the data of T: a function with its address, an empty array |
/// | annotated address | `AN` | address (N), 2-byte length, symbol text |
/// | optional | `!T` | 1 and the data of T; or 0, 2-byte length, the reason it is unavailable |
/// | text pointer | `qC``aN`, C a character kind | as `paN`, each character as wide as C |
/// | flags | `g<CF=0,ZF=6>`N | N bytes |
/// | titled | `tT` | 2-byte length, title; then the data of T |
/// | children | `lp`T, `ln`T, `lk`K T: plain, numbered, keyed | 1 if there are more, 4-byte count, then each key and value |
/// | in a language | `kf`T, `kr`T: Fortran, Rust | the data of T |
/// | of its own type | `y` | 4-byte length, descriptor; then its data: an enum with data, a container among others |
/// | array in runs | `z[`range`]T` | 4-byte number of runs, each 4-byte repetitions and one element; if fewer than the range: the rest was not fetched |
///
/// Extended data of base kinds: pointer tag 5 (address, target not fetched), tag 6 (address, 2-byte length, symbol
/// text, target not fetched); `paN` with a length of FF00 or more, whose low bits are flags: 1 a symbol follows (2-byte
/// length, text), 2 the text was truncated, 4 an address (N) that could not be read follows; then 2-byte length and the
/// text.
///
/// In names, `|`, `=` and `\` are escaped with `\`, and so is a first character that would end the list of names. An
/// unknown kind letter reads as [`AifType::Incomplete`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AifType {
    /// `is4`, `iu8`.
    Integer {
        /// True if two's complement.
        signed: bool,
        /// Size in bytes.
        size: u32,
    },
    /// `f8`: IEEE 754 binary of 2, 4, 8 or 16 bytes.
    Float {
        /// Size in bytes.
        size: u32,
    },
    /// `c`: one byte, signed.
    Char,
    /// `b1`.
    Bool {
        /// Size in bytes.
        size: u32,
    },
    /// `v0`.
    Void {
        /// Size in bytes.
        size: u32,
    },
    /// `a8`.
    Address {
        /// Size in bytes.
        size: u32,
    },
    /// `^a8T`.
    Pointer {
        /// Size of the address in bytes.
        size: u32,
        /// The type it points to.
        target: Box<AifType>,
    },
    /// `pa8`: C string.
    CharPointer {
        /// Size of the address in bytes.
        size: u32,
    },
    /// `s`.
    String,
    /// `<color|RED=0,BLUE=6>is4`.
    Enumeration {
        /// Empty if it is anonymous.
        name: String,
        /// Names and values, in the order of the declaration.
        enumerators: Vec<(String, i64)>,
        /// The integer type that stores the values.
        base: Box<AifType>,
    },
    /// `r0,3is4`: first and count.
    Range {
        /// The lowest value.
        low: i64,
        /// The number of values.
        count: u64,
        /// The type of the values.
        base: Box<AifType>,
    },
    /// `[r0,3is4]T`.
    Array {
        /// A [`AifType::Range`].
        index: Box<AifType>,
        /// The type of the elements.
        element: Box<AifType>,
    },
    /// `{point|x=is4;;;}`.
    Aggregate {
        /// Empty if it is anonymous.
        name: String,
        /// Public, protected, private and package members.
        sections: [Vec<Field>; 4],
        /// Package members after the closing brace, where the old writer puts those of the outermost type.
        trailing: Vec<Field>,
    },
    /// `(u|i=is4)`.
    Union {
        /// Empty if it is anonymous.
        name: String,
        /// In the order of the declaration.
        members: Vec<Field>,
    },
    /// `&is4,f8/f8`.
    Function {
        /// In the order of the declaration.
        parameters: Vec<AifType>,
        /// The type of the result.
        returns: Box<AifType>,
    },
    /// `%1/T`.
    Named {
        /// The number by which `>1/` refers to the type.
        id: u32,
        /// The type.
        ty: Box<AifType>,
    },
    /// `>1/`.
    NamedReference {
        /// The number of the type, as in `%1/T`.
        id: u32,
    },
    /// `?n?`: a type unknown to the writer; holds the text between the marks.
    Unknown(String),
    /// A kind this reader does not support; holds its text.
    Incomplete(String),
    /// `wb1`.
    Character {
        /// The character's encoding.
        style: CharStyle,
        /// Size in bytes.
        size: u32,
    },
    /// `d3,is4`.
    BitField {
        /// Width in bits.
        bits: u32,
        /// The declared type.
        base: Box<AifType>,
    },
    /// `xf8`.
    Complex(Box<AifType>),
    /// `e10`.
    Extended,
    /// `e2`: bfloat16, the upper half of a single.
    Brain,
    /// `~a8T`: a C++ reference.
    Reference {
        /// Size of the address in bytes.
        size: u32,
        /// The type it refers to.
        target: Box<AifType>,
    },
    /// `@a8T`.
    Located {
        /// Size of the address in bytes.
        size: u32,
        /// The type of the value at the address.
        ty: Box<AifType>,
    },
    /// `A8`.
    AnnotatedAddress {
        /// Size of the address in bytes.
        size: u32,
    },
    /// `!T`.
    Optional(Box<AifType>),
    /// `qwb1a8`.
    TextPointer {
        /// The type of the characters.
        unit: Box<AifType>,
        /// Size of the address in bytes.
        size: u32,
    },
    /// `g<CF=0,ZF=6>4`.
    Flags {
        /// The names of the bits and their numbers.
        names: Vec<(String, u32)>,
        /// Size in bytes.
        size: u32,
    },
    /// `tT`: a value shown after a title, as in `std::vector of length 2, capacity 4 = {1, 2}`.
    Titled(Box<AifType>),
    /// `lpT`: the contents of a container; the data holds their number.
    Children {
        /// How the elements are labelled.
        style: ChildStyle,
        /// The type of a key; `Void` without keys.
        key: Box<AifType>,
        /// The type of an element.
        element: Box<AifType>,
    },
    /// `kfT`: formatted in the syntax of a language.
    Spoken {
        /// The language whose syntax is used.
        language: Spelling,
        /// The type.
        ty: Box<AifType>,
    },
    /// `y`: the value carries its own type.
    Own,
    /// `z[r0,3is4]T`.
    Runs {
        /// A [`AifType::Range`].
        index: Box<AifType>,
        /// The type of the elements.
        element: Box<AifType>,
    },
}

impl AifType {
    /// Builds `[rLOW,COUNTis4]element`.
    pub fn array(low: i64, count: u64, element: Self) -> Self {
        Self::Array { index: Box::new(Self::index(low, count)), element: Box::new(element) }
    }

    /// Builds the index range of an array: `rLOW,COUNTis4`.
    pub fn index(low: i64, count: u64) -> Self {
        Self::Range { low, count, base: Box::new(Self::Integer { signed: true, size: 4 }) }
    }

    /// Builds an aggregate whose members are all public.
    pub fn aggregate(name: impl Into<String>, members: Vec<Field>) -> Self {
        Self::Aggregate {
            name: name.into(),
            sections: [members, Vec::new(), Vec::new(), Vec::new()],
            trailing: Vec::new(),
        }
    }

    /// Size of the value in bytes; `None` unless it is a single number whose size the type determines.
    pub fn scalar_size(&self) -> Option<u32> {
        match self {
            Self::Integer { size, .. }
            | Self::Float { size }
            | Self::Bool { size }
            | Self::Address { size }
            | Self::Flags { size, .. }
            | Self::Character { size, .. } => Some(*size),
            Self::Void { size } => Some(*size),
            Self::Char => Some(1),
            Self::Extended => Some(10),
            Self::Brain => Some(2),
            Self::Enumeration { base, .. } | Self::BitField { base, .. } | Self::Range { base, .. } => {
                base.scalar_size()
            }
            Self::Named { ty, .. } | Self::Spoken { ty, .. } => ty.scalar_size(),
            _ => None,
        }
    }

    /// True for an integer or character kind with negative values.
    pub fn is_signed(&self) -> bool {
        match self {
            Self::Integer { signed, .. } => *signed,
            Self::Char | Self::Character { style: CharStyle::Wide, .. } => true,
            Self::Enumeration { base, .. } | Self::BitField { base, .. } | Self::Range { base, .. } => base.is_signed(),
            Self::Named { ty, .. } | Self::Spoken { ty, .. } => ty.is_signed(),
            _ => false,
        }
    }

    /// True if it is a character kind.
    pub fn is_character(&self) -> bool {
        match self {
            Self::Char | Self::Character { .. } => true,
            Self::Named { ty, .. } | Self::Spoken { ty, .. } => ty.is_character(),
            _ => false,
        }
    }

    /// The number of values in a range; 0 for any other type.
    pub fn range_count(&self) -> u64 {
        match self {
            Self::Range { count, .. } => *count,
            _ => 0,
        }
    }

    /// The lowest value of a range; 0 for any other type.
    pub fn range_low(&self) -> i64 {
        match self {
            Self::Range { low, .. } => *low,
            _ => 0,
        }
    }

    /// The members of an aggregate, in the order of the data.
    pub fn aggregate_members(&self) -> impl Iterator<Item = &Field> {
        let (sections, trailing): (&[Vec<Field>], &[Field]) = match self {
            Self::Aggregate { sections, trailing, .. } => (sections, trailing),
            _ => (&[], &[]),
        };
        sections.iter().flatten().chain(trailing)
    }
}
