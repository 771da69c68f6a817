//! The languages of units, and their differences in debug information.

/// The language of a unit, regardless of its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the name of a language")]
pub enum UnitLanguage {
    C,
    Cplusplus,
    Fortran,
    Rust,
    Assembler,
    D,
    Go,
    ObjectiveC,
    OpenCl,
    Pascal,
    Other,
}

impl UnitLanguage {
    /// Maps a value of `DW_AT_language`.
    pub(crate) fn of(language: Option<gimli::DwLang>) -> Self {
        let Some(language) = language else { return Self::Other };
        match language {
            gimli::DW_LANG_C | gimli::DW_LANG_C89 | gimli::DW_LANG_C99 | gimli::DW_LANG_C11 | gimli::DW_LANG_C17 => {
                Self::C
            }
            gimli::DW_LANG_C_plus_plus
            | gimli::DW_LANG_C_plus_plus_03
            | gimli::DW_LANG_C_plus_plus_11
            | gimli::DW_LANG_C_plus_plus_14
            | gimli::DW_LANG_C_plus_plus_17
            | gimli::DW_LANG_C_plus_plus_20 => Self::Cplusplus,
            gimli::DW_LANG_Fortran77
            | gimli::DW_LANG_Fortran90
            | gimli::DW_LANG_Fortran95
            | gimli::DW_LANG_Fortran03
            | gimli::DW_LANG_Fortran08 => Self::Fortran,
            gimli::DW_LANG_Rust => Self::Rust,
            gimli::DW_LANG_Mips_Assembler => Self::Assembler,
            gimli::DW_LANG_D => Self::D,
            gimli::DW_LANG_Go => Self::Go,
            gimli::DW_LANG_ObjC => Self::ObjectiveC,
            gimli::DW_LANG_OpenCL => Self::OpenCl,
            gimli::DW_LANG_Pascal83 => Self::Pascal,
            _ => Self::Other,
        }
    }

    /// Returns gdb's name for the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cplusplus => "c++",
            Self::Fortran => "fortran",
            Self::Rust => "rust",
            Self::Assembler => "asm",
            Self::D => "d",
            Self::Go => "go",
            Self::ObjectiveC => "objective-c",
            Self::OpenCl => "opencl",
            Self::Pascal => "pascal",
            Self::Other => "minimal",
        }
    }

    /// True if functions and types may be in namespaces or classes.
    pub(crate) fn has_scopes(self) -> bool {
        !matches!(self, Self::C | Self::Assembler)
    }

    /// True if a function may be nested in another and see its variables.
    pub(crate) fn nests_functions(self) -> bool {
        matches!(self, Self::C | Self::Fortran | Self::Other)
    }

    /// True if names are case-insensitive; compilers write those of the source in lower case.
    pub(crate) fn ignores_case(self) -> bool {
        self == Self::Fortran
    }

    /// True if names may end with template arguments, which have several spellings.
    pub(crate) fn has_templates(self) -> bool {
        self == Self::Cplusplus
    }

    /// True if types and values share one space of names; in C, `struct U` and a variable `U` do not meet.
    pub(crate) fn names_of_types_hide_values(self) -> bool {
        self == Self::Cplusplus
    }

    /// True if functions of one name differ by their parameters, which are in their mangled names.
    pub(crate) fn has_overloads(self) -> bool {
        self == Self::Cplusplus
    }

    /// True if names of functions and types are paths with implementations and traits: `<T as Trait>::f`.
    pub(crate) fn names_are_paths(self) -> bool {
        self == Self::Rust
    }

    /// True if pointers may lead to vtables, each described as a variable of the type that has the methods.
    pub(crate) fn has_trait_objects(self) -> bool {
        self == Self::Rust
    }

    /// True if code is shown by its names in debug information, not by those of the symbol table.
    pub(crate) fn shows_described_names(self) -> bool {
        matches!(self, Self::Cplusplus | Self::Fortran | Self::Rust)
    }

    /// True if fields of tuples are numbers in the source, `__0` in DWARF.
    pub(crate) fn numbers_fields(self) -> bool {
        self == Self::Rust
    }

    /// True if the compiler makes a `main` that calls the main program, which DWARF marks.
    pub(crate) fn marks_main_program(self) -> bool {
        self == Self::Fortran
    }

    /// True if a function may be declared without its parameters.
    pub(crate) fn has_old_style_functions(self) -> bool {
        self == Self::C
    }

    /// Returns the default lower bound of an array (DWARF 5, table 7.17).
    pub(crate) fn first_index(self) -> i64 {
        i64::from(self == Self::Fortran)
    }

    /// True if the first index of an array changes fastest.
    pub(crate) fn is_column_major(self) -> bool {
        self == Self::Fortran
    }

    /// True if functions receive the addresses of their arguments.
    pub(crate) fn passes_addresses(self) -> bool {
        self == Self::Fortran
    }

    /// True if the last dimension of an array may have no end.
    pub(crate) fn has_assumed_sizes(self) -> bool {
        self == Self::Fortran
    }

    /// True if the programmer wrote the instructions themselves, so that each has a line of its own.
    pub(crate) fn is_written_by_instruction(self) -> bool {
        self == Self::Assembler
    }
}
