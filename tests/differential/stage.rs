//! A program taken from stop to stop, with the engine under test and the gdb that judges it.

use crate::compare::Stop;
use crate::judge::{Judge, Ran, Terminal};
use crate::printers::{add_printers, is_rust};
use crate::session::{Kind, Session};
use crate::tally::Tally;
use crate::walk::Subject;
use crate::witness::{Onlooker, Witness, images};
use rankscope::debuginfo::{LoadedImages, SymbolStore};
use rankscope::model::{Answer, Context, Event, LaunchSpec, Operation, Rank, StepKind};

/// The engine under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Native,
    Gdb,
}

/// Engine and judge on one stopped process.
pub struct Stage {
    pub judge: Judge,
    side: Side,
    rust: bool,
}

enum Side {
    /// The judge controls the process; the native engine inspects it.
    Native { images: LoadedImages, pid: i32 },
    /// The engine controls the process, and the judge is its gdb.
    Gdb(Box<Session>),
}

/// The way to the next stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Continue,
    Next,
    /// Step to the next line, into functions.
    Step,
}

impl Stage {
    /// Runs the program to `main` and sets temporary breakpoints further on.
    pub fn begin(subject: &Subject, engine: Engine, places: &[String]) -> Self {
        let plant = |judge: &mut Judge| {
            for place in places {
                judge.ask(&format!("-break-insert -t \"{place}\""));
            }
        };
        let rust = is_rust(&subject.program);
        match engine {
            Engine::Native => {
                let mut judge = Judge::new(&subject.program, &subject.arguments);
                if let Some(directory) = &subject.printers {
                    judge.use_printers_in(directory);
                }
                if rust {
                    add_printers(&mut judge);
                    judge.loses_frames = true;
                }
                plant(&mut judge);
                judge.ask("-break-insert -t main");
                assert!(matches!(judge.run("-exec-run"), Ran::Stopped), "{}: it does not stop at main", subject.name);
                let pid = judge.pid();
                let images = images(&SymbolStore::new(), &subject.program, pid);
                Self { judge, side: Side::Native { images, pid }, rust }
            }
            Engine::Gdb => {
                let mut session = Session::new(Kind::Gdb);
                // gdb steps over a line by instructions, which takes minutes for a loop on a busy machine.
                session.limits = 10;
                let (program, arguments) = (subject.program.display().to_string(), subject.arguments.clone());
                session.launch(LaunchSpec { program, arguments, ..LaunchSpec::default() }, 1);
                session.stop(0);
                let terminal = Terminal::new();
                let answer = session.ask(0, Operation::Engine(terminal.command()));
                assert!(matches!(answer, Answer::Text(_)), "{answer:?}");
                let mut judge = Judge::of_engine(terminal);
                plant(&mut judge);
                Self { judge, side: Side::Gdb(Box::new(session)), rust }
            }
        }
    }

    /// Compares at the current stop.
    pub fn compare(&mut self, tally: &mut Tally, place: String, globals: &[String]) {
        let judge = &mut self.judge;
        let mut onlooker;
        let witness: &mut dyn Witness = match &mut self.side {
            Side::Native { images, pid } => {
                onlooker = Onlooker::new(judge, images, *pid);
                onlooker.agree_on_inlined(0);
                &mut onlooker
            }
            Side::Gdb(session) => &mut **session,
        };
        let mut stop = Stop { judge, witness, tally, place, rust: self.rust, fortran: false, depth: None };
        stop.compare();
        stop.globals(globals);
    }

    pub fn go_on(&mut self, how: Move) -> Ran {
        match &mut self.side {
            Side::Native { .. } => self.judge.run(match how {
                Move::Continue => "-exec-continue",
                Move::Next => "-exec-next",
                Move::Step => "-exec-step",
            }),
            Side::Gdb(session) => {
                let operation = match how {
                    Move::Continue => Operation::Go,
                    Move::Next => Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() },
                    Move::Step => Operation::Step { kind: StepKind::Into, count: 1, context: Context::default() },
                };
                // Code without line information has no next line.
                if session.ask(0, operation) != Answer::Ok {
                    return Ran::Ended;
                }
                session.event(Rank(0), "a stop or an end", |event| match event {
                    Event::Stopped(_) => Some(Ran::Stopped),
                    Event::Exited(_) | Event::Killed(_) => Some(Ran::Ended),
                    _ => None,
                })
            }
        }
    }
}
