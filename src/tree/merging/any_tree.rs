//! Any tree, and any order in which its messages arrive, gives the same as one node with all ranks: tests only.

use super::gathered::{Gathered, Reduction};
use super::relay::Relay;
use super::window::Spoken;
use model::{
    Answer, BreakpointId, CodePlace, Context, Datum, Event, Failure, Frame, FrameArgument, FrameArguments, NamedThread,
    Observation, Operation, ProcessSet, Rank, Stop, StopReason, Stream, ThreadId, ThreadInfo, ThreadStackList,
    ThreadsAnswer, TransactionId, VariableValue, VirtualAddress,
};
use model::{ArgumentValue, ArrayFindings, ArrayStatistics, Double, ElementIndex, ErrorCode, Extreme, FiniteNumbers};
use model::{ScanCondition, ValueSummary};
use proptest::prelude::*;
use protocol::{Reply, Request, ServerIndex, WaitPolicy};
use std::collections::VecDeque;
use std::time::Instant;

const TID: TransactionId = TransactionId(9);
const MASTER: usize = 0;

/// Nodes with their ranks; what each has sent to its parent, or its engine to it, waits in a queue.
struct Tree {
    nodes: Vec<Relay>,
    parents: Vec<usize>,
    from_engine: Vec<VecDeque<Reply>>,
    to_parent: Vec<VecDeque<Reply>>,
    outside: Vec<Reply>,
}

impl Tree {
    /// Node 0 is the master; `parents[i]` is that of node i + 1. Rank r is at node `places[r]`.
    fn new(parents: &[usize], places: &[usize]) -> Self {
        let count = parents.len() + 1;
        let parents: Vec<usize> =
            std::iter::once(MASTER).chain(parents.iter().enumerate().map(|(i, parent)| parent % (i + 1))).collect();
        let mut tree = Self {
            nodes: (0..count).map(|_| Relay::default()).collect(),
            parents,
            from_engine: vec![VecDeque::new(); count],
            to_parent: vec![VecDeque::new(); count],
            outside: Vec::new(),
        };
        for node in 0..count {
            let own: ProcessSet =
                (0u32..).zip(places).filter(|(_, place)| *place % count == node).map(|(rank, _)| Rank(rank)).collect();
            tree.nodes[node].add_own(&own);
            let mut via = node;
            while via != MASTER {
                let above = tree.parents[via];
                let name = |node: usize| ServerIndex(node as u32);
                tree.nodes[above].routing.announce(name(node), name(via), "n", "n:1", &own);
                via = above;
            }
        }
        tree
    }

    fn place_of(&self, rank: Rank) -> usize {
        self.nodes.iter().position(|node| node.own().contains(rank)).unwrap()
    }

    /// Asks all ranks, each of which gives its answer; `order` chooses the message that arrives next.
    fn ask(&mut self, operation: &Operation, answers: &[Answer], order: &[usize]) {
        let all = ProcessSet::all(answers.len() as u32);
        let mut requests = vec![(MASTER, all)];
        while let Some((node, ranks)) = requests.pop() {
            let (now, none) = (Instant::now(), ProcessSet::new());
            let dispatch = self.nodes[node].request(now, TID, &ranks, WaitPolicy::All, operation, &none);
            assert!(dispatch.up.is_empty() && dispatch.away.is_empty());
            for rank in dispatch.own.iter() {
                let (ranks, missing, answer) =
                    (ProcessSet::one(rank), ProcessSet::new(), answers[rank.index()].clone());
                self.from_engine[node].push_back(Reply::Answer { tid: TID, ranks, missing, late: false, answer });
            }
            for (child, request) in dispatch.down {
                let Request::Ranks { ranks, .. } = request else { panic!("{request:?}") };
                requests.push((child.0 as usize, ranks));
            }
        }
        self.arrive(order);
    }

