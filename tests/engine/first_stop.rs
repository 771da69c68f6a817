//! First stops at a place of the user.

use crate::session::{CONTRACT, Kind, Session};
use rankscope::model::{Event, LaunchSpec, LocationSpec, Rank, StopAt};

of_processes!(a_first_stop_that_is_nowhere_is_said_once);

fn a_first_stop_that_is_nowhere_is_said_once(kind: Kind) {
    let warnings = |place: &str, end: Event| {
        let mut session = Session::new(kind);
        let stop_at = StopAt::Location(LocationSpec::parse(place).unwrap());
        session.launch(LaunchSpec { stop_at, ..kind.spec(CONTRACT, &["work"]) }, 1);
        let stops = |event: &Event| matches!(event, Event::Stopped(_)) || *event == end;
        session.event(Rank(0), "a stop or the end", |event| stops(event).then_some(()));
        let told = session.events[&Rank(0)].iter().filter_map(|(_, event)| match event {
            Event::Message(_, text) => Some(text.clone()),
            _ => None,
        });
        told.collect::<Vec<_>>()
    };
    let ended = Event::Exited(1);
    for place in ["nosuch", "contract.c:4000", "4000"] {
        let told = warnings(place, ended.clone());
        let [one] = told.as_slice() else { panic!("{place}: {told:?}") };
        assert!(one.starts_with(&format!("cannot stop at {place}: ")), "{one}");
    }
    // The last one is in a library, which is not there to begin with.
    for place in ["leaf", "contract.c:60", "exit"] {
        assert_eq!(warnings(place, ended.clone()), Vec::<String>::new(), "{place}");
    }
}
