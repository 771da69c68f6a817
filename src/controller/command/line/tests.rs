use super::*;
use crate::command::{
    BreakpointCommand, CodeForm, CodeRange, DataCommand, DebuggerCommand, Examined, Extent, Form, ListRange, Merged,
    PrintForm, RunCommand, SignalCommand, StackCommand, Stacks, VariableChoice, WaitFor, When,
};
use crate::sets::{SetExpr, parse_scope};
use model::aif::FormatLetter;
use model::{
    BreakpointId, Catch, CaughtSignals, CodeEnd, LocationSpec, PrintChanges, PrintSwitch, SignalName, StepKind,
    ThreadId, TypeDetail, TypePart, WatchAccess,
};
use proptest::prelude::*;

fn parse(line: &str) -> Result<Invocation, LineError> {
    parse_line(line, &BTreeMap::new())
}

fn command(line: &str) -> Command {
    parse(line).unwrap_or_else(|error| panic!("{line}: {error} at {}", error.position)).command
}

fn breaks(location: &str, condition: Option<&str>, ignore: u64) -> Command {
    Command::Breakpoints(BreakpointCommand::Break {
        location: Some(LocationSpec::parse(location).unwrap()),
        temporary: false,
        hardware: false,
        when: When { condition: condition.map(str::to_owned), ignore, thread: None },
    })
}

fn with_switches(letter: Option<FormatLetter>, switches: &[(PrintSwitch, bool)]) -> PrintForm {
    let mut changes = PrintChanges::default();
    switches.iter().for_each(|(switch, on)| changes.switch(*switch, *on));
    PrintForm { letter, changes }
}

fn in_hexadecimal(raw: bool) -> PrintForm {
    let raw: &[_] = if raw { &[(PrintSwitch::RawValues, true)] } else { &[] };
    with_switches(Some(FormatLetter::Hexadecimal), raw)
}

fn limited(elements: Option<u32>, repeats: Option<u32>, max_depth: Option<u32>) -> PrintForm {
    let mut form = PrintForm::default();
    (form.changes.elements, form.changes.repeats, form.changes.max_depth) = (elements, repeats, max_depth);
    form
}

fn print(form: PrintForm, expression: &str) -> Command {
    Command::Data(DataCommand::Print(form, expression.to_owned()))
}

fn examine(examined: Examined, address: Option<&str>) -> Command {
    Command::Data(DataCommand::Examine(examined, address.map(str::to_owned)))
}

fn stacks(stacks: Stacks) -> Command {
    Command::Stack(StackCommand::Where(stacks))
}

#[test]
fn the_word_of_a_condition_in_quotes_is_part_of_a_place() {
    assert_eq!(command("break 'a if b.c':3 if x > 1"), breaks("a if b.c:3", Some("x > 1"), 0));
    assert_eq!(command("break \"a.c\":'f(int)' if x == 'y' after 2"), breaks("a.c:f(int)", Some("x == 'y'"), 2));
    assert_eq!(command("break <impl S<'a>>::f if x"), breaks("<impl S<'a>>::f", Some("x"), 0));
    assert_eq!(parse("break 'a.c").unwrap_err().position, 6);
}

#[test]
fn options_of_print_are_abbreviated_and_take_a_state() {
    use PrintSwitch::{ArrayIndexes, Object, Pretty, Union};
    for (line, switches, expression) in [
        ("p -pretty n", &[(Pretty, true)][..], "n"),
        ("p -pre on -object off n", &[(Pretty, true), (Object, false)], "n"),
        ("p -p -u 0 -array-i -- n", &[(Pretty, true), (Union, false), (ArrayIndexes, true)], "n"),
        // Without a delimiter, a few letters and a last word are the expression.
        ("p -p", &[], "-p"),
        ("p -pretty on", &[(Pretty, true)], "on"),
        ("p -pretty -n", &[(Pretty, true)], "-n"),
        ("p -nothing", &[], "-nothing"),
    ] {
        assert_eq!(command(line), print(with_switches(None, switches), expression), "{line}");
    }
    assert_eq!(command("p -max-depth 0 n"), print(limited(None, None, Some(0)), "n"));
    assert_eq!(command("p -max -1 -elem 0 n"), print(limited(Some(u32::MAX), None, Some(u32::MAX)), "n"));
    let fault = |line| parse(line).unwrap_err().to_string();
    assert!(fault("p -vtbl -- n").contains("unknown option \"-vtbl\": print takes -elements, -max-depth, "));
    assert!(fault("p -array- x -- n").contains("expected on or off, not \"x\""));
    assert!(fault("p -a -- n").contains("\"-a\" is ambiguous: -address, -array, -array-indexes"));
    assert!(fault("p -max-depth x n").contains("expected a number or unlimited"));
}

