//! Stacks of ranks under MPI libraries that the tests cannot run everywhere, recorded as they were (Open MPI 5.0.11, and
//! MPICH 5.0.2 over libfabric's tcp provider and over UCX, both built for many systems), without the paths.

use super::patterns::tests::user_of;

const OPEN_MPI_5_SSEND: &[&str] = &[
    "libc.so.6 __GI_sched_yield",
    "libopen-pal.so.80 opal_progress",
    "libmpi.so.40 ??",
    "libmpi.so.40 mca_pml_ob1_send",
    "libmpi.so.40 PMPI_Ssend",
    "app wait_in app.c:28",
    "app main app.c:49",
];

const OPEN_MPI_5_ALLREDUCE: &[&str] = &[
    "libc.so.6 __GI_sched_yield",
    "libopen-pal.so.80 opal_progress",
    "libmpi.so.40 ompi_request_default_wait",
    "libmpi.so.40 ompi_coll_base_sendrecv_actual",
    "libmpi.so.40 ompi_coll_base_allreduce_intra_recursivedoubling",
    "libmpi.so.40 ompi_coll_tuned_allreduce_intra_dec_fixed",
    "libmpi.so.40 PMPI_Allreduce",
    "app wait_in app.c:31",
    "app main app.c:49",
];

const OPEN_MPI_5_FENCE: &[&str] = &[
    "libc.so.6 __GI_sched_yield",
    "libopen-pal.so.80 opal_progress",
    "libmpi.so.40 mca_pml_ob1_recv",
    "libmpi.so.40 ompi_coll_base_barrier_intra_basic_linear",
    "libmpi.so.40 ompi_osc_rdma_fence_atomic",
    "libmpi.so.40 PMPI_Win_fence",
    "app wait_in app.c:34",
    "app main app.c:49",
];

const MPICH_5_LIBFABRIC_SSEND: &[&str] = &[
    "libc.so.6 epoll_wait",
    "libfabric.so.1 ??",
    "libfabric.so.1 ??",
    "libfabric.so.1 ??",
    "libfabric.so.1 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 PMPI_Ssend",
    "app wait_in app.c:28",
    "app main app.c:49",
];

const MPICH_5_UCX_ALLREDUCE: &[&str] = &[
    "libc.so.6 __GI_sched_yield",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 ??",
    "libmpi.so.12 PMPI_Allreduce",
    "app wait_in app.c:31",
    "app main app.c:49",
];

#[test]
fn the_users_frame_is_found_under_libraries_of_today() {
    for (stack, user) in [
        (OPEN_MPI_5_SSEND, "5 wait_in:28 in MPI_Ssend"),
        (OPEN_MPI_5_ALLREDUCE, "7 wait_in:31 in MPI_Allreduce"),
        (OPEN_MPI_5_FENCE, "6 wait_in:34 in MPI_Win_fence"),
        (MPICH_5_LIBFABRIC_SSEND, "9 wait_in:28 in MPI_Ssend"),
        (MPICH_5_UCX_ALLREDUCE, "11 wait_in:31 in MPI_Allreduce"),
    ] {
        assert_eq!(user_of("", stack), user);
    }
}
