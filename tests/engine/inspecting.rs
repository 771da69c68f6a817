//! Stacks, values, types, memory.

use crate::session::{Kind, Session, float_of, function_of, integer_of, known, line, line_of};
use rankscope::model::{Answer, Context, ErrorCode, Operation, ThreadId, VariableValue};

contract!(
    the_stack_has_every_call,
    a_part_of_the_stack,
    arguments_are_those_of_the_frame,
    locals_are_those_of_the_frame,
    locals_of_a_caller,
    globals_by_glob,
    integers_floats_and_arithmetic,
    members_elements_and_targets,
    assignment_changes_the_program,
    texts_and_enumerations_have_their_kinds,
    names_that_are_not_there,
    faulty_expressions_say_where,
    memory_that_is_not_there,
    types_are_spelled_as_gdb_spells_them,
    memory_is_read_and_written,
    registers_by_name_and_all,
    threads_of_a_stopped_rank,
    frames_and_threads_that_are_not_there,
);

const HERE: Context = Context { thread: None, frame: 0 };

fn the_stack_has_every_call(kind: Kind) {
    let mut session = Session::at(kind, &[], "bottom");
    let frames = session.stack(0);
    let functions: Vec<_> = frames.iter().map(function_of).collect();
    assert_eq!(functions, ["recurse", "recurse", "recurse", "recurse", "work", "main"]);
    assert_eq!(frames.iter().map(|frame| frame.level).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!((line_of(&frames[0]), line_of(&frames[4])), (line("bottom"), line("recursion")));
    assert!(frames.iter().all(|frame| frame.code.module.is_some() && !frame.inlined));
    assert_eq!(session.ask(0, Operation::StackDepth(None)), Answer::Depth(6));
}

fn a_part_of_the_stack(kind: Kind) {
    let mut session = Session::at(kind, &[], "bottom");
    let whole = session.stack(0);
    for (low, high) in [(0, Some(0)), (1, Some(3)), (4, None), (2, Some(100))] {
        let part = session.ask(0, Operation::Stack { thread: None, low, high, most: None });
        let end = high.map_or(whole.len(), |high| whole.len().min(high as usize + 1));
        assert_eq!(part, Answer::Stack(whole[low as usize..end].to_vec()));
    }
    assert_eq!(
        session.ask(0, Operation::Stack { thread: None, low: 6, high: None, most: None }),
        Answer::Stack(Vec::new())
    );
}

fn arguments_are_those_of_the_frame(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let arguments = session.variables(Operation::Arguments(HERE));
    assert_eq!(arguments.iter().map(|v| v.name.as_str()).collect::<Vec<_>>(), ["c", "n"]);
    assert_eq!(integer_of(known(&arguments, "n")), 1);
    assert_eq!(known(&arguments, "c").type_name, "struct cell *");
}

fn locals_are_those_of_the_frame(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let locals = session.variables(Operation::Locals(HERE));
    // Inner blocks first; the block of the loop has ended.
    let names: Vec<_> = locals.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["inner", "total", "text", "copy", "squares"]);
    assert_eq!((integer_of(known(&locals, "inner")), integer_of(known(&locals, "total"))), (10, 0));
    assert_eq!(known(&locals, "squares").type_name, "int [5]");
    let squares = [0, 1, 4, 9, 16].iter().flat_map(|n: &i32| n.to_be_bytes()).collect::<Vec<_>>();
    assert_eq!(known(&locals, "squares").data, squares);
    assert_eq!(known(&locals, "copy").type_name, "struct cell");
}

fn locals_of_a_caller(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let context = Context { thread: None, frame: 1 };
    let locals = session.variables(Operation::Locals(context));
    assert_eq!((integer_of(known(&locals, "a")), integer_of(known(&locals, "b"))), (4, 6));
    let Answer::Data(a) = session.evaluate_at(0, 1, "a + b") else { panic!() };
    assert_eq!(integer_of(&a), 10);
    let arguments = session.variables(Operation::Arguments(Context { thread: None, frame: 2 }));
    assert_eq!(integer_of(known(&arguments, "argc")), 1);
}

fn globals_by_glob(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let globals = session.variables(Operation::Globals("count*".to_owned()));
    assert_eq!(globals.iter().map(|v| v.name.as_str()).collect::<Vec<_>>(), ["counter"]);
    assert!(matches!(globals[0].value, VariableValue::Known(_)));
    let shared = session.variables(Operation::Globals("shared".to_owned()));
    assert_eq!(known(&shared, "shared").type_name, "struct cell");
}

