//! `report` runs commands of its own, and has what they report written.

use super::*;
use crate::core::Effect;
use crate::triage::JobReport;

impl Head {
    /// Answers each request of the running command, those for threads with one thread and the others with a failure,
    /// until it has its report written; returns the command, the directory and the report.
    fn reported(&mut self) -> (crate::CommandId, String, JobReport) {
        for _ in 0..100 {
            if let Some(Effect::WriteReport(id, directory, report)) = self.controller.take_effects().pop() {
                return (id, directory, *report);
            }
            for request in self.sent() {
                let Request::Ranks { tid, ranks, operation, .. } = request else { continue };
                let answer = match operation {
                    Operation::Threads => {
                        let (id, name) = (ThreadId(1), "ring".to_owned());
                        Answer::Threads(vec![model::ThreadInfo { id, current: true, name, frame: None, user: None }])
                    }
                    Operation::Stack { .. } => Answer::Stack(vec![stop(12).frame]),
                    Operation::Locals(_) => {
                        let value = VariableValue::Known(datum(5));
                        Answer::Variables(vec![Variable { name: "n".into(), value }])
                    }
                    _ => Answer::Failed(model::Failure::new(model::ErrorCode::DEBUGGER, "not supported")),
                };
                self.answer(tid, &ranks.to_string(), "", answer);
            }
        }
        panic!("no report is written");
    }
}

#[test]
fn a_report_is_what_its_commands_found() {
    let mut head = Head::stopped(true);
    head.execute("report out");
    let (id, directory, report) = head.reported();
    assert_eq!(directory, "out");
    assert_eq!(head.told(), Vec::<String>::new(), "its commands report nothing to the user");
    let data: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(data["groups"]["groups"][0]["line"], 12);
    assert_eq!(data["stacks"][0]["trees"][0]["root"]["function"], "kernel");
    assert_eq!(data["frames"][0]["frames"][0]["locals"][0]["value"], "5");
    assert_eq!(data["problems"][0]["message"], "not supported");
    head.controller.provide(id, Ok(String::new()));
    let told = head.told();
    assert_eq!(told[0], "report: requested by the user");
    assert_eq!(told[told.len() - 2..], ["wrote out/report.html and out/report.json", "done []"]);
}

#[test]
fn a_report_that_cannot_be_written_fails() {
    let mut head = Head::stopped(true);
    head.execute("report /proc/x");
    let (id, ..) = head.reported();
    head.controller.provide(id, Err("cannot write the report in /proc/x: no".into()));
    assert_eq!(head.told(), ["error: cannot write the report in /proc/x: no", "done [] failed"]);
}

#[test]
fn what_is_known_is_written_when_the_session_is_lost() {
    let mut head = Head::stopped(true);
    head.execute("report out");
    let (tid, ..) = head.asked();
    head.controller.receive(Reply::Missing { tid, ranks: set("0-3") });
    head.controller.disconnected("lost the session");
    let (id, _, report) = head.reported();
    assert!(report.text().iter().any(|line| line.contains("stopped: step")), "{:?}", report.text());
    head.controller.provide(id, Ok(String::new()));
    assert!(head.told().iter().any(|line| line.starts_with("wrote out/report.html")));
}

#[test]
fn a_report_without_a_directory_is_named_after_the_session() {
    let mut head = Head::stopped(true);
    head.execute("report");
    assert_eq!(head.reported().1, "rankscope-report-s");
}