    /// Lets everything arrive. Messages of a queue stay in order.
    fn arrive(&mut self, order: &[usize]) {
        let mut order = order.iter().cycle();
        loop {
            let waiting = |queues: &[VecDeque<Reply>]| -> Vec<usize> {
                (0..queues.len()).filter(|node| !queues[*node].is_empty()).collect()
            };
            let (engines, links) = (waiting(&self.from_engine), waiting(&self.to_parent));
            let all = engines.len() + links.len();
            if all == 0 {
                return;
            }
            let chosen = order.next().unwrap() % all;
            let (node, reply) = match engines.get(chosen) {
                Some(&node) => (node, self.from_engine[node].pop_front()),
                None => {
                    let node = links[chosen - engines.len()];
                    (self.parents[node], self.to_parent[node].pop_front())
                }
            };
            let relay = &mut self.nodes[node];
            let up = match reply.unwrap() {
                Reply::Answer { tid, ranks, missing, answer, .. } => {
                    relay.answer(Instant::now(), tid, &ranks, &missing, answer)
                }
                Reply::Event { tid, ranks, event } => {
                    let mut up = relay.event(Instant::now(), tid, ranks, event);
                    // A node may wait for more, or not.
                    if chosen.is_multiple_of(3) {
                        up.extend(relay.flush());
                    }
                    up
                }
                other => panic!("{other:?}"),
            };
            if node == MASTER {
                self.outside.extend(up);
            } else {
                self.to_parent[node].extend(up);
            }
            // At the end nothing is held.
            if all == 1 && self.to_parent.iter().all(VecDeque::is_empty) {
                for node in (0..self.nodes.len()).rev() {
                    let held = self.nodes[node].flush();
                    if node == MASTER { self.outside.extend(held) } else { self.to_parent[node].extend(held) }
                }
            }
        }
    }
}

fn frame(offset: u64, address: Option<u64>) -> Frame {
    let code = CodePlace { module: Some("/bin/app".into()), offset, address: address.map(VirtualAddress) };
    Frame { level: 0, function: Some("f".into()), source: None, code, inlined: false, guessed: false, thread: None }
}

fn number(value: i8) -> Datum {
    Datum { descriptor: "is1".into(), data: value.to_be_bytes().to_vec(), type_name: "char".into() }
}

/// Answers of every kind that is merged by more than equality, and some that are not.
fn answer(kind: u8, (place, address): (u64, u64), value: i8) -> Answer {
    let stack = || Answer::Stack(vec![frame(place, Some(address)), frame(7, Some(address))]);
    let address = Some(address);
    match kind {
        0 => stack(),
        1 => {
            let thread = |id, offset| ThreadInfo {
                id: ThreadId(id),
                current: id == 1,
                name: "worker".into(),
                frame: Some(frame(offset, address)),
                user: None,
            };
            Answer::Threads(vec![thread(1, place), thread(2, 5)])
        }
        2 => {
            let said = |id, answer| ThreadsAnswer { threads: vec![ThreadId(id)], answer };
            Answer::EachThread(vec![said(1, stack()), said(2, Answer::Stack(vec![frame(3, address)]))])
        }
        3 => {
            let value = ArgumentValue::Shared(VariableValue::Known(number(value)));
            let arguments = vec![FrameArgument { name: "n".into(), value }];
            Answer::FrameArguments(vec![FrameArguments { level: place as u32, arguments }])
        }
        4 => Answer::Memory(VirtualAddress(place), vec![value as u8]),
        5 => Answer::Depth(place as u32),
        6 => Answer::Failed(Failure::new(ErrorCode::RUNNING, "the rank is running")),
        _ => Answer::Data(number(value)),
    }
}

/// The stack of a rank in calls of these names, outermost first; each is at one of two places in its function.
fn stack_of(calls: &[(u8, bool)]) -> Answer {
    let frame = |(level, (name, later)): (usize, &(u8, bool))| Frame {
        level: level as u32,
        function: Some(char::from(b'a' + name).to_string().into()),
        ..frame(u64::from(*later), Some(u64::from(*name)))
    };
    Answer::Stack(calls.iter().rev().enumerate().map(frame).collect())
}

/// The stacks of the threads of a rank, as [`stack_of`] has them.
fn threads_of(stacks: &[Vec<(u8, bool)>]) -> Answer {
    let mut list = ThreadStackList::default();
    for (id, calls) in (1..).zip(stacks) {
        let Answer::Stack(frames) = stack_of(calls) else { continue };
        list.add(NamedThread { id: ThreadId(id), name: "".into() }, frames);
    }
    Answer::ThreadStacks(Box::new(list.finish()))
}

/// The answer of `stats` or `scan` about a small array.
fn of_array(kind: u8, place: u64, value: i8) -> Answer {
    let at = ElementIndex { subscripts: vec![place as i64], parentheses: false };
    let extreme = |number: i8| Extreme { value: Double::new(number.into()), digits: None, at: at.clone() };
    let finite = |mean: f64| FiniteNumbers {
        min: extreme(value),
        max: extreme(value.saturating_add(1)),
        mean: Double::new(mean),
        deviation: Double::new(0.5),
        histogram: vec![1, 1],
    };
    let (count, nan) = (2 + place, place);
    match kind {
        0..4 => Answer::Statistics(Box::new(ArrayStatistics {
            count,
            nan,
            infinite: 0,
            finite: Some(finite(f64::from(value) + 0.5)),
        })),
        4..8 => Answer::Found(ArrayFindings { count, found: place, first: vec![at; place.min(1) as usize] }),
        _ => Answer::Failed(Failure::new(ErrorCode::RUNNING, "the rank is running")),
    }
}

