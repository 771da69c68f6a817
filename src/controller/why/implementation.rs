//! Implementations of MPI, as far as their constants differ.

/// The implementation of MPI, whose constants differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implementation {
    OpenMpi,
    /// MPICH and those with its binary interface: Intel MPI, Cray MPICH, MVAPICH.
    Mpich,
    Unknown,
}

impl Implementation {
    /// Tells it by the name of its library.
    pub(crate) fn of_library(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        if name.starts_with("libmpi.so.4") || name.starts_with("libmpi_mpifh") || name.starts_with("libmpi_usempif") {
            Self::OpenMpi
        } else if name.starts_with("libmpich") || name.starts_with("libmpi") {
            Self::Mpich
        } else {
            Self::Unknown
        }
    }

    /// The values of `MPI_ANY_SOURCE` and `MPI_PROC_NULL`.
    pub(super) fn peers(self) -> Option<(i64, i64)> {
        match self {
            Self::OpenMpi => Some((-1, -2)),
            Self::Mpich => Some((-2, -1)),
            Self::Unknown => None,
        }
    }
}

/// MPICH's handles of `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
pub(super) const MPICH_HANDLES: [i64; 2] = [0x4400_0000, 0x4400_0001];

/// The addresses that are Open MPI's handles in C.
pub(super) const OPEN_MPI_HANDLES: [&str; 2] = ["&ompi_mpi_comm_world", "&ompi_mpi_comm_self"];

/// Constants that are macros in C. Variables may have names such as `mpi_rank`.
const CONSTANTS: &[&str] = &[
    "MPI_ANY_SOURCE",
    "MPI_ANY_TAG",
    "MPI_PROC_NULL",
    "MPI_ROOT",
    "MPI_UNDEFINED",
    "MPI_COMM_WORLD",
    "MPI_COMM_SELF",
    "MPI_COMM_NULL",
];

pub(super) fn is_constant(text: &str) -> bool {
    CONSTANTS.iter().any(|constant| text.eq_ignore_ascii_case(constant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_tell_the_implementation() {
        for (path, mpi) in [
            ("/usr/lib/libmpi.so.40", Implementation::OpenMpi),
            ("/opt/intel/libmpi.so.12", Implementation::Mpich),
            ("libmpich.so.12", Implementation::Mpich),
            ("libmpi_cray.so.12", Implementation::Mpich),
            ("/home/me/app", Implementation::Unknown),
        ] {
            assert_eq!(Implementation::of_library(path), mpi, "{path}");
        }
    }
}
