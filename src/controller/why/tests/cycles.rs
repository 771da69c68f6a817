//! Ranks that wait for each other.

use super::*;
use model::ThreadId;

#[test]
fn a_cycle_of_messages_is_a_deadlock() {
    let ring = [receives(0, 2), receives(1, 0), receives(2, 1)];
    check(
        &ring,
        Verdict::Deadlock,
        "0-2",
        &[
            "ranks 0-2 wait in MPI_Recv (app.c:12): rank 0 for rank 2, rank 1 for rank 0, rank 2 for rank 1, tag 7.",
            "deadlock: ranks 0-2 wait for each other.",
            "look at: focus 0-2",
        ],
    );
    check(
        &[receives(0, 0)],
        Verdict::Deadlock,
        "0",
        &[
            "rank 0 waits in MPI_Recv (app.c:12) for rank 0, tag 7.",
            "deadlock: rank 0 waits for itself.",
            "look at: focus 0",
        ],
    );
}

#[test]
fn a_rank_and_those_that_it_waits_for_wait_for_each_other() {
    let job = [collective("0", "MPI_Barrier", 68), receives(1, 0), receives(2, 0), receives(3, 0)];
    check(
        &job,
        Verdict::Deadlock,
        "0",
        &[
            "ranks 1-3 wait in MPI_Recv (app.c:12) for rank 0, tag 7.",
            "rank 0 waits in MPI_Barrier (app.c:68) for ranks 1-3.",
            "deadlock: rank 0 and ranks 1-3 wait for each other.",
            "look at: focus 0",
        ],
    );
}

#[test]
fn a_thread_that_holds_up_others_of_its_rank_is_named_with_its_call() {
    let mut sender = messages("37", "MPI_Ssend", 90, vec![message(Direction::Send, Peer::Rank(38), 7)]);
    sender.place.thread = Some(ThreadId(3));
    let receiver = messages("38", "MPI_Recv", 99, vec![message(Direction::Receive, Peer::Rank(37), 8)]);
    let found = why(&[sender, receiver]);
    assert_eq!((found.verdict, found.guilty.to_string().as_str()), (Verdict::Mismatch, "37-38"), "{found:#?}");
    let line =
        "rank 37 waits in MPI_Ssend (app.c:90) for rank 38, tag 7, in its thread 3, which seems to hold up others.";
    assert_eq!(found.text[0], line, "{found:#?}");
    assert_eq!(found.text[1], "rank 38 waits in MPI_Recv (app.c:99) for rank 37, tag 8.");
}
