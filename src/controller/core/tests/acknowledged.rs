//! Commands without a result say what they did to a user who typed them.

use super::*;
use crate::core::Effect;
use crate::saved::SavedSetup;

impl Head {
    /// Executes a line, carries out its effect and answers its request; returns the reports.
    fn typed(&mut self, line: &str) -> Vec<String> {
        self.execute(line);
        for effect in self.controller.take_effects() {
            let (Effect::Read(id, _) | Effect::Write(id, ..) | Effect::Log(id, _) | Effect::WriteReport(id, ..)) =
                effect
            else {
                panic!("an effect without a file");
            };
            self.controller.provide(id, Ok(String::new()));
        }
        for request in self.sent() {
            if let Request::Ranks { tid, ranks, .. } = request {
                self.answer(tid, &ranks.to_string(), "", Answer::Ok);
            }
        }
        self.told()
    }
}

#[test]
fn a_command_without_a_result_acknowledges_what_it_did_on_the_screen() {
    for (line, words) in [
        ("set patience 4", "patience is 4 s"),
        ("set call-limit 2", "call-limit is 2 s"),
        ("set list-size 20", "list-size is 20"),
        ("set print-elements unlimited", "print-elements is unlimited"),
        ("alias w = where", "alias w = where"),
        ("ungroup odd", "removed group odd"),
        ("log out.txt", "logging to out.txt"),
        ("log off", "logging is off"),
    ] {
        for batch in [false, true] {
            let mut head = Head::stopped(batch);
            head.typed("group odd = 1,3");
            let told = head.typed(line);
            let (done, said) = told.split_last().unwrap();
            assert!(done.starts_with("done"), "{line}: {told:?}");
            // Scripts parse the output.
            assert_eq!(said, if batch { vec![] } else { vec![words.to_owned()] }, "{line}");
        }
    }
}

#[test]
fn a_file_of_commands_acknowledges_nothing() {
    let mut head = Head::stopped(false);
    head.execute("source f");
    let Some(Effect::Read(id, _)) = head.controller.take_effects().pop() else { panic!("no file is read") };
    head.controller.provide(id, Ok("set patience 4\nalias w = where\n".to_owned()));
    let told = head.told();
    assert!(told.iter().all(|line| line.starts_with("done")), "{told:?}");
}

#[test]
fn only_a_file_that_was_written_is_said_to_be_saved() {
    for batch in [false, true] {
        let mut head = Head::stopped(batch);
        assert_eq!(head.typed("save f")[0], "breakpoints, groups and settings saved in f");
        head.execute("save f");
        let Some(Effect::Write(id, ..)) = head.controller.take_effects().pop() else { panic!("no file is written") };
        head.controller.provide(id, Err("cannot write f: disk full".to_owned()));
        assert_eq!(head.told(), ["error: cannot write f: disk full", "done [] failed"]);
    }
}

#[test]
fn the_setup_of_a_job_that_is_started_again_is_restored_once_at_its_first_stop() {
    for batch in [false, true] {
        let saved = SavedSetup { path: "/state/runs/ring.rankscope".into(), exists: true, restores: true };
        let settings = Settings { batch, saved: Some(saved), ..Settings::default() };
        let mut head = Head { controller: Controller::new(settings), clock: Clock::stopped(), waiting: Vec::new() };
        let event = SessionEvent::Session { session: "s".into(), size: 2, hosts: vec![("a".into(), set("0-1"))] };
        head.controller.receive(Reply::Session { tid: TransactionId(0), event });
        head.event("0", Event::Stopped(stop(12)));
        assert!(head.controller.take_effects().is_empty(), "rank 1 is still starting");
        head.event("1", Event::Stopped(stop(12)));
        let effects = head.controller.take_effects();
        let reads = matches!(effects.as_slice(), [Effect::Read(_, path)] if path == "/state/runs/ring.rankscope");
        assert_eq!(reads, !batch, "{effects:?}");
        head.event("0-1", Event::Stopped(stop(14)));
        assert!(head.controller.take_effects().is_empty());
    }
}
