//! Source, locations, libraries.

use crate::{
    session::{CONTRACT, Kind, Session, all, line},
    support::marks,
};
use rankscope::model::{Answer, Context, ErrorCode, FunctionLine, LocationSpec, Operation};

contract!(locations_resolve_to_lines, source_text_comes_from_the_rank, libraries_name_the_program);

fn locations_resolve_to_lines(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let brace = line("leaf") - 1;
    for (text, of_function, wanted) in [
        ("leaf".to_owned(), FunctionLine::Body, line("leaf")),
        ("leaf".to_owned(), FunctionLine::Entry, brace),
        (format!("{CONTRACT}:leaf"), FunctionLine::Body, line("leaf")),
        (format!("{CONTRACT}:leaf"), FunctionLine::Entry, brace),
        (format!("{CONTRACT}:{}", line("sum")), FunctionLine::Body, line("sum")),
        (format!("{}", line("bottom")), FunctionLine::Entry, line("bottom")),
    ] {
        let location = LocationSpec::parse(&text).unwrap();
        let resolve = Operation::Resolve(location, Context::default(), of_function);
        let Answer::Places(places) = session.ask(0, resolve) else { panic!("{text}") };
        assert_eq!(places.iter().map(|place| place.line).collect::<Vec<_>>(), [wanted]);
        assert!(places[0].file.ends_with("/contract.c"));
    }
    let nowhere = LocationSpec::Function("nonesuch".to_owned());
    let resolve = Operation::Resolve(nowhere, Context::default(), FunctionLine::Entry);
    assert_eq!(session.fails(0, resolve).code, ErrorCode::NO_FUNCTION);
}

fn source_text_comes_from_the_rank(kind: Kind) {
    let mut session = Session::launched(kind, &[], 2);
    let file = session.stack(0)[0].source.as_ref().unwrap().file.to_string();
    let answers = session.ask_all(&all(2), Operation::Source(file.clone()));
    assert_eq!(answers.len(), 1, "equal texts are said once");
    let wanted = std::fs::read_to_string(marks::source(CONTRACT)).unwrap();
    let Answer::Source { file: named, text, .. } = &answers[0].1 else { panic!("{answers:?}") };
    assert_eq!((named, &**text), (&file, wanted.as_str()));
    assert_eq!(session.fails(0, Operation::Source("/nonexistent/none.c".to_owned())).code, ErrorCode::NO_SOURCE);
}

fn libraries_name_the_program(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let Answer::Libraries(libraries, _) = session.ask(0, Operation::Libraries) else { panic!() };
    let module = session.stack(0)[0].code.module.clone().unwrap();
    let program = libraries.iter().find(|library| library.path == *module);
    assert!(program.is_some_and(|library| library.debug_information), "{libraries:?}");
}
