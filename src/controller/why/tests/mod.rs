//! `why` on situations of few ranks; in `looks` on several looks, in `rounds` on exchanges in a loop, and in `scale` on many ranks and on any.

mod cycles;
mod left_early;
mod looks;
mod rounds;
mod scale;

use crate::why::answer::why as answer;
use crate::why::situation::{Communicator, Direction, Doing, Message, Peer, Place, Situation, Source, Text};
use crate::why::verdict::{Since, Verdict, Why};
use looks::Known;
use model::{ProcessSet, SourcePlace};

fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

fn place(call: &str, line: u32) -> Place {
    let source = Some(SourcePlace { file: "/home/me/app.c".into(), line });
    Place {
        call: Some(call).filter(|call| !call.is_empty()).map(Into::into),
        function: Some("work".into()),
        source,
        thread: None,
    }
}

fn at(ranks: &str, call: &str, line: u32, doing: Doing) -> Situation {
    Situation { ranks: set(ranks), place: place(call, line), doing, source: Source::Text, text: Text::Read }
}

fn collective(ranks: &str, call: &str, line: u32) -> Situation {
    at(ranks, call, line, Doing::Collective { communicator: Communicator::World, root: None })
}

fn message(direction: Direction, peer: Peer, tag: i64) -> Message {
    Message { direction, peer, tag: Some(tag) }
}

fn messages(ranks: &str, call: &str, line: u32, messages: Vec<Message>) -> Situation {
    at(ranks, call, line, Doing::Messages { communicator: Communicator::World, messages })
}

fn receives(rank: u32, from: u32) -> Situation {
    messages(&rank.to_string(), "MPI_Recv", 12, vec![message(Direction::Receive, Peer::Rank(from), 7)])
}

fn sends(rank: u32, to: u32) -> Situation {
    messages(&rank.to_string(), "MPI_Send", 11, vec![message(Direction::Send, Peer::Rank(to), 7)])
}

fn explained(situations: &[Situation], asked: &ProcessSet, are_stuck: &dyn Fn(&ProcessSet) -> bool) -> Why {
    answer(situations, asked, &Known { are_stuck, since: Since::default() })
}

fn why(situations: &[Situation]) -> Why {
    let all = situations.iter().fold(ProcessSet::new(), |sum, situation| sum.union(&situation.ranks));
    explained(situations, &all, &|ranks| ranks.is_subset(&all))
}

#[track_caller]
fn check(situations: &[Situation], verdict: Verdict, guilty: &str, text: &[&str]) {
    let found = why(situations);
    assert_eq!(found.text, text, "{found:#?}");
    assert_eq!((found.verdict, found.guilty.to_string().as_str()), (verdict, guilty));
}

#[test]
fn a_rank_that_exchanges_with_one_in_a_collective_is_named_with_it() {
    let exchange = vec![message(Direction::Send, Peer::Rank(5), 200), message(Direction::Receive, Peer::Rank(5), 200)];
    let situations = [collective("0-57,59-63", "MPI_Allreduce", 118), messages("58", "MPI_Sendrecv", 101, exchange)];
    check(
        &situations,
        Verdict::Deadlock,
        "5,58",
        &[
            "ranks 0-57,59-63 wait in MPI_Allreduce (app.c:118) for rank 58.",
            "rank 58 waits in MPI_Sendrecv (app.c:101) for rank 5, tag 200.",
            "deadlock: ranks 5,58 wait for each other.",
            "look at: focus 5,58",
        ],
    );
}

#[test]
fn ranks_in_init_do_not_wait_for_those_that_have_left_it() {
    let (all, late) = (collective("0", "MPI_Allreduce", 10), collective("1-2", "MPI_Init_thread", 23));
    let job = [all, late.clone(), receives(3, 1)];
    let found = why(&job);
    assert_eq!((found.verdict, found.guilty), (Verdict::Missing, set("1-2")));
    assert!(found.edges.iter().all(|edge| !edge.from.meets(&set("1-2"))), "{:#?}", found.edges);
    let found = why(&[late, at("0,3", "", 9, Doing::Computing)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Computing, set("0,3")), "they may be before it");
}

#[test]
fn a_message_that_is_under_way_is_no_deadlock() {
    let found = why(&[receives(0, 1), sends(1, 0)]);
    assert_eq!((found.verdict, found.guilty.len()), (Verdict::None, 0), "{found:#?}");
    // A chain ends in a rank that computes.
    let computing = at("3", "", 40, Doing::Computing);
    check(
        &[receives(0, 1), receives(1, 3), computing],
        Verdict::Computing,
        "3",
        &[
            "ranks 0-1 wait in MPI_Recv (app.c:12): rank 0 for rank 1, rank 1 for rank 3, tag 7.",
            "no deadlock: rank 3 is computing in work (app.c:40).",
            "look at: focus 3",
        ],
    );
}

