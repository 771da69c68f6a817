//! The functions of libraries that read or change the floating-point environment.

use debuginfo::LoadedImages;
use std::collections::BTreeMap;

/// A function that reads or changes masks or flags of exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum EnvironmentCall {
    /// `feraiseexcept(exceptions)`: the program or its mathematical library raises exceptions.
    Raise,
    Other,
}

const TABLE: &[(EnvironmentCall, &[&str])] = &[
    (EnvironmentCall::Raise, &["feraiseexcept"]),
    (
        EnvironmentCall::Other,
        &[
            "feclearexcept",
            "fedisableexcept",
            "feenableexcept",
            "fegetenv",
            "fegetexcept",
            "fegetexceptflag",
            "fegetmode",
            "feholdexcept",
            "fesetenv",
            "fesetexcept",
            "fesetexceptflag",
            "fesetmode",
            "fetestexcept",
            "fetestexceptflag",
            "feupdateenv",
            // The modules of Fortran (libgfortran) and its options `-ffpe-trap`.
            "_gfortran_ieee_procedure_entry",
            "_gfortran_ieee_procedure_exit",
            "_gfortran_set_fpe",
            "_gfortrani_get_fpu_except_flags",
            "_gfortrani_get_fpu_trap_exceptions",
            "_gfortrani_set_fpu",
            "_gfortrani_set_fpu_except_flags",
            "_gfortrani_set_fpu_trap_exceptions",
            "__ieee_exceptions_MOD_ieee_get_flag",
            "__ieee_exceptions_MOD_ieee_get_halting_mode",
            "__ieee_exceptions_MOD_ieee_get_status",
            "__ieee_exceptions_MOD_ieee_set_flag",
            "__ieee_exceptions_MOD_ieee_set_halting_mode",
            "__ieee_exceptions_MOD_ieee_set_status",
        ],
    ),
];

/// Beginnings of the names of libraries that define them.
const LIBRARIES: [&str; 4] = ["libm.", "libm-", "libgfortran.", "libimf."];

/// The functions that the files of a process define, by their addresses.
#[derive(Clone, Debug, Default)]
pub(in crate::native) struct EnvironmentCalls(BTreeMap<u64, EnvironmentCall>);

impl EnvironmentCalls {
    /// Finds them in the program and in the libraries that define them. Reads the symbols of those.
    pub(in crate::native) fn find(images: &LoadedImages) -> Self {
        Self(images.functions_of(&LIBRARIES, TABLE))
    }

    /// Adds those of other files.
    pub(super) fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// Forgets those in unmapped memory.
    pub(in crate::native) fn forget(&mut self, gone: impl Fn(u64) -> bool) {
        self.0.retain(|address, _| !gone(*address));
    }

    pub(super) fn at(&self, address: u64) -> Option<EnvironmentCall> {
        self.0.get(&address).copied()
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = u64> {
        self.0.keys().copied()
    }
}
