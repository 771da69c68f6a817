//! The types AIF can describe: the kinds of the wire (section 4) and the extension kinds of rankscope.

/// Deepest nesting of a type or value that is read. Deeper ones are errors, not stack overflows.
pub const MAX_DEPTH: usize = 64;

/// Widest number, in bytes.
pub const MAX_WIDTH: u32 = 16;

/// A named type of an aggregate, union, or parameter list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Empty for an anonymous member; `<Base>` for a base class.
    pub name: String,
    /// Its type.
    pub ty: AifType,
}

/// Encodings of characters beyond the plain `c`; decides the prefix of the literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CharStyle {
    /// `unsigned char`: shown as `c` is, but not negative.
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
    /// Its letter in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Self::Unsigned => 'b',
            Self::Utf8 => '8',
            Self::Utf16 => 'u',
            Self::Utf32 => 'U',
            Self::Wide => 'L',
        }
    }

    /// The style of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Unsigned, Self::Utf8, Self::Utf16, Self::Utf32, Self::Wide].into_iter().find(|s| s.letter() == letter)
    }
}

/// How what a container holds is introduced.
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
    /// Its letter in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Self::Plain => 'p',
            Self::Numbered => 'n',
            Self::Keyed => 'k',
        }
    }

    /// The style of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Plain, Self::Numbered, Self::Keyed].into_iter().find(|style| style.letter() == letter)
    }
}

/// Languages whose values gdb writes in another way than C's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// `(1, 2)`, `.TRUE.`, `'text'`.
    Fortran,
    /// `point {x: 1, y: 2}`, `[1, 2]`.
    Rust,
}

impl Spelling {
    /// Its letter in a descriptor.
    pub fn letter(self) -> char {
        match self {
            Self::Fortran => 'f',
            Self::Rust => 'r',
        }
    }

    /// The language of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Fortran, Self::Rust].into_iter().find(|language| language.letter() == letter)
    }
}

/// A type. Extension kinds, by letters that the base dialect does not use:
///
/// | kind | descriptor | data |
/// |---|---|---|
/// | character | `w`STYLE`N`: `wb1` unsigned char, `w81` char8_t, `wu2` char16_t, `wU4` char32_t, `wL4` wchar_t | N bytes |
/// | bit-field | `d`BITS`,T` | that of T, the value extended to T |
/// | complex | `xT` | real part, imaginary part |
/// | x87 extended | `e10` | sign and exponent (2 bytes), mantissa with its integer bit (8 bytes) |
/// | reference | `~aN``T` | as a pointer |
/// | located | `@aN``T` | address (N), then that of T: a function with its address, an array of no elements |
/// | annotated address | `AN` | address (N), 2-byte length, symbol text |
/// | optional | `!T` | 1 and that of T; or 0, 2-byte length, why there is no value |
/// | text pointer | `qC``aN`, C a character kind | as `paN`, each character as wide as C |
/// | flags | `g<CF=0,ZF=6>`N | the bits that have names; N bytes |
/// | titled | `tT` | 2-byte length, title; then that of T |
/// | children | `lp`T, `ln`T, `lk`K T: plain, numbered, with keys | 1 if there are more, 4-byte count, each its key and value |
/// | in a language | `kf`T, `kr`T: Fortran, Rust | that of T |
/// | of its own type | `y` | 4-byte length, descriptor; then data of that: an enum with data, a container among others |
/// | array in runs | `z[`range`]T` | 4-byte number of runs, each 4-byte repetitions and one element; fewer elements than the range says: the rest was not fetched |
///
/// Extended data of base kinds: pointer tag 5 (address, target not fetched), tag 6 (address, 2-byte length, symbol
/// text, target not fetched); `paN` with a length of FF00 or more, whose low bits say what follows: 1 symbol (2-byte
/// length, text), 2 the text goes on after what was fetched, 4 an address (N) that could not be read; then 2-byte length
/// and the text.
///
/// In names `|`, `=` and `\` are written with a `\` before them, and so is a first character that could be taken for the
/// end of the list that the name is in. A kind letter that is not known reads as
/// [`AifType::Incomplete`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AifType {
    /// `is4`, `iu8`.
    Integer {
        /// Two's complement.
        signed: bool,
        /// Bytes.
        size: u32,
    },
    /// `f8`: IEEE 754 binary of 2, 4, 8 or 16 bytes.
    Float {
        /// Bytes.
        size: u32,
    },
    /// `c`: one byte, signed.
    Char,
    /// `b1`.
    Bool {
        /// Bytes.
        size: u32,
    },
    /// `v0`.
    Void {
        /// Bytes.
        size: u32,
    },
    /// `a8`.
    Address {
        /// Bytes.
        size: u32,
    },
    /// `^a8T`.
    Pointer {
        /// Bytes of the address.
        size: u32,
        /// What it points to.
        target: Box<AifType>,
    },
    /// `pa8`: C string.
    CharPointer {
        /// Bytes of the address.
        size: u32,
    },
    /// `s`.
    String,
    /// `<color|RED=0,BLUE=6>is4`.
    Enumeration {
        /// Empty when it has none.
        name: String,
        /// In order.
        enumerators: Vec<(String, i64)>,
        /// How values are stored.
        base: Box<AifType>,
    },
    /// `r0,3is4`: first and count.
    Range {
        /// First value.
        low: i64,
        /// How many.
        count: u64,
        /// Of the values.
        base: Box<AifType>,
    },
    /// `[r0,3is4]T`.
    Array {
        /// A range.
        index: Box<AifType>,
        /// Of the elements.
        element: Box<AifType>,
    },
    /// `{point|x=is4;;;}`.
    Aggregate {
        /// Empty when it has none.
        name: String,
        /// Public, protected, private, package.
        sections: [Vec<Field>; 4],
        /// Package members behind the closing brace, where the old writer puts those of the outermost type.
        trailing: Vec<Field>,
    },
    /// `(u|i=is4)`.
    Union {
        /// Empty when it has none.
        name: String,
        /// In order.
        members: Vec<Field>,
    },
    /// `&is4,f8/f8`.
    Function {
        /// In order.
        parameters: Vec<AifType>,
        /// Of the result.
        returns: Box<AifType>,
    },
    /// `%1/T`.
    Named {
        /// By which `>1/` refers to it.
        id: u32,
        /// The type.
        ty: Box<AifType>,
    },
    /// `>1/`.
    NamedReference {
        /// Of the type meant.
        id: u32,
    },
    /// `?n?`: the writer did not know; the text between the marks.
    Unknown(String),
    /// Text of a kind that this reader does not know.
    Incomplete(String),
    /// `wb1`.
    Character {
        /// Which.
        style: CharStyle,
        /// Bytes.
        size: u32,
    },
    /// `d3,is4`.
    BitField {
        /// Width.
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
        /// Bytes of the address.
        size: u32,
        /// What it refers to.
        target: Box<AifType>,
    },
    /// `@a8T`.
    Located {
        /// Bytes of the address.
        size: u32,
        /// What is there.
        ty: Box<AifType>,
    },
    /// `A8`.
    AnnotatedAddress {
        /// Bytes of the address.
        size: u32,
    },
    /// `!T`.
    Optional(Box<AifType>),
    /// `qwb1a8`.
    TextPointer {
        /// A character kind.
        unit: Box<AifType>,
        /// Bytes of the address.
        size: u32,
    },
    /// `g<CF=0,ZF=6>4`.
    Flags {
        /// Names of bits, and which bits they are.
        names: Vec<(String, u32)>,
        /// Bytes.
        size: u32,
    },
    /// `tT`: a value that is shown behind words of its own, as `std::vector of length 2, capacity 4 = {1, 2}`.
    Titled(Box<AifType>),
    /// `lpT`: what a container holds, in no more memory than it says.
    Children {
        /// How each is introduced.
        style: ChildStyle,
        /// Of a key; `Void` without keys.
        key: Box<AifType>,
        /// Of a value.
        element: Box<AifType>,
    },
    /// `kfT`: written as the language writes it.
    Spoken {
        /// Which.
        language: Spelling,
        /// The type.
        ty: Box<AifType>,
    },
    /// `y`: the value says of which type it is.
    Own,
    /// `z[r0,3is4]T`.
    Runs {
        /// A range.
        index: Box<AifType>,
        /// Of the elements.
        element: Box<AifType>,
    },
}