#[test]
fn settings_for_printing_have_the_spellings_of_gdb() {
    for (line, name, value) in [
        ("set print pretty on", "print-pretty", "on"),
        ("set print pretty", "print-pretty", "on"),
        ("set p elem 0", "print-elements", "0"),
        ("set print array-indexes off", "print-array-indexes", "off"),
        ("set print array", "print-array", "on"),
        ("set print max-depth -1", "print-max-depth", "-1"),
        ("set print-union off", "print-union", "off"),
        ("set print-object", "print-object", "on"),
        ("set disassembly-flavor intel", "disassembly-flavor", "intel"),
    ] {
        let wanted = Command::Debugger(DebuggerCommand::Set(name.into(), value.into()));
        assert_eq!(command(line), wanted, "{line}");
    }
    for (line, name) in [
        ("show print", "print-"),
        ("show print pretty", "print-pretty"),
        ("show p sym", "print-symbol"),
        ("show print-pretty", "print-pretty"),
    ] {
        assert_eq!(command(line), Command::Debugger(DebuggerCommand::Show(Some(name.into()))), "{line}");
    }
    let both = CodeForm { bytes: true, lines: true };
    let whole = CodeRange::Function(None);
    assert_eq!(command("disassemble /rs"), Command::Data(DataCommand::Disassemble(both, whole)));
    let range = CodeRange::Addresses("f".into(), CodeEnd::Length("8".into()));
    let plain = CodeForm::default();
    assert_eq!(command("disassemble f,+8"), Command::Data(DataCommand::Disassemble(plain, range)));
    // `p` is a variable, too.
    assert_eq!(command("set p = 3"), Command::Data(DataCommand::Assign("p = 3".into())));
    assert!(parse("set print max-depth").unwrap_err().to_string().contains("expected a value for print max-depth"));
}