#[test]
fn messages_with_different_tags_do_not_meet() {
    let receiver = messages("1", "MPI_Recv", 12, vec![message(Direction::Receive, Peer::Rank(0), 8)]);
    let found = why(&[sends(0, 1), receiver]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Mismatch, set("0-1")));
}

#[test]
fn different_collectives_and_different_roots_are_a_mismatch() {
    let two = [collective("0-2,4-7", "MPI_Barrier", 20), collective("3", "MPI_Allreduce", 30)];
    let found = why(&two);
    assert_eq!((found.verdict, found.guilty), (Verdict::Mismatch, set("3")));
    let rooted = |ranks, root| {
        at(ranks, "MPI_Bcast", 9, Doing::Collective { communicator: Communicator::World, root: Some(root) })
    };
    let found = why(&[rooted("0-2", 0), rooted("3", 3)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Mismatch, set("3")));
    let found = why(&[rooted("0-3", 0)]);
    assert_eq!(found.verdict, Verdict::None, "all have arrived: {found:#?}");
}

#[test]
fn ranks_that_are_elsewhere_are_blamed() {
    let others = || collective("0-2", "MPI_Barrier", 20);
    for (doing, verdict) in [
        (Doing::Computing, Verdict::Computing),
        (Doing::Running(None), Verdict::Running),
        (Doing::Io(None), Verdict::Io),
        (Doing::Lock(None), Verdict::Lock),
        (Doing::Library, Verdict::Missing),
        (Doing::Requests { text: None, messages: Vec::new() }, Verdict::Missing),
        (Doing::Ended("has exited with code 0".into()), Verdict::Ended),
    ] {
        let found = why(&[others(), at("3", "read", 8, doing)]);
        assert_eq!((found.verdict, found.guilty.to_string().as_str()), (verdict, "3"), "{found:#?}");
        assert!((1..=5).contains(&found.text.len()));
    }
    check(
        &[others(), at("3", "", 8, Doing::Ended("has exited with code 0".into()))],
        Verdict::Ended,
        "3",
        &["ranks 0-2 wait in MPI_Barrier (app.c:20) for rank 3.", "rank 3 has exited with code 0.", "look at: focus 3"],
    );
}

#[test]
fn of_ranks_that_run_nothing_is_known() {
    let all = at("0-5", "", 0, Doing::Running(None));
    check(&[all], Verdict::Running, "", &["ranks 0-5 are running: halt them and ask again."]);
    let (running, stopped) = (at("3", "", 0, Doing::Running(None)), at("0-2", "", 7, Doing::Computing));
    let words = "no stopped rank waits for another; rank 3 is running: halt it and ask again.";
    assert_eq!(why(&[stopped, running]).text, [words]);
}

#[test]
fn a_wildcard_waits_for_anyone_who_can_still_come() {
    let any = |rank: &str| messages(rank, "MPI_Recv", 12, vec![message(Direction::Receive, Peer::Any, 7)]);
    assert_eq!(why(&[any("0"), any("1")]).verdict, Verdict::Deadlock);
    let found = why(&[any("0"), collective("1-3", "MPI_Barrier", 9)]);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Deadlock, &set("0")), "{found:#?}");
    let found = why(&[any("0"), at("1", "", 3, Doing::Computing)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Computing, set("1")));
    assert_eq!(why(&[any("0"), sends(1, 0)]).verdict, Verdict::None);
}

#[test]
fn unknown_members_and_peers_are_no_deadlock() {
    let sub = Doing::Collective { communicator: Communicator::Other(Some("row".into())), root: None };
    let found = why(&[at("0-2", "MPI_Barrier", 20, sub), at("3", "", 8, Doing::Computing)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Computing, set("3")));
    assert_eq!(found.text[0], "ranks 0-2 wait in MPI_Barrier (app.c:20) on row, whose members are unknown.");
    assert_eq!(found.edges[0].communicator.as_deref(), Some("row"));
    assert_eq!(
        why(&[at("0-1", "MPI_Waitall", 5, Doing::Requests { text: None, messages: Vec::new() })]).verdict,
        Verdict::Missing
    );
    let requests =
        why(&[at("0-1", "MPI_Waitall", 5, Doing::Requests { text: Some("requests".into()), messages: Vec::new() })]);
    assert_eq!(requests.text[0], "ranks 0-1 wait in MPI_Waitall (app.c:5) for requests, whose peers are unknown.");
    assert_eq!(why(&[]).verdict, Verdict::None);
    assert_eq!(why(&[at("0", "", 8, Doing::Computing)]).verdict, Verdict::Computing);
}

