//! Messages about how the program is started, and its input.

use super::*;
use model::StartChanges;

fn start_changes() -> impl Strategy<Value = StartChanges> {
    let arguments = proptest::option::of(proptest::collection::vec(".{0,9}", 0..4));
    let environment = proptest::collection::btree_map("[A-Z_]{1,4}", proptest::option::of(".{0,9}"), 0..4);
    (arguments, environment, proptest::option::of(".{0,9}")).prop_map(|(arguments, environment, directory)| {
        StartChanges { arguments, input: None, environment, directory, stop_at: None, randomise: None }
    })
}

proptest! {
    #[test]
    fn a_restart_with_changes_reads_back(changes in start_changes()) {
        let request = Request::Session { tid: TransactionId(2), command: SessionCommand::Restart(changes) };
        prop_assert_eq!(Request::from_packet(&request.to_packet()).unwrap(), request);
    }

    #[test]
    fn a_text_for_the_standard_input_reads_back(text in "\\PC{0,30}\n?", end in any::<bool>()) {
        let down = TreeDown::Request(ask(Operation::Send { text, end }));
        prop_assert_eq!(TreeDown::from_packet(&down.to_packet()).unwrap(), down);
    }
}