#[test]
fn names_are_found_by_alias_and_prefix() {
    for (line, wanted) in [
        ("print n # the size", print(PrintForm::default(), "n")),
        ("p/x n + 1", print(in_hexadecimal(false), "n + 1")),
        ("p/rx n", print(in_hexadecimal(true), "n")),
        ("p/xr n", print(in_hexadecimal(true), "n")),
        ("p /r n", print(with_switches(None, &[(PrintSwitch::RawValues, true)]), "n")),
        ("p -n", print(PrintForm::default(), "-n")),
        ("p -elements 3 -rep unlimited -- -n", print(limited(Some(3), Some(u32::MAX), None), "-n")),
        ("p -raw-values n", print(with_switches(None, &[(PrintSwitch::RawValues, true)]), "n")),
        ("dprint n", print(PrintForm::default(), "n")),
        ("print \"a # b\"", print(PrintForm::default(), "\"a # b\"")),
        ("c", Command::Running(RunCommand::Go { past: None, waits: true })),
        ("cont", Command::Running(RunCommand::Go { past: None, waits: true })),
        ("s 3", Command::Running(RunCommand::Step(StepKind::Into, 3))),
        ("dout", Command::Running(RunCommand::Step(StepKind::Finish, 1))),
        ("info break", Command::Breakpoints(BreakpointCommand::Breakpoints { ids: Vec::new(), watches: false })),
        ("i b 2", Command::Breakpoints(BreakpointCommand::Breakpoints { ids: vec![BreakpointId(2)], watches: false })),
        ("info locals", Command::Data(DataCommand::Locals(VariableChoice::default()))),
        ("bt -merge", stacks(Stacks { merged: Merged::OneThread, ..Stacks::default() })),
        ("where -all -merge", stacks(Stacks { merged: Merged::OneThread, all: true, ..Stacks::default() })),
        ("where -merge -threads", stacks(Stacks { merged: Merged::AllThreads, ..Stacks::default() })),
        ("where -threads -merge", stacks(Stacks { merged: Merged::AllThreads, ..Stacks::default() })),
        ("bt 3", stacks(Stacks { extent: Extent::Innermost(3), ..Stacks::default() })),
        ("where -limit 5", stacks(Stacks { extent: Extent::Innermost(5), ..Stacks::default() })),
        ("bt -3", stacks(Stacks { extent: Extent::Outermost(3), ..Stacks::default() })),
        ("bt full", stacks(Stacks { full: true, ..Stacks::default() })),
        ("where -full 2", stacks(Stacks { full: true, extent: Extent::Innermost(2), ..Stacks::default() })),
        ("print /x 255", print(in_hexadecimal(false), "255")),
        ("x", examine(Examined { count: None, unit: None, form: None, back: false }, None)),
        (
            "x /2i $pc",
            examine(Examined { count: Some(2), unit: None, form: Some(Form::Instructions), back: false }, Some("$pc")),
        ),
        (
            "delete 2-3 7",
            Command::Breakpoints(BreakpointCommand::Delete(vec![BreakpointId(2), BreakpointId(3), BreakpointId(7)])),
        ),
        ("d breakpoints", Command::Breakpoints(BreakpointCommand::Delete(Vec::new()))),
        ("list -", Command::Data(DataCommand::List(ListRange::Before))),
        ("list +", Command::Data(DataCommand::List(ListRange::Next))),
        ("list 50,+3", Command::Data(DataCommand::List(ListRange::Lines(50, 53)))),
        ("list 7,", Command::Data(DataCommand::List(ListRange::From(7)))),
        ("undisplay 2-4 7", Command::Data(DataCommand::Undisplay(vec![2, 3, 4, 7]))),
        ("list ,9", Command::Data(DataCommand::List(ListRange::To(9)))),
        ("set print elements 5", Command::Debugger(DebuggerCommand::Set("print-elements".into(), "5".into()))),
        ("set listsize 7", Command::Debugger(DebuggerCommand::Set("list-size".into(), "7".into()))),
        (
            "disassemble /s f",
            Command::Data(DataCommand::Disassemble(
                CodeForm { bytes: false, lines: true },
                CodeRange::Function(Some(LocationSpec::Function("f".into()))),
            )),
        ),
        ("signal 0", Command::Signals(SignalCommand::Signal(None))),
        ("signal usr1", Command::Signals(SignalCommand::Signal(Some(SignalName("SIGUSR1".into()))))),
        ("wait", Command::Running(RunCommand::Wait(WaitFor::Stopped, None))),
        ("wait exited for 2.5", Command::Running(RunCommand::Wait(WaitFor::Exited, Some(2.5)))),
        ("set x = 3", Command::Data(DataCommand::Assign("x = 3".into()))),
        ("set var patience = 3", Command::Data(DataCommand::Assign("patience = 3".into()))),
        ("set patience 3", Command::Debugger(DebuggerCommand::Set("patience".into(), "3".into()))),
        ("x/4xw &a[0]", {
            let form = Some(Form::Values(FormatLetter::Hexadecimal));
            examine(Examined { count: Some(4), unit: Some(4), form, back: false }, Some("&a[0]"))
        }),
        (
            "disassemble kernel",
            Command::Data(DataCommand::Disassemble(
                CodeForm::default(),
                CodeRange::Function(Some(LocationSpec::Function("kernel".into()))),
            )),
        ),
        ("write &a[1] 0aFF", Command::Data(DataCommand::Write("&a[1]".into(), vec![0x0a, 0xff]))),
        (
            "handle USR1 nostop pass",
            Command::Signals(SignalCommand::Handle {
                names: vec![SignalName("SIGUSR1".into())],
                stop: Some(false),
                print: None,
                pass: Some(true),
            }),
        ),
        ("source \"my file\"", Command::Debugger(DebuggerCommand::Source(Some("my file".into())))),
        (
            "alias k = break kernel if",
            Command::Debugger(DebuggerCommand::Alias(Some(("k".into(), "break kernel if".into())))),
        ),
        ("   # nothing", Command::Nothing),
    ] {
        assert_eq!(command(line), wanted, "{line}");
    }
}

