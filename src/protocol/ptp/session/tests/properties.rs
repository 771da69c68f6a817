use super::*;
use crate::ptp::examples::commands;
use model::Rank;
use proptest::prelude::*;

fn answers() -> impl Strategy<Value = Answer> {
    prop_oneof![
        Just(Answer::Ok),
        any::<u32>().prop_map(Answer::Depth),
        Just(Answer::Failed(Failure::new(ErrorCode::RUNNING, "running"))),
        Just(Answer::Stack(vec![frame(1, 2)])),
        Just(Answer::Stack(vec![])),
        any::<u32>().prop_map(|id| Answer::Breakpoint(BreakpointId(id), vec![site(7)])),
        Just(Answer::Variables(vec![])),
        Just(Answer::Threads(vec![])),
        any::<(u64, Vec<u8>)>().prop_map(|(at, bytes)| Answer::Memory(VirtualAddress(at), bytes)),
        Just(Answer::Signals(SignalTable::default().rows().to_vec())),
        Just(Answer::Text("x".into())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// In any order of commands and answers, every rank asked is answered for exactly once, with the transaction of its
    /// command, as long as the answers cover the ranks.
    #[test]
    fn every_command_is_answered(which in proptest::collection::vec((0usize..33, answers()), 1..20)) {
        let mut bench = Bench::started();
        let all = commands();
        for (i, (which, answer)) in which.into_iter().enumerate() {
            let BaseCommand::Ranks(_, command) = &all[which].2 else { continue };
            let tid = 100 + i as u32;
            bench.said();
            bench.command(tid, "0-3", command.clone());
            while !bench.asked.is_empty() {
                bench.answer(answer.clone());
            }
            let mut answered = ProcessSet::new();
            let mut oks = 0;
            for text in bench.said() {
                let packet = decode(&text);
                prop_assert_eq!(packet.tid.0, tid);
                let BaseEvent::Ranks(set, event) = BaseEvent::parse(&packet, Era::Four).unwrap() else { continue };
                oks += usize::from(event == RankEvent::Ok);
                answered.extend_with(&set.ranks);
            }
            let silent = *command == RankCommand::Interrupt;
            prop_assert!(silent || answered == set("0-3"), "{command:?}: {answered:?}");
            prop_assert!(!silent || oks == 0);
        }
    }

    #[test]
    fn replies_out_of_the_blue_do_no_harm(tids: [u32; 4], answer in answers(), rank in 0u32..9) {
        let mut bench = Bench::started();
        let ranks = ProcessSet::one(Rank(rank));
        let [a, b, c, d] = tids.map(TransactionId);
        bench.master(Reply::Answer { tid: a, ranks: ranks.clone(), missing: set("7"), late: true, answer });
        bench.master(Reply::Missing { tid: b, ranks: ranks.clone() });
        bench.master(Reply::Event { tid: c, ranks: ranks.clone(), event: stop(StopReason::Start) });
        bench.master(Reply::Event { tid: d, ranks, event: Event::BreakpointGone(BreakpointId(1)) });
        bench.said();
        bench.command(9, "0-3", RankCommand::ListInfoThreads);
        let asked = bench.asked.iter().filter(|request| {
            matches!(request, Request::Ranks { operation: Operation::Threads, .. })
        });
        prop_assert!(asked.count() > 0);
    }
}
