//! The functions by which run-time libraries report errors of the program.

use debuginfo::LoadedImages;
use std::collections::BTreeMap;

/// A function by which a library reports an error, by what its arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum ErrorCall {
    /// `MPI_Abort(comm, code)`.
    MpiAbort,
    /// The handler of Open MPI that ends the job: `(comm *, code *, function, …)`.
    OpenMpiError,
    /// `fputs(message, stderr)` by MPICH, which writes so before it ends the job.
    MpichOutput,
    /// `ERROR STOP CODE`.
    ErrorStopCode,
    /// `ERROR STOP TEXT`: the text and its length.
    ErrorStopText,
    /// `STOP CODE`, which is an error unless the code is 0.
    StopCode,
    /// A format as of printf(3) and its arguments.
    FortranError,
    /// The place in the source, a format and its arguments.
    FortranErrorAt,
    /// An error of a statement that reads or writes, which the program may handle: `(parameters *, number, message)`.
    FortranInput,
    /// The summary of a sanitizer's report.
    SanitizerSummary,
    /// The handler of the undefined behaviour of this name, which ends the program after its report.
    UndefinedBehaviour(&'static str),
}

const TABLE: &[(ErrorCall, &[&str])] = &[
    (ErrorCall::MpiAbort, &["PMPI_Abort", "MPI_Abort"]),
    (ErrorCall::OpenMpiError, &["ompi_mpi_errors_are_fatal_comm_handler"]),
    (ErrorCall::ErrorStopCode, &["_gfortran_error_stop_numeric"]),
    (ErrorCall::ErrorStopText, &["_gfortran_error_stop_string"]),
    (ErrorCall::StopCode, &["_gfortran_stop_numeric"]),
    (ErrorCall::FortranError, &["_gfortran_runtime_error", "_gfortran_os_error"]),
    (ErrorCall::FortranErrorAt, &["_gfortran_runtime_error_at", "_gfortran_os_error_at"]),
    (ErrorCall::FortranInput, &["_gfortran_generate_error"]),
    (ErrorCall::SanitizerSummary, &["__sanitizer_report_error_summary"]),
];

/// Undefined behaviour by the names of its handlers, whose first argument begins with the place in the source
/// (compiler-rt, `ubsan_handlers.h`). Where the program may go on, its code calls a handler of another name.
const UNDEFINED: &[&str] = &[
    "add_overflow",
    "alignment_assumption",
    "divrem_overflow",
    "dynamic_type_cache_miss",
    "float_cast_overflow",
    "function_type_mismatch",
    "function_type_mismatch_v1",
    "implicit_conversion",
    "invalid_builtin",
    "load_invalid_value",
    "mul_overflow",
    "negate_overflow",
    "nonnull_arg",
    "nonnull_return_v1",
    "nullability_arg",
    "nullability_return_v1",
    "out_of_bounds",
    "pointer_overflow",
    "shift_out_of_bounds",
    "sub_overflow",
    "type_mismatch_v1",
    "vla_bound_not_positive",
];
/// Those after which no program can go on.
const UNDEFINED_ALWAYS: &[&str] = &["builtin_unreachable", "missing_return"];

/// MPICH exports neither the function that ends the job nor the one that decides on it. It calls this function for each
/// error, most of which a program may handle.
const RETURN_OF_MPICH: &str = "MPIR_Err_return_comm";
const OUTPUT_OF_MPICH: &str = "fputs";

/// Beginnings of the names of libraries that define them.
const LIBRARIES: [&str; 8] =
    ["libmpi", "libgfortran.", "libasan.", "liblsan.", "libtsan.", "libubsan.", "libhwasan.", "libclang_rt."];

/// The functions that the files of a process define, by their addresses.
#[derive(Debug, Default)]
pub(in crate::native) struct ErrorCalls(BTreeMap<u64, ErrorCall>);

impl ErrorCalls {
    /// Finds them in the program and in the libraries that define them. Reads the symbols of those.
    pub(in crate::native) fn find(images: &LoadedImages) -> Self {
        let mut found = images.functions_of(&LIBRARIES, TABLE);
        for loaded in images.program_and(&LIBRARIES) {
            // A statically linked MPICH calls the function without a stub, as the program does for its own output.
            let writes = loaded.image.symbol(RETURN_OF_MPICH).and_then(|_| loaded.image.stub_of(OUTPUT_OF_MPICH));
            found.extend(writes.map(|at| (loaded.bias.loaded(at).0, ErrorCall::MpichOutput)));
            for (names, end) in [(UNDEFINED, "_abort"), (UNDEFINED_ALWAYS, "")] {
                let handler = |name: &&'static str| {
                    let at = loaded.symbol(&format!("__ubsan_handle_{name}{end}"))?;
                    Some((at.0, ErrorCall::UndefinedBehaviour(name)))
                };
                found.extend(names.iter().filter_map(handler));
            }
        }
        Self(found)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, ErrorCall)> {
        self.0.iter().map(|(address, call)| (*address, *call))
    }
}