#[test]
fn places_conditions_and_counts_of_breakpoints_are_told_apart() {
    for (line, wanted) in [
        ("b ring.c:12", breaks("ring.c:12", None, 0)),
        ("break kernel if i > 3 && after after 7", breaks("kernel", Some("i > 3 && after"), 7)),
        ("break kernel after 2", breaks("kernel", None, 2)),
        ("watch a[i] + 1 thread 2 if a[i] > 3 after 4", {
            let when = When { condition: Some("a[i] > 3".into()), ignore: 4, thread: Some(ThreadId(2)) };
            Command::Breakpoints(BreakpointCommand::Watch {
                access: WatchAccess::Change,
                expression: "a[i] + 1".into(),
                when,
            })
        }),
        ("awatch x", {
            Command::Breakpoints(BreakpointCommand::Watch {
                access: WatchAccess::Any,
                expression: "x".into(),
                when: When::default(),
            })
        }),
        ("catch signal SIGUSR1 if n > 2", {
            let when = When { condition: Some("n > 2".into()), ..When::default() };
            let event = Catch::Signal(CaughtSignals::These(vec![SignalName("SIGUSR1".into())]));
            Command::Breakpoints(BreakpointCommand::Catch { event, temporary: false, when })
        }),
        ("tcatch rethrow", {
            let event = Catch::Rethrow;
            Command::Breakpoints(BreakpointCommand::Catch { event, temporary: true, when: When::default() })
        }),
        ("trace ring.c:12, f(a, b), c[1] after 3", {
            let location = Some(LocationSpec::parse("ring.c:12").unwrap());
            let when = When { ignore: 3, ..When::default() };
            Command::Breakpoints(BreakpointCommand::Trace {
                location,
                expressions: vec!["f(a, b)".into(), "c[1]".into()],
                when,
            })
        }),
        ("delete 1 3", Command::Breakpoints(BreakpointCommand::Delete(vec![BreakpointId(1), BreakpointId(3)]))),
        (
            "condition 1 x == 2",
            Command::Breakpoints(BreakpointCommand::Condition(BreakpointId(1), Some("x == 2".into()))),
        ),
        ("condition 1", Command::Breakpoints(BreakpointCommand::Condition(BreakpointId(1), None))),
        ("ignore 1 4", Command::Breakpoints(BreakpointCommand::After(BreakpointId(1), 4))),
    ] {
        assert_eq!(command(line), wanted, "{line}");
    }
}

#[test]
fn a_set_may_stand_in_front() {
    let invocation = parse("[0-3,9.2] print x[1]").unwrap();
    assert_eq!(invocation.scope, Some(parse_scope("0-3,9.2").unwrap()));
    assert_eq!(invocation.arguments_at, 16);
    assert_eq!(parse("[stopped]go").unwrap().scope.unwrap().set, SetExpr::Stopped);
}

#[test]
fn faults_name_their_place() {
    for (line, position, message) in [
        ("prnt x", 0, "did you mean \"print\""),
        ("[0-3,] print x", 5, "unexpected ']'"),
        ("[0-3 print x", 5, "expected \"]\""),
        ("  [0]", 5, "expected a command"),
        ("break ring.c:0", 13, "a line number"),
        ("delete one", 7, "a breakpoint number"),
        ("catch fire", 6, "signal, load, unload, syscall or fpe, not"),
        ("trace kernel", 12, "expected an expression"),
        ("watch", 5, "expected an expression"),
        ("step many", 5, "a number"),
        ("go now", 3, "expected a number of hits"),
        ("halt now", 5, "unexpected argument"),
        ("go/x", 2, "go does not take a format"),
        ("print/q x", 6, "unknown format 'q'"),
        ("print/i x", 6, "x/i or disassemble"),
        ("handle SIGNONE stop", 7, "unknown signal"),
        ("handle SIGUSR1 halt", 15, "stop, nostop"),
        ("focus 0-", 8, "expected a rank set"),
        ("wait for soon", 9, "seconds"),
        ("source \"open", 7, "closing quote"),
        ("write &x 0a1", 9, "pairs of hexadecimal digits"),
        ("set x", 4, "unknown setting"),
        ("set print foo", 10, "unknown setting for printing \"foo\"; expected address, array, array-indexes, elements"),
        ("set p s on", 6, "\"s\" is ambiguous: static-members, symbol"),
        ("set print", 9, "expected a setting for printing: address"),
        ("un", 0, "\"un\" is ambiguous: ungroup, until, unhold, undisplay, unset"),
        ("?", 0, "expected a command"),
        ("print+", 5, "unexpected '+'"),
    ] {
        let error = parse(line).expect_err(line);
        assert!(error.message.contains(message), "{line}: {error}");
        assert_eq!(error.position, position, "{line}: {error}");
    }
    assert!(parse(&"x".repeat(LONGEST + 1)).is_err());
}

#[test]
fn aliases_of_the_user_stand_for_text() {
    let aliases: BTreeMap<String, String> = [("bk".to_owned(), "[0-1] break kernel if".to_owned())].into();
    let invocation = parse_line("bk x > 1", &aliases).unwrap();
    assert_eq!(invocation.command, breaks("kernel", Some("x > 1"), 0));
    assert_eq!(invocation.scope.unwrap().set.to_string(), "0-1");
    let chosen = parse_line("[3] bk x > 1", &aliases).unwrap();
    assert_eq!(chosen.scope.unwrap().set.to_string(), "3");
}