#[test]
fn a_rank_that_the_user_has_stopped_is_not_computing() {
    let situations =
        [collective("0-2", "MPI_Barrier", 20), at("3", "", 40, Doing::Halted("stopped at breakpoint 2".into()))];
    let second = "rank 3 is stopped at breakpoint 2 in work (app.c:40).";
    let first = "ranks 0-2 wait in MPI_Barrier (app.c:20) for rank 3.";
    check(&situations, Verdict::Missing, "3", &[first, second, "look at: focus 3"]);
    // It is in the way whatever others do, which go on by themselves.
    let others = [Doing::Computing, Doing::Io(None), Doing::Lock(None), Doing::Running(None), Doing::Library];
    for other in others {
        let halted = situations[1].clone();
        let found = why(&[collective("0-1", "MPI_Barrier", 20), at("2", "", 41, other), halted.clone()]);
        assert_eq!((found.verdict, &found.guilty), (Verdict::Missing, &set("3")), "{found:#?}");
        assert!(found.text.contains(&second.to_owned()), "{found:#?}");
        let alone = why(&[halted]);
        assert_eq!(
            (alone.verdict, alone.text),
            (Verdict::None, vec!["no rank waits for another.".into(), second.into()])
        );
    }
}

#[test]
fn the_answer_says_which_source_of_knowledge_it_used_if_the_text_is_not_there() {
    let line = |source, text| {
        let situations = [Situation { source, text, ..receives(0, 1) }, at("1", "", 40, Doing::Computing)];
        why(&situations).text.remove(0)
    };
    let begin = "rank 0 waits in MPI_Recv (app.c:12) for rank 1, tag 7";
    assert_eq!(line(Source::CallSite, Text::Read), format!("{begin}."));
    let described = "as the compiler describes the call: it is not in app.c";
    assert_eq!(line(Source::CallSite, Text::Missing), format!("{begin} ({described})."));
    let newer = "as the text of the call says: app.c is newer than the program";
    assert_eq!(line(Source::Text, Text::Newer), format!("{begin} ({newer})."));
    let unknown =
        messages("0", "MPI_Recv", 12, vec![Message { tag: None, ..message(Direction::Receive, Peer::Unknown, 0) }]);
    let situations =
        [Situation { source: Source::Call, text: Text::Missing, ..unknown }, at("1", "", 40, Doing::Computing)];
    let words = "rank 0 waits in MPI_Recv (app.c:12) for an unknown rank (the compiler does not describe the call: it is not in app.c).";
    assert_eq!(why(&situations).text[0], words);
}

#[test]
fn ranks_that_have_nothing_to_do_with_the_question_are_left_out() {
    let situations = [receives(0, 1), receives(1, 0), receives(2, 3), at("3", "", 40, Doing::Computing)];
    let found = explained(&situations, &set("2"), &|ranks| ranks.is_subset(&set("0-3")));
    assert_eq!((found.verdict, &found.guilty, &found.ranks), (Verdict::Computing, &set("3"), &set("2")));
    assert_eq!(found.edges.len(), 1, "{found:#?}");
    assert_eq!(explained(&situations, &set("1"), &|ranks| ranks.is_subset(&set("0-3"))).guilty, set("0-1"));
}

fn shifts(rank: u32, to: u32, from: u32) -> Situation {
    let both = vec![message(Direction::Send, Peer::Rank(to), 7), message(Direction::Receive, Peer::Rank(from), 7)];
    messages(&rank.to_string(), "MPI_Sendrecv", 15, both)
}

#[test]
fn ranks_that_have_done_their_part_of_a_call_are_not_awaited() {
    // Rank 5 has left the reduction, in which the root waits for rank 7.
    let reduce = Doing::Collective { communicator: Communicator::World, root: Some(0) };
    let situations = [at("0-4,6", "MPI_Reduce", 9, reduce), receives(5, 0), at("7", "", 40, Doing::Computing)];
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Computing, &set("7")), "{found:#?}");
    // Rank 3 has received from rank 2, which went on, and sends to rank 4.
    let situations = [collective("0-2", "MPI_Barrier", 20), shifts(3, 4, 2), at("4", "", 40, Doing::Computing)];
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Computing, &set("4")), "{found:#?}");
}