fn integers_floats_and_arithmetic(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    for (expression, value) in [
        ("n", 1),
        ("n + 2 * 3", 7),
        ("(n + 2) * -3", -9),
        ("17 / 5", 3),
        ("-17 % 5", -2),
        ("1 << 4 | 3", 19),
        ("n == 1 && rank == 0", 1),
        ("n != 1 || !n", 0),
        ("squares[2] > squares[1]", 1),
        ("sizeof(struct cell)", 24),
        ("(char)321", 65),
        ("size", 1),
        ("0x10 ^ 1", 17),
        ("~0", -1),
    ] {
        assert_eq!(session.integer(expression), value, "{expression}");
    }
    for (expression, value) in [("c->t", 2.5), ("table[1] * 2 + n", 4.0), ("table[2]", -2.0), ("1.0 / 4", 0.25)] {
        let float = float_of(&session.value(expression));
        assert!((float - value).abs() < 1e-12, "{expression}: {float}");
    }
    assert_eq!(session.value("n").type_name, "int");
    assert_eq!(session.value("n + 1.5").type_name, "double");
    assert_eq!(session.value("total + n").type_name, "long");
}

fn members_elements_and_targets(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    for (expression, value) in [
        ("copy.id", 7),
        ("c->id", 7),
        ("(*c).id", 7),
        ("(&copy)->id", 7),
        ("*&n", 1),
        ("*(squares + 3)", 9),
        ("squares[n + 1]", 4),
        ("c == &shared", 1),
        ("&squares[4] - &squares[1]", 3),
        ("c->name[0]", i64::from(b's')),
        ("text[4]", i64::from(b'o')),
        ("((struct cell *)c)->id", 7),
    ] {
        assert_eq!(session.integer(expression), value, "{expression}");
    }
    let cell = session.value("*c");
    assert_eq!((cell.type_name.as_str(), &cell.data), ("struct cell", &session.value("shared").data));
    assert!(cell.data.starts_with(&2.5f64.to_be_bytes()));
}

fn assignment_changes_the_program(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    assert_eq!(session.integer("n = 41"), 41);
    assert_eq!(session.integer("n"), 41);
    assert_eq!(session.integer("squares[1] = n + 1"), 42);
    assert_eq!(session.integer("squares[1]"), 42);
    assert!((float_of(&session.value("c->t = 0.125")) - 0.125).abs() < 1e-12);
    assert!((float_of(&session.value("shared.t")) - 0.125).abs() < 1e-12);
    assert_eq!(session.integer("c->id += 3"), 10);
    assert_eq!(session.integer("shared.id"), 10);
    let mut session = Session::at(kind, &[], "main return");
    session.integer("result = 0");
    assert_eq!(session.go_to_end(0), rankscope::model::Event::Exited(0));
}

fn texts_and_enumerations_have_their_kinds(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let text = session.value("text");
    assert_eq!((text.descriptor.as_str(), text.type_name.as_str()), ("pa8", "const char *"));
    assert!(text.data.ends_with(b"\0\x05hello"), "{text:?}");
    let mood = session.value("c->mood");
    assert_eq!((mood.descriptor.as_str(), &mood.data[..]), ("<mood|CALM=0,BUSY=5>iu4", &[0, 0, 0, 5][..]));
    assert_eq!(mood.type_name, "enum mood");
    assert_eq!(session.integer("c->mood == BUSY"), 1);
    let cell = session.value("copy");
    assert_eq!(cell.descriptor, "{cell|t=f8,id=is4,mood=<mood|CALM=0,BUSY=5>iu4,name=[r0,8is4]c;;;}");
    assert_eq!(session.value("squares").descriptor, "[r0,5is4]is4");
}

fn names_that_are_not_there(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    for expression in ["nonesuch", "n + nonesuch", "nonesuch.x", "inner2"] {
        let context = HERE;
        let failure = session.fails(0, Operation::Evaluate { context, expression: expression.to_owned() });
        assert_eq!(failure.code, ErrorCode::UNKNOWN_VARIABLE, "{expression}");
        assert!(failure.message.contains("nonesuch") || failure.message.contains("inner2"), "{failure:?}");
    }
    let expression = "c->nonesuch".to_owned();
    assert!(session.fails(0, Operation::Evaluate { context: HERE, expression }).message.contains("nonesuch"));
}

fn faulty_expressions_say_where(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    for (expression, position) in [("n +", 3), ("n + * ", 6), ("(n", 2), ("n ) 2", 2), ("n @@ 2", 2)] {
        let context = HERE;
        let failure = session.fails(0, Operation::Evaluate { context, expression: expression.to_owned() });
        let at = failure.position.unwrap_or_else(|| panic!("{expression}: {failure:?}"));
        assert!(at.abs_diff(position) <= 1, "{expression}: {failure:?}");
    }
}