#[test]
fn an_expression_without_a_file_is_not_the_name_of_a_file() {
    for line in ["save u[0]@5", "save part->now", "save f(x)", "save p@3"] {
        let message = parse(line).unwrap_err().message;
        assert!(message.contains("expected a file after the expression"), "{line}: {message}");
    }
    assert!(parse("save @heat").is_ok() && parse("save setup.rankscope").is_ok() && parse("save").is_ok());
}

#[test]
fn settings_for_libraries_have_the_spellings_of_totalview() {
    for (line, name, value) in [
        ("set TV::dlopen_always_recalculate false", "dlopen_always_recalculate", "false"),
        ("dset TV::dlopen_recalculate_on_match \"liba*:libb.so\"", "dlopen_recalculate_on_match", "\"liba*:libb.so\""),
    ] {
        let wanted = Command::Debugger(DebuggerCommand::Set(name.into(), value.into()));
        assert_eq!(command(line), wanted, "{line}");
    }
    assert!(parse("set TV::patience 3").is_err());
    assert!(parse("show TV::dlopen_recalculate_on_match").is_ok());
}

#[test]
fn flags_of_ptype_say_what_is_left_out() {
    let part = |no_methods, no_typedefs, raw| TypeDetail::Part(TypePart { no_methods, no_typedefs, raw });
    for (line, wanted) in [
        ("ptype/m x", part(true, false, false)),
        ("ptype/mt x", part(true, true, false)),
        ("ptype/mMr x", part(false, false, true)),
        ("ptype/mM x", TypeDetail::Members),
        ("ptype/omt x", TypeDetail::Layout { hexadecimal: false }),
        ("whatis/m x", TypeDetail::Name),
        ("whatis/r x", TypeDetail::RawName),
    ] {
        assert_eq!(command(line), DataCommand::Ptype(wanted, "x".to_owned()).into(), "{line}");
    }
}

/// `=` alone does not make an assignment of a setting of gdb, and no option is taken for a negative number.
#[test]
fn settings_and_options_of_gdb_that_are_not_here_are_named() {
    let refused = |line: &str| parse(line).unwrap_err().message;
    assert_eq!(parse("set environment = 1").unwrap().command, DataCommand::Assign("environment = 1".to_owned()).into());
    assert!(refused("print -vtbl -- x").starts_with("unknown option \"-vtbl\""));
    assert!(parse("print -p").is_ok() && parse("print -elements 3 -- x").is_ok());
    assert!(parse("ptype/o x").is_ok() && refused("ptype/q x").contains("unknown flag 'q'"));
}

proptest! {
    /// Blanks before a line and a comment after it do not change its meaning; the place of an error moves with it.
    #[test]
    fn a_line_means_the_same_between_blanks_and_a_comment(
        line in "\\PC{0,40}",
        near in "(\\[0-3\\] )?[a-z]{1,6}(/[a-z0-9]{0,3})? [a-z0-9\"=*:(){},.-]{0,12}",
        real in prop::sample::select(&["print x[1]", "[0-3.2] step 3", "break a.c:1 if n > 2", "x/4xw &a", "wait for 2"][..]),
        cut in 0..24_usize,
    ) {
        let part = real.chars().take(cut).collect();
        for line in [line, near, real.to_owned(), part] {
            let line = without_comment(&line).to_owned();
            let quoted = without_comment(&format!("{line} #")).len() != line.len();
            match (parse(&line), parse(&format!("  {line}")), parse(&format!("{line} # comment"))) {
                (Ok(plain), Ok(moved), commented) => {
                    prop_assert_eq!((&plain.scope, &plain.command), (&moved.scope, &moved.command));
                    prop_assert!(plain.command == Command::Nothing || moved.arguments_at == plain.arguments_at + 2);
                    prop_assert!(plain.arguments_at <= line.chars().count());
                    if let Some(scope) = &plain.scope {
                        prop_assert_eq!(&parse_scope(&scope.to_string()).unwrap(), scope);
                    }
                    prop_assert!(quoted || commented == Ok(plain));
                }
                (Err(plain), Err(moved), commented) => {
                    prop_assert!(plain.position <= line.chars().count(), "{:?}: {:?}", line, plain);
                    prop_assert_eq!((plain.position + 2, &plain.message), (moved.position, &moved.message));
                    prop_assert!(quoted || commented == Err(plain));
                }
                (plain, moved, _) => prop_assert!(false, "{:?}: {:?}, {:?}", line, plain, moved),
            }
        }
    }
}
