//! A distributed array as the screen asks for it: its picture, in parts.

use crate::support::session::{Session, set};
use crate::support::{build::build, marks};
use rankscope::model::{
    Answer, ArrayFinding, ArrayLook, ArraySection, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec,
    LocationSpec, Operation, Point, ProcessSet, Reduction, Span, Stop,
};
use rankscope::protocol::{LaunchPlan, Message, Reply, WaitPolicy};

const FILE: &str = "tiles.c";
const RANKS: u32 = 64;
/// A part of the picture on a terminal of 200x60 with 8x8 parts, in pixels.
const SHARE: (u32, u32) = (14, 25);
/// More than the picture of 4096x4096 numbers may cost the link to the front end.
const MOST: usize = 100_000;

#[tokio::test]
async fn the_picture_of_a_distributed_array_costs_its_pixels() {
    let program = build("gcc", FILE, &["-g", "-O0", "-lm"]).to_str().unwrap().to_owned();
    let all = ProcessSet::all(RANKS);
    let ranks = all.to_string();
    let mut session = Session::start(&["--ranks-per-server", "16"]).await;
    let spec = LaunchSpec { program, ..LaunchSpec::default() };
    session.launch(LaunchPlan::Local { ranks: RANKS, spec }).await.unwrap();
    session.until_stopped(&all).await;
    let place = LocationSpec::FileLine { file: FILE.to_owned(), line: marks::line(FILE, "filled") };
    let request = BreakpointRequest::at(BreakpointId(1), Point::Place(place));
    session.query(&ranks, WaitPolicy::All, Operation::SetBreakpoint(request)).await;
    session.ask(&ranks, WaitPolicy::All, Operation::Go);
    session
        .until_event(&all, |event| matches!(event, Event::Stopped(Stop { reason, .. }) if reason.point().is_some()))
        .await;

    let (height, width) = SHARE;
    let section = ArraySection { rows: Span::ALL, columns: Span::ALL, ..ArraySection::default() };
    let look = ArrayLook::Picture { section, height, width, reductions: vec![Reduction::Mean] };
    let asked = Operation::Array { context: Context::default(), expression: "part".to_owned(), look: Box::new(look) };
    let outcome = session.query(&ranks, WaitPolicy::All, asked).await;
    assert_eq!(outcome.missing, "");
    let (mut bytes, mut answered) = (0, ProcessSet::new());
    for (ranks, answer) in outcome.answers {
        let Answer::Array(part) = &answer else { panic!("{ranks}: {answer:?}") };
        let ArrayFinding::Picture(picture) = &part.finding else { panic!("{ranks}: {part:?}") };
        assert_eq!((picture.height, picture.width), SHARE);
        assert_eq!(part.shape.count(), 1 << 18);
        answered.extend_with(&set(&ranks));
        let reply = Reply::Answer {
            tid: rankscope::model::TransactionId(1),
            ranks: set(&ranks),
            missing: ProcessSet::new(),
            late: false,
            answer,
        };
        bytes += reply.to_packet().length();
    }
    assert_eq!(answered, all);
    assert!(bytes < MOST, "{bytes} bytes");
    session.quit().await;
}