/// Sorted by the lowest rank, summaries without what rounding changes.
fn in_order(mut said: Vec<(ProcessSet, Answer)>) -> Vec<(ProcessSet, Answer)> {
    said.sort_by_key(|(ranks, _)| ranks.first());
    let without_rounding = |summary: Box<ValueSummary>| {
        let finite = summary
            .finite
            .as_ref()
            .map(|f| (f.moments.count, f.least.clone(), f.greatest.clone(), f.histogram.clone()));
        let rest = ValueSummary { finite: None, ..*summary };
        Answer::Text(format!("{rest:?} {finite:?}"))
    };
    said.into_iter()
        .map(|(ranks, answer)| match answer {
            Answer::Summary(summary) => (ranks, without_rounding(summary)),
            Answer::StatisticsSum(sum) => {
                let exact =
                    (sum.finite.count, sum.ranks, sum.elements, sum.nan, &sum.nan_ranks, &sum.least, &sum.greatest);
                (ranks, Answer::Text(format!("{exact:?}")))
            }
            other => (ranks, other),
        })
        .collect()
}

fn event(kind: u8, place: u64, address: u64) -> Event {
    match kind {
        0 => Event::Running,
        1 => Event::Output(Stream::Stdout, format!("line {place}\nand another\n")),
        2 => Event::Counted(BreakpointId(1), place),
        _ => Event::Stopped(Stop {
            reason: StopReason::Step,
            thread: ThreadId(1),
            frame: frame(place, Some(address)),
            note: None,
            cause: None,
            user: None,
        }),
    }
}

/// What a rank has said: output as one text, other events without addresses.
fn heard_of(rank: Rank, said: impl Iterator<Item = (ProcessSet, Event)>) -> Vec<Event> {
    let mut heard: Vec<Event> = Vec::new();
    for (_, event) in said.filter(|(ranks, _)| ranks.contains(rank)) {
        match (heard.last_mut(), event) {
            (Some(Event::Output(_, so_far)), Event::Output(_, text)) => so_far.push_str(&text),
            (_, event) => heard.push(event.without_addresses()),
        }
    }
    heard
}

fn indices(most: usize, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..most, count)
}

/// Asks the ranks of a tree; fails if the replies are not those of one node with all ranks.
fn answers_are_those_of_one_node(
    parents: &[usize],
    places: &[usize],
    operation: &Operation,
    answers: &[Answer],
    order: &[usize],
) -> Result<(), TestCaseError> {
    let mut tree = Tree::new(parents, places);
    tree.ask(operation, answers, order);
    let heard: Vec<(ProcessSet, Answer)> = std::mem::take(&mut tree.outside)
        .into_iter()
        .map(|reply| match reply {
            Reply::Answer { ranks, missing, late: false, answer, .. } if missing.is_empty() => (ranks, answer),
            other => panic!("{other:?}"),
        })
        .collect();
    let mut one = Gathered::new(Reduction::of(operation));
    for (rank, answer) in (0u32..).zip(answers) {
        one.add(&ProcessSet::one(Rank(rank)), answer.clone());
    }
    prop_assert_eq!(in_order(heard), in_order(one.into_entries()));
    prop_assert!(tree.nodes.iter().all(|node| !node.is_open(TID)));
    Ok(())
}

