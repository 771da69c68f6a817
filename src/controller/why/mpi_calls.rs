//! The calls of MPI that wait for other ranks, and which of their arguments say for whom.

/// The arguments of a call by their places, from 0; equal in C and Fortran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MpiCall {
    /// All ranks of the job take part.
    World,
    /// All members of a communicator take part; `None` if no argument is one.
    Collective { communicator: Option<usize>, root: Option<usize> },
    /// Sends to a rank.
    Send { peer: usize, tag: usize, communicator: usize },
    /// Receives from a rank, or waits for a message from it.
    Receive { peer: usize, tag: usize, communicator: usize },
    /// Sends to one rank and receives from another.
    Exchange { to: usize, to_tag: usize, from: usize, from_tag: usize, communicator: usize },
    /// Waits for requests; `None` if no argument has them.
    Requests(Option<usize>),
}

/// Collective operations with the places of the communicator and the root.
const COLLECTIVES: &[(&str, Option<usize>, Option<usize>)] = &[
    ("barrier", Some(0), None),
    ("bcast", Some(4), Some(3)),
    ("reduce", Some(6), Some(5)),
    ("allreduce", Some(5), None),
    ("gather", Some(7), Some(6)),
    ("gatherv", Some(8), Some(7)),
    ("scatter", Some(7), Some(6)),
    ("scatterv", Some(8), Some(7)),
    ("allgather", Some(6), None),
    ("allgatherv", Some(7), None),
    ("alltoall", Some(6), None),
    ("alltoallv", Some(8), None),
    ("alltoallw", Some(8), None),
    ("reduce_scatter", Some(5), None),
    ("reduce_scatter_block", Some(5), None),
    ("scan", Some(5), None),
    ("exscan", Some(5), None),
    ("comm_split", Some(0), None),
    ("comm_split_type", Some(0), None),
    ("comm_dup", Some(0), None),
    ("comm_create", Some(0), None),
    ("comm_free", None, None),
    ("cart_create", Some(0), None),
    ("graph_create", Some(0), None),
    ("dist_graph_create", Some(0), None),
    ("dist_graph_create_adjacent", Some(0), None),
    ("win_create", Some(4), None),
    ("win_allocate", Some(3), None),
    ("win_allocate_shared", Some(3), None),
    ("win_create_dynamic", Some(1), None),
    ("win_fence", None, None),
    ("win_free", None, None),
    ("file_open", Some(0), None),
    ("file_close", None, None),
    ("file_read_all", None, None),
    ("file_write_all", None, None),
    ("file_read_at_all", None, None),
    ("file_write_at_all", None, None),
    ("file_set_view", None, None),
];

/// Calls that wait for requests, or ask for them, with the place of the requests.
const REQUESTS: &[(&str, Option<usize>)] = &[
    ("wait", Some(0)),
    ("waitall", Some(1)),
    ("waitany", Some(1)),
    ("waitsome", Some(1)),
    ("test", Some(0)),
    ("testall", Some(1)),
    ("testany", Some(1)),
    ("testsome", Some(1)),
    ("iprobe", None),
    ("improbe", None),
];

/// Collective operations that a rank may leave before all have entered. No rank leaves the others before that.
const LEFT_EARLY: &[&str] = &["bcast", "scatter", "scatterv", "gather", "gatherv", "reduce", "scan", "exscan"];

/// True for a collective operation that a rank may leave before all have entered.
pub(super) fn leaves_early(function: &str) -> bool {
    mpi_name(function).is_some_and(|name| LEFT_EARLY.contains(&name.as_str()))
}

/// True for the call that a rank makes once, before all others.
pub(super) fn initializes(function: &str) -> bool {
    mpi_name(function).is_some_and(|name| name == "init" || name == "init_thread")
}

/// Returns the name of a function of MPI in lower case without its prefix: `recv` for `PMPI_Recv` and `mpi_recv_`.
pub(crate) fn mpi_name(function: &str) -> Option<String> {
    let lower = function.to_ascii_lowercase();
    let name = lower.strip_prefix('p').filter(|name| name.starts_with("mpi_")).unwrap_or(&lower);
    let name = name.strip_prefix("mpi_")?.trim_end_matches('_');
    let name = ["_f08ts", "_f08", "_c"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    Some(name.to_owned())
}

/// Returns what a function of MPI waits for; `None` if it waits for no other rank or is not known.
pub(crate) fn mpi_call(function: &str) -> Option<MpiCall> {
    let name = mpi_name(function)?;
    Some(match name.as_str() {
        "init" | "init_thread" | "finalize" => MpiCall::World,
        "send" | "ssend" | "rsend" => MpiCall::Send { peer: 3, tag: 4, communicator: 5 },
        "recv" | "mrecv" => MpiCall::Receive { peer: 3, tag: 4, communicator: 5 },
        "probe" | "mprobe" => MpiCall::Receive { peer: 0, tag: 1, communicator: 2 },
        "sendrecv" => MpiCall::Exchange { to: 3, to_tag: 4, from: 8, from_tag: 9, communicator: 10 },
        "sendrecv_replace" => MpiCall::Exchange { to: 3, to_tag: 4, from: 5, from_tag: 6, communicator: 7 },
        name => {
            if let Some((_, place)) = REQUESTS.iter().find(|(known, _)| *known == name) {
                return Some(MpiCall::Requests(*place));
            }
            let (_, communicator, root) = COLLECTIVES.iter().find(|(known, ..)| *known == name)?;
            MpiCall::Collective { communicator: *communicator, root: *root }
        }
    })
}

/// Calls that begin a message and leave its end to a request, which is their argument number [`REQUEST`].
pub(super) const POSTING: [(&str, MpiCall); 5] = [
    ("isend", MpiCall::Send { peer: 3, tag: 4, communicator: 5 }),
    ("issend", MpiCall::Send { peer: 3, tag: 4, communicator: 5 }),
    ("irsend", MpiCall::Send { peer: 3, tag: 4, communicator: 5 }),
    ("ibsend", MpiCall::Send { peer: 3, tag: 4, communicator: 5 }),
    ("irecv", MpiCall::Receive { peer: 3, tag: 4, communicator: 5 }),
];

/// The place of the request among the arguments of calls that begin a message.
pub(super) const REQUEST: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_known_by_all_names_of_c_and_fortran() {
        let receive = Some(MpiCall::Receive { peer: 3, tag: 4, communicator: 5 });
        for name in ["MPI_Recv", "PMPI_Recv", "mpi_recv_", "pmpi_recv_", "mpi_recv__", "MPI_RECV", "mpi_recv_f08_"] {
            assert_eq!(mpi_call(name), receive, "{name}");
        }
        assert_eq!(mpi_call("MPI_Wtime"), None);
        assert_eq!(mpi_call("recv"), None);
        assert_eq!(mpi_call("MPI_Finalize"), Some(MpiCall::World));
    }
}
