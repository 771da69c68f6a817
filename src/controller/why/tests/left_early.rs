//! Calls that a rank may leave before all have entered.

use super::*;

#[test]
fn ranks_that_may_have_left_a_call_are_not_said_to_be_awaited_each() {
    let open = Doing::Requests { messages: Vec::new(), text: Some("requests".into()) };
    let situations = [
        collective("0,4,6", "MPI_Reduce", 125),
        collective("1-3,5", "MPI_Bcast", 51),
        at("7", "MPI_Waitall", 87, open),
    ];
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Missing, &set("7")), "{found:#?}");
    let expected = [
        "ranks 1-3,5 wait in MPI_Bcast (app.c:51) for one or more of ranks 0,4,6-7.",
        "rank 7 waits in MPI_Waitall (app.c:87) for requests, whose peers are unknown.",
        "ranks 0,4,6 wait in MPI_Reduce (app.c:125) for one or more of ranks 1-3,5,7.",
        "look at: focus 7",
    ];
    assert_eq!(found.text, expected);
}