proptest! {
    #[test]
    fn answers_do_not_depend_on_the_tree(
        parents in indices(64, 0..12),
        said in proptest::collection::vec((0u8..9, (0u64..3, 0u64..2), any::<i8>(), 0usize..64), 1..40),
        order in indices(1000, 1..200),
        most in proptest::option::of(1u32..6),
    ) {
        // Either values or stacks are reduced.
        let kind = |kind: u8| if most.is_some() { kind.max(1) } else { kind };
        let answers: Vec<Answer> =
            said.iter().map(|&(one, place, value, _)| answer(kind(one), place, value)).collect();
        let places: Vec<usize> = said.iter().map(|said| said.3).collect();
        let operation = Operation::Print {
            context: Context::default(),
            expression: "n".into(),
            raw: false,
            limits: None,
            unrecorded: true,
            most,
            picture: None,
        };
        answers_are_those_of_one_node(&parents, &places, &operation, &answers, &order)?;
    }

    #[test]
    fn merged_stacks_do_not_depend_on_the_tree(
        parents in indices(64, 0..12),
        said in proptest::collection::vec(
            (proptest::option::weighted(0.9, proptest::collection::vec((0u8..3, any::<bool>()), 0..5)), 0usize..64),
            1..40,
        ),
        order in indices(1000, 1..200),
        most in proptest::option::of(1u32..6),
    ) {
        let failed = || Answer::Failed(Failure::new(ErrorCode::RUNNING, "the rank is running"));
        let answers: Vec<Answer> =
            said.iter().map(|(calls, _)| calls.as_deref().map_or_else(failed, stack_of)).collect();
        let places: Vec<usize> = said.iter().map(|said| said.1).collect();
        let operation = Operation::Stack { thread: None, low: 0, high: None, most };
        answers_are_those_of_one_node(&parents, &places, &operation, &answers, &order)?;
    }

    #[test]
    fn stacks_of_all_threads_do_not_depend_on_the_tree(
        parents in indices(64, 0..12),
        said in proptest::collection::vec(
            (proptest::collection::vec(proptest::collection::vec((0u8..3, any::<bool>()), 0..4), 1..4), 0usize..64),
            1..30,
        ),
        order in indices(1000, 1..200),
        most in proptest::option::of(1u32..6),
    ) {
        let answers: Vec<Answer> = said.iter().map(|(stacks, _)| threads_of(stacks)).collect();
        let places: Vec<usize> = said.iter().map(|said| said.1).collect();
        let operation = Operation::ThreadStacks { high: None, most };
        answers_are_those_of_one_node(&parents, &places, &operation, &answers, &order)?;
    }

    #[test]
    fn measured_arrays_do_not_depend_on_the_tree(
        parents in indices(64, 0..12),
        said in proptest::collection::vec((0u8..9, 0u64..4, any::<i8>(), 0usize..64), 1..40),
        order in indices(1000, 1..200),
        most in proptest::option::of(1u32..6),
        scan in any::<bool>(),
    ) {
        let kind = |kind: u8| if kind == 8 { 8 } else { u8::from(scan) * 4 + kind % 4 };
        let answers: Vec<Answer> =
            said.iter().map(|&(one, place, value, _)| of_array(kind(one), place, value)).collect();
        let places: Vec<usize> = said.iter().map(|said| said.3).collect();
        let (context, expression) = (Context::default(), "u".to_owned());
        let operation = if scan {
            Operation::Scan { context, expression, condition: ScanCondition::NotANumber, most }
        } else {
            Operation::Statistics { context, expression, most }
        };
        answers_are_those_of_one_node(&parents, &places, &operation, &answers, &order)?;
    }

    #[test]
    fn observations_do_not_depend_on_the_tree(
        parents in indices(64, 0..12),
        said in proptest::collection::vec((proptest::option::of(0u64..9), 0u32..3, 0usize..64), 1..60),
        order in indices(1000, 1..200),
    ) {
        let failed = || Answer::Failed(Failure::new(ErrorCode::RUNNING, "the rank is running"));
        let observed = |fingerprint, pid| {
            Answer::Observed(Box::new(Observation { fingerprint: Some(fingerprint), pid, ..Observation::default() }))
        };
        let answers: Vec<Answer> = said
            .iter()
            .map(|(fingerprint, pid, _)| fingerprint.map_or_else(failed, |fingerprint| observed(fingerprint, *pid)))
            .collect();
        let places: Vec<usize> = said.iter().map(|said| said.2).collect();
        answers_are_those_of_one_node(&parents, &places, &Operation::Observe(Context::default()), &answers, &order)?;
    }

    #[test]
    fn events_of_a_rank_arrive_whole_and_in_order_through_any_tree(
        parents in indices(64, 0..12),
        said in proptest::collection::vec((0u32..8, 0u8..4, 0u64..2, 0u64..2), 0..60),
        places in indices(64, 8..9),
        order in indices(1000, 1..200),
    ) {
        let mut tree = Tree::new(&parents, &places);
        let said: Vec<(ProcessSet, Event)> = said
            .into_iter()
            .map(|(rank, kind, place, address)| (ProcessSet::one(Rank(rank)), event(kind, place, address)))
            .collect();
        for (ranks, event) in said.clone() {
            let node = tree.place_of(ranks.first().unwrap());
            tree.from_engine[node].push_back(Spoken { tid: TID, ranks, event }.into_reply());
        }
        tree.arrive(&order);
        let heard: Vec<(ProcessSet, Event)> = std::mem::take(&mut tree.outside)
            .into_iter()
            .map(|reply| match reply {
                Reply::Event { ranks, event, .. } => (ranks, event),
                other => panic!("{other:?}"),
            })
            .collect();
        for rank in (0..8).map(Rank) {
            prop_assert_eq!(heard_of(rank, heard.iter().cloned()), heard_of(rank, said.iter().cloned()));
        }
    }
}