#[test]
fn all_ranks_of_a_cycle_of_exchanges_are_named() {
    let other = |rank: u32| {
        let both = vec![
            message(Direction::Send, Peer::Rank((rank + 1) % 4), 7),
            message(Direction::Receive, Peer::Rank((rank + 3) % 4), 8),
        ];
        messages(&rank.to_string(), "MPI_Sendrecv", 15, both)
    };
    let found = why(&[other(0), other(1), other(2), other(3)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Deadlock, set("0-3")));
}

#[test]
fn an_operation_may_be_called_from_several_lines_and_languages() {
    let found = why(&[collective("0-1", "MPI_Barrier", 20), collective("2-3", "mpi_barrier", 30)]);
    assert_eq!(found.verdict, Verdict::None, "{found:#?}");
    let all = |ranks, call, line| collective(ranks, call, line);
    let found = why(&[all("0-2", "MPI_Barrier", 20), all("3-5", "MPI_Barrier", 30), all("6-10", "MPI_Allreduce", 40)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Mismatch, set("6-10")));
    let found = why(&[all("0", "MPI_Barrier", 20), all("1", "MPI_Allreduce", 30)]);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Mismatch, &set("0-1")));
    assert!(found.text[2].starts_with("mismatch: ranks 0-1 are in different calls."), "{found:#?}");
}

#[test]
fn another_root_is_named() {
    let rooted = |ranks, root| {
        at(ranks, "MPI_Reduce", 9, Doing::Collective { communicator: Communicator::World, root: Some(root) })
    };
    check(
        &[rooted("0-2", 0), rooted("3", 3)],
        Verdict::Mismatch,
        "3",
        &[
            "ranks 0-3 wait in MPI_Reduce (app.c:9): ranks 0-2 for rank 3, rank 3 for ranks 0-2.",
            "mismatch: rank 3 names rank 3 as the root, others rank 0.",
            "look at: focus 3",
        ],
    );
}

#[test]
fn the_one_in_a_collective_is_named_if_all_others_wait_for_it() {
    let mut chain: Vec<Situation> = (1..8).map(|rank| receives(rank, rank - 1)).collect();
    chain.push(collective("0", "MPI_Barrier", 20));
    let found = why(&chain);
    assert_eq!((found.verdict, found.guilty), (Verdict::Deadlock, set("0")));
    // Of those in the collective, the one that is named is not the only one that the others wait for.
    let found = why(&[collective("0-1", "MPI_Allreduce", 20), sends(2, 3), receives(3, 1)]);
    assert_eq!((found.verdict, found.guilty), (Verdict::Deadlock, set("1-3")));
}

#[test]
fn pairs_with_different_tags_are_one_mismatch() {
    let pair = |rank: u32| {
        let receiver = vec![message(Direction::Receive, Peer::Rank(rank), 8)];
        [sends(rank, rank + 1), messages(&(rank + 1).to_string(), "MPI_Recv", 12, receiver)]
    };
    let found = why(&[pair(0), pair(2)].concat());
    assert_eq!((found.verdict, found.guilty), (Verdict::Mismatch, set("0-3")));
}

#[test]
fn a_wildcard_waits_in_vain_for_ranks_that_have_ended() {
    let any = messages("0", "MPI_Recv", 12, vec![message(Direction::Receive, Peer::Any, 7)]);
    let found = why(&[any, at("1", "", 3, Doing::Ended("has exited with code 1".into()))]);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Ended, &set("1")), "{found:#?}");
}

#[test]
fn a_wait_for_a_rank_and_one_for_any_rank_on_one_line_are_told_apart() {
    let receive = |rank: &str, peer| messages(rank, "MPI_Recv", 12, vec![message(Direction::Receive, peer, 7)]);
    let found = why(&[receive("0", Peer::Any), receive("1-2", Peer::Rank(3)), at("3", "", 40, Doing::Computing)]);
    assert!(found.text.contains(&"ranks 1-2 wait in MPI_Recv (app.c:12) for rank 3, tag 7.".to_owned()), "{found:#?}");
    assert!(found.text.contains(&"rank 0 waits in MPI_Recv (app.c:12) for a message of any rank, tag 7.".to_owned()));
}

#[test]
fn a_rank_that_is_not_of_the_job_is_unknown() {
    let found = why(&[receives(0, 99), collective("1", "MPI_Barrier", 20)]);
    assert_eq!(found.verdict, Verdict::Missing, "{found:#?}");
}

#[test]
fn the_few_that_are_elsewhere_are_named_if_nothing_else_is_known() {
    let row = Doing::Collective { communicator: Communicator::Other(Some("row".into())), root: None };
    let found = why(&[at("0-4,6-7", "MPI_Barrier", 20, row), receives(5, 3)]);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Missing, &set("3,5")), "{found:#?}");
    let window = Doing::Collective { communicator: Communicator::Other(None), root: None };
    let found = why(&[at("0-4,6-7", "MPI_Win_fence", 20, window), collective("5", "MPI_Barrier", 30)]);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Missing, &set("5")), "{found:#?}");
}

