//! The first page of an array, as a table and as JSON.

use super::words::{cell, dimensions, section_words};
use crate::report::json_object::{Object, number};
use crate::report::text_words::of;
use model::aif::{FormatOptions, Number};
use model::{ArrayFinding, ArrayPart, ArraySection, ProcessSet, Span};
use serde_json::value::RawValue;

/// The rows of the first page.
const ROWS: u64 = 20;
/// Its columns.
const COLUMNS: u64 = 10;

/// The section of the first page.
pub(crate) fn first_page() -> ArraySection {
    let span = |count| Span { from: 0, count };
    ArraySection { axes: None, at: Vec::new(), rows: span(ROWS), columns: span(COLUMNS) }
}

/// The first page of an array that ranks share.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstPage {
    /// The ranks that share it.
    pub ranks: ProcessSet,
    /// The array.
    pub expression: String,
    /// The page.
    pub part: ArrayPart,
}

/// A rectangle of a page: the numbers of its elements, and the labels of rows and columns.
struct Table {
    rows: Vec<(String, Vec<(u64, u64)>)>,
    columns: Vec<String>,
}

fn table(part: &ArrayPart, section: &ArraySection) -> Table {
    let axes = section.axes.unwrap_or_default();
    let (rows, columns) = (section.rows, section.columns);
    let (along_rows, along_columns) = (part.shape.along(axes.rows), part.shape.along(axes.columns));
    let label = |subscript: i64| if part.shape.parentheses { subscript.to_string() } else { format!("[{subscript}]") };
    if axes.rows.is_some() {
        let row = |row: u64| {
            let elements = (columns.from..columns.end()).map(|column| (row, column)).collect();
            (label(along_rows.subscript(row)), elements)
        };
        return Table {
            rows: (rows.from..rows.end()).map(row).collect(),
            columns: (columns.from..columns.end()).map(|column| label(along_columns.subscript(column))).collect(),
        };
    }
    if axes.columns.is_none() {
        return Table { rows: vec![(String::new(), vec![(0, 0)])], columns: Vec::new() };
    }
    let starts = (columns.from..columns.end()).step_by(COLUMNS as usize);
    let row = |start: u64| {
        let elements = (start..columns.end().min(start + COLUMNS)).map(|column| (0, column)).collect();
        (label(along_columns.subscript(start)), elements)
    };
    let wide = columns.count.min(COLUMNS);
    Table { rows: starts.map(row).collect(), columns: (0..wide).map(|column| format!("+{column}")).collect() }
}

fn heading(expression: &str, part: &ArrayPart, section: &ArraySection) -> String {
    let shape = &part.shape;
    let mut words = format!("{expression}: {}", shape.element_type);
    let dimensions = dimensions(shape);
    if !dimensions.is_empty() {
        words.push_str(&format!(" {dimensions}"));
    }
    let axes = section.axes.unwrap_or_default();
    let others = section_words(shape, axes, &section.at);
    if !others.is_empty() {
        words.push_str(&format!(", section {others}"));
    }
    let shown = |axis: Option<u32>, span: Span, what: &str| {
        let all = shape.along(axis).count;
        (span.count < all).then(|| format!("{} of {all} {what}", span.count))
    };
    let is_plane = axes.rows.is_some();
    let parts = [
        shown(axes.rows, section.rows, "rows"),
        shown(axes.columns, section.columns, if is_plane { "columns" } else { "elements" }),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        words.push_str(&format!(", first {}", parts.join(" and ")));
    }
    words
}

/// Formats a page as a table.
pub(in crate::report) fn table_text(first: &FirstPage, how: &FormatOptions) -> Vec<String> {
    let FirstPage { ranks, expression, part } = first;
    let ArrayFinding::Page(page) = &part.finding else { return Vec::new() };
    let table = table(part, &page.section);
    let mut lines = vec![of(ranks, heading(expression, part, &page.section))];
    let text = |(row, column): &(u64, u64)| cell(page, *row, *column, how).map(|cell| cell.short).unwrap_or_default();
    let cells: Vec<Vec<String>> = table.rows.iter().map(|(_, elements)| elements.iter().map(text).collect()).collect();
    let first = table.rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let width = |column: usize| {
        let head = table.columns.get(column).map_or(0, |label| label.chars().count());
        cells.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).fold(head, usize::max)
    };
    let widths: Vec<usize> = (0..cells.first().map_or(0, Vec::len)).map(width).collect();
    let line = |label: &str, cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(text, width)| format!("  {text:>width$}"));
        format!("  {label:>first$}{}", cells.collect::<String>()).trim_end().to_owned()
    };
    if !table.columns.is_empty() && !cells.is_empty() {
        lines.push(line("", &table.columns));
    }
    lines.extend(table.rows.iter().zip(&cells).map(|((label, _), cells)| line(label, cells)));
    lines
}

/// Converts a page to JSON.
pub(in crate::report) fn table_json(first: &FirstPage) -> Object {
    let FirstPage { ranks, expression, part } = first;
    let object = Object::of_type("array").ranks(ranks).with("expression", expression);
    let shape = &part.shape;
    let counts: Vec<u64> = shape.extents.iter().map(|extent| extent.count).collect();
    let lower: Vec<i64> = shape.extents.iter().map(|extent| extent.lower).collect();
    let object = object.with("element_type", &shape.element_type).with("shape", counts).with("lower", lower);
    let ArrayFinding::Page(page) = &part.finding else { return object };
    let section = &page.section;
    let axes = section.axes.unwrap_or_default();
    let object = object.with("axes", [axes.rows, axes.columns]).with("at", &section.at);
    let span = |span: Span| Object::default().with("from", span.from).with("count", span.count);
    let object = object.with("rows", span(section.rows)).with("columns", span(section.columns));
    let how = FormatOptions::default();
    let value = |row: u64, column: u64| {
        let cell = cell(page, row, column, &how)?;
        let digits = match cell.number? {
            Number::Signed(value) => value.to_string(),
            Number::Unsigned(value) => value.to_string(),
            float @ Number::Float(..) => number(float.as_f64()).to_string(),
        };
        RawValue::from_string(digits).ok()
    };
    let row = |row: u64| (section.columns.from..section.columns.end()).map(|column| value(row, column)).collect();
    let values: Vec<Vec<Option<Box<RawValue>>>> = (section.rows.from..section.rows.end()).map(row).collect();
    object.with("values", values)
}
