//! Names of functions, of libraries too, where the user means a variable or a function of the program.

use crate::support::batch::{Place, json};
use crate::support::build::build;
use crate::support::marks::line;

const FILE: &str = "function_names.c";

fn program() -> String {
    build("gcc", FILE, &["-g", "-O0", "-fno-builtin", "-lm"]).display().to_string()
}

#[test]
fn a_function_of_a_library_does_not_stand_for_a_variable_out_of_scope() {
    let (inside, outside) = (line(FILE, "in scope"), line(FILE, "out of scope"));
    let script = format!(
        "tbreak {FILE}:{inside}\ngo\nwait\n[{{round == 0}}] print round\n\
         tbreak {FILE}:{outside}\ngo\nwait\n[{{round > 2}}] print total\n[{{time > 2 || total > 2}}] print total\n\
         print round == 0\nset var total = round\nprint total\nprint round\nprint &round > 0\n\
         break inner if round > 2\nfocus {{!round}}\n"
    );
    let outcome = json(&["-n", "2", "--keep-going"], &[&program()], &script);
    let values = outcome.of("value");
    let shown: Vec<_> = values.iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect();
    let [first, total, function, address] = shown.as_slice() else { panic!("{shown:?}: {}", outcome.text) };
    assert_eq!((first.as_str(), total.as_str(), address.as_str()), ("0", "6", "1"));
    assert!(function.contains("round"), "{function}");
    let errors: Vec<_> =
        outcome.of("error").iter().map(|error| error["message"].as_str().unwrap().to_owned()).collect();
    let refused = |name: &str, library: &str| {
        format!("\"{name}\" is a function of {library}; no variable \"{name}\" in main (its address: &{name})")
    };
    let in_inner = refused("round", "libm.so.6").replace("in main", "in inner");
    let own = refused("round", "libm.so.6");
    let expected = [own.clone(), refused("time", "libc.so.6"), own.clone(), own.clone(), in_inner, own];
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.contains(&expected), "{error}\n{expected}");
    }
}

#[test]
fn a_breakpoint_on_a_function_of_several_files_names_them_and_how_to_choose_one() {
    let script = format!("break strfry\nbreak {FILE}:strfry\nbreak inner\n");
    let program = program();
    let arguments = ["run", "-n", "1", "--timeout", "80", "--batch", "-", &program];
    let outcome = Place::new().run(&arguments, &script);
    let own = line(FILE, "own");
    for words in [
        format!("breakpoint 1: strfry, 2 places in function_names and libc.so.6 (only one: break {FILE}:strfry)"),
        format!("strfry at {FILE}:{own}"),
        format!("breakpoint 2: {FILE}:strfry at {FILE}:{own}\n"),
        format!("breakpoint 3: inner at {FILE}:{}\n", line(FILE, "inner")),
    ] {
        assert!(outcome.text.contains(&words), "{words}: {}", outcome.text);
    }
}