#[test]
fn ranks_in_one_call_are_together_whatever_they_pass_to_it() {
    let exchange = |rank: u32, peer: u32| {
        let of = |direction| message(direction, Peer::Rank(peer), 23);
        let messages = vec![of(Direction::Send), of(Direction::Receive)];
        let group = Communicator::Other(Some("group".into()));
        at(&rank.to_string(), "mpi_sendrecv", 33, Doing::Messages { communicator: group, messages })
    };
    let waiting = [collective("0,2,4", "mpi_barrier", 21), exchange(1, 2), exchange(3, 0), exchange(5, 1)];
    let found = why(&waiting);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Missing, &set("1,3,5")), "{found:#?}");
    assert!(found.text[1].starts_with("ranks 1-5:2 wait in mpi_sendrecv (app.c:33) for "), "{found:#?}");
    let peers = "rank 2 (rank 1), rank 0 (rank 3), rank 1 (rank 5) of group, whose members are unknown";
    assert!(found.text.iter().any(|line| line.contains(peers)), "{found:#?}");
}

#[test]
fn waits_outside_of_mpi_are_told_even_if_no_rank_waits_in_it() {
    let held = "held by its thread 2, which is in pause (app.c:3)";
    let locked = at("0", "pthread_mutex_lock", 7, Doing::Lock(Some(held.into())));
    let kernel = Doing::Running(Some("in the kernel and cannot be stopped, in nfs_wait".into()));
    let all = [locked, at("1", "", 0, kernel), at("2", "", 9, Doing::Computing)];
    let kernel = "rank 1 is in the kernel and cannot be stopped, in nfs_wait.";
    check(
        &all,
        Verdict::Lock,
        "",
        &["no rank waits for another.", &format!("rank 0 is in pthread_mutex_lock (app.c:7), {held}."), kernel],
    );
    assert_eq!(explained(&all, &set("1"), &|_| false).text, ["no rank waits for another.", kernel]);
    let waiting = [collective("0", "MPI_Barrier", 20), all[1].clone()];
    assert_eq!(why(&waiting).text[1], kernel);
}

#[test]
fn posted_messages_say_for_whom_requests_wait() {
    let requests = |messages| Doing::Requests { text: Some("r".into()), messages };
    let receive = |peer| message(Direction::Receive, Peer::Rank(peer), 7);
    let found = why(&[
        at("2", "MPI_Waitall", 5, requests(vec![receive(1), receive(3)])),
        collective("0-1,3", "MPI_Barrier", 9),
    ]);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Deadlock, &set("2")), "{found:#?}");
    assert_eq!(found.text[1], "rank 2 waits in MPI_Waitall (app.c:5) for ranks 1,3, tag 7.");
    // The other end is there.
    let sent = why(&[at("0", "MPI_Wait", 5, requests(vec![receive(1)])), sends(1, 0)]);
    assert_eq!(sent.verdict, Verdict::None, "{sent:#?}");
}

#[test]
fn messages_in_unknown_communicators_name_the_peer_as_it_counts_there() {
    let other = |peer| Doing::Messages {
        communicator: Communicator::Other(Some("row".into())),
        messages: vec![message(Direction::Receive, peer, 7)],
    };
    let text = |doing| why(&[at("0", "MPI_Recv", 5, doing), at("1", "", 8, Doing::Computing)]).text.remove(0);
    let begin = "rank 0 waits in MPI_Recv (app.c:5) for";
    assert_eq!(text(other(Peer::Rank(3))), format!("{begin} rank 3 of row, whose members are unknown, tag 7."));
    assert_eq!(
        text(other(Peer::Any)),
        format!("{begin} a message of any rank of row, whose members are unknown, tag 7.")
    );
    assert_eq!(text(other(Peer::Unknown)), format!("{begin} a rank of row, whose members are unknown, tag 7."));
}

#[test]
fn ranks_that_have_not_replied_wait_for_nobody_knows_what() {
    let all = [at("0-3", "", 40, Doing::Silent("stopped after a step".into())), at("4", "", 41, Doing::Computing)];
    let text = explained(&all, &set("0-4"), &|_| false).text;
    assert_eq!(text.first().map(String::as_str), Some("ranks 0-3 have not replied: what they wait for is unknown."));
    assert!(text.iter().any(|line| line == "ranks 0-3 are stopped after a step, without a reply."), "{text:?}");
}
