//! The prompt that a key opens with a suggestion.

use super::*;

#[test]
fn a_suggested_expression_is_replaced_by_typing() {
    let mut driver = in_kernel(CLASSIC, 8);
    let line = |driver: &Driver| driver.text().lines().last().unwrap().trim_end().to_owned();
    driver.keys("4 g g p");
    assert_eq!(line(&driver), ":print c");
    driver.typed("n");
    assert_eq!(line(&driver), ":print n");
    driver.keys("esc p end").typed("->t");
    assert_eq!(line(&driver), ":print c->t");
    driver.keys("esc p right").typed("->t");
    assert_eq!(line(&driver), ":print c->t");
    driver.keys("esc p ctrl-u");
    assert_eq!(line(&driver), ":print");
    driver.keys("ctrl-u");
    assert_eq!(line(&driver), ":");
    driver.keys("esc w").typed("n * 2");
    assert_eq!(line(&driver), ":display n * 2");
    driver.keys("esc p");
    driver.app.paste("n + 1");
    assert_eq!(line(&driver), ":print n + 1");
    driver.keys("esc p enter");
    assert_eq!(driver.app.history.lines().last().map(String::as_str), Some("print c"));
}

#[test]
fn a_block_is_typed_line_by_line_and_executed_as_a_whole() {
    let mut driver = in_kernel(CLASSIC, 8);
    let line = |driver: &Driver| driver.text().lines().last().unwrap().trim_end().to_owned();
    driver.keys(":").typed("define greet").keys("enter");
    assert_eq!(line(&driver), ">");
    // Deleting in an empty line drops nothing.
    driver.keys("backspace").typed("echo hello\\n").keys("enter enter");
    assert_eq!(line(&driver), ">");
    driver.typed("end").keys("enter");
    assert!(!line(&driver).starts_with('>'), "{}", line(&driver));
    assert_eq!(driver.state().scripts.definitions["greet"].body.len(), 1);
    driver.keys(":").typed("greet").keys("enter");
    assert!(driver.text().contains("hello"), "{}", driver.text());
    driver.keys(":").typed("if 1").keys("enter").typed("define").keys("enter");
    assert!(driver.text().contains("expected the name of a command"), "{}", driver.text());
    driver.keys(":").typed("while 1").keys("enter esc");
    assert!(!line(&driver).starts_with('>'), "{}", line(&driver));
}