fn memory_that_is_not_there(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    for expression in ["*(int *)0", "*(int *)16", "((struct cell *)0)->id", "*(long *)8 = 1"] {
        let context = HERE;
        let failure = session.fails(0, Operation::Evaluate { context, expression: expression.to_owned() });
        assert_eq!(failure.code, ErrorCode::MEMORY, "{expression}: {failure:?}");
        assert!(failure.message.contains("0x"), "{failure:?}");
    }
}

fn types_are_spelled_as_gdb_spells_them(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    for (expression, spelling) in [
        ("n", "int"),
        ("c", "struct cell *"),
        ("*c", "struct cell"),
        ("squares", "int [5]"),
        ("text", "const char *"),
        ("c->name", "char [8]"),
        ("&n", "int *"),
        ("table[0] + 1", "double"),
        ("c->mood", "enum mood"),
        ("struct cell", "struct cell"),
        ("unsigned long", "unsigned long"),
    ] {
        let operation =
            Operation::TypeOf { context: HERE, expression: expression.to_owned(), detail: model::TypeDetail::Name };
        assert_eq!(session.ask(0, operation), Answer::Type(spelling.to_owned()), "{expression}");
    }
    let operation =
        Operation::TypeOf { context: HERE, expression: "struct cell".to_owned(), detail: model::TypeDetail::Members };
    let expanded = "struct cell {\n    double t;\n    int id;\n    enum mood mood;\n    char name[8];\n}";
    assert_eq!(session.ask(0, operation), Answer::Type(expanded.to_owned()));
}

fn memory_is_read_and_written(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let read = |address: &str, offset, length| Operation::ReadMemory {
        context: HERE,
        address: address.to_owned(),
        offset,
        length,
        examined: None,
    };
    let Answer::Memory(_, bytes) = session.ask(0, read("squares", 4, 8)) else { panic!() };
    assert_eq!(bytes, [1, 0, 0, 0, 4, 0, 0, 0]);
    let Answer::Memory(at, bytes) = session.ask(0, read("&shared.id", 0, 4)) else { panic!() };
    assert_eq!((bytes, at.0 % 8), (vec![7, 0, 0, 0], 0));
    let data = 99i32.to_le_bytes().to_vec();
    let write = |address: &str, data: Vec<u8>| Operation::WriteMemory {
        context: HERE,
        address: address.to_owned(),
        offset: 0,
        data,
    };
    assert_eq!(session.ask(0, write("&shared.id", data)), Answer::Ok);
    assert_eq!(session.integer("c->id"), 99);
    assert_eq!(session.fails(0, read("0", 0, 4)).code, ErrorCode::MEMORY);
    assert_eq!(session.fails(0, write("16", vec![1])).code, ErrorCode::MEMORY);
    assert_eq!(session.fails(0, read("nonesuch", 0, 4)).code, ErrorCode::UNKNOWN_VARIABLE);
}

fn registers_by_name_and_all(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let Answer::Registers(all) = session.ask(0, Operation::Registers(HERE, Vec::new())) else { panic!() };
    assert!(["rip", "rsp", "rbp", "rax", "eflags"].iter().all(|name| all.iter().any(|r| r.name == *name)), "{all:?}");
    let names = vec!["rip".to_owned()];
    let Answer::Registers(one) = session.ask(0, Operation::Registers(HERE, names)) else { panic!() };
    assert_eq!(one.len(), 1);
    let counter = session.stack(0)[0].code.address.unwrap().0.to_be_bytes();
    assert!(one[0].value.data.windows(8).any(|window| window == counter), "{one:?}");
    session.fails(0, Operation::Registers(HERE, vec!["nonesuch".to_owned()]));
}

fn threads_of_a_stopped_rank(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    assert_eq!(threads.len(), 1);
    assert_eq!((threads[0].id, threads[0].current), (ThreadId(1), true));
    assert_eq!(threads[0].frame.as_ref().map(function_of), Some("inspect"));
}

fn frames_and_threads_that_are_not_there(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let frame = Context { thread: None, frame: 50 };
    session.fails(0, Operation::Locals(frame));
    session.fails(0, Operation::Evaluate { context: frame, expression: "n".to_owned() });
    session.fails(0, Operation::Stack { thread: Some(ThreadId(9)), low: 0, high: None, most: None });
    session.fails(0, Operation::Locals(Context { thread: Some(ThreadId(9)), frame: 0 }));
}