impl AifType {
    /// `[rLOW,COUNTis4]element`.
    pub fn array(low: i64, count: u64, element: Self) -> Self {
        Self::Array { index: Box::new(Self::index(low, count)), element: Box::new(element) }
    }

    /// The range of an array.
    pub fn index(low: i64, count: u64) -> Self {
        Self::Range { low, count, base: Box::new(Self::Integer { signed: true, size: 4 }) }
    }

    /// An aggregate whose members are all public.
    pub fn aggregate(name: impl Into<String>, members: Vec<Field>) -> Self {
        Self::Aggregate {
            name: name.into(),
            sections: [members, Vec::new(), Vec::new(), Vec::new()],
            trailing: Vec::new(),
        }
    }

    /// Bytes of the value when the type alone tells, and it is a single number.
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

    /// Whether values below zero exist, for a single integer.
    pub fn is_signed(&self) -> bool {
        match self {
            Self::Integer { signed, .. } => *signed,
            Self::Char | Self::Character { style: CharStyle::Wide, .. } => true,
            Self::Enumeration { base, .. } | Self::BitField { base, .. } | Self::Range { base, .. } => base.is_signed(),
            Self::Named { ty, .. } | Self::Spoken { ty, .. } => ty.is_signed(),
            _ => false,
        }
    }

    /// Whether it is a character kind.
    pub fn is_character(&self) -> bool {
        match self {
            Self::Char | Self::Character { .. } => true,
            Self::Named { ty, .. } | Self::Spoken { ty, .. } => ty.is_character(),
            _ => false,
        }
    }

    /// Elements of an array by its range; 0 for what is no range.
    pub fn range_count(&self) -> u64 {
        match self {
            Self::Range { count, .. } => *count,
            _ => 0,
        }
    }

    /// Members of an aggregate in the order of the data.
    pub fn aggregate_members(&self) -> impl Iterator<Item = &Field> {
        let (sections, trailing): (&[Vec<Field>], &[Field]) = match self {
            Self::Aggregate { sections, trailing, .. } => (sections, trailing),
            _ => (&[], &[]),
        };
        sections.iter().flatten().chain(trailing)
    }
}
