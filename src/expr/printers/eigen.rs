//! Matrices, arrays and vectors of Eigen 3, which keep their numbers at equal distances: `Matrix`, `Array`, `Map` and
//! `Ref`.

use super::container::Container;
use super::printer_members::PrinterMembers;
use crate::eval::operand::integer_value;
use crate::types::{element_of, size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of};
use debuginfo::types::dimensions::without_natural;
use debuginfo::types::{Dimension, Kind, Type, TypeRef};
use model::VirtualAddress;
use model::aif::ChildStyle;
use std::sync::Arc;

/// The argument of a template for a size that is known only when the program runs.
const DYNAMIC: i64 = -1;
/// The bit of the options for rows that are stored one after another.
const BY_ROWS: i64 = 1;

/// The coefficients of a matrix.
pub(crate) struct Dense {
    template: &'static str,
    element: TypeRef,
    /// Of an element, in bytes.
    size: u64,
    first: u64,
    rows: u64,
    columns: u64,
    /// Bytes from a row to the next.
    down: i64,
    /// Bytes from a column to the next.
    across: i64,
    /// True if its type has one row or one column.
    is_vector: bool,
}

impl Dense {
    /// Returns the coefficients of a value; `None` for other types and layouts.
    pub(crate) fn of(members: &PrinterMembers<'_>, name: &str) -> Option<Self> {
        let view = ["Eigen::Map", "Eigen::Ref"]
            .into_iter()
            .find_map(|view| Some((view, template_arguments(name.strip_prefix(view)?.strip_prefix('<')?))));
        let (template, shape, stride, by) = if let Some((view, arguments)) = view {
            let [shape, _, stride] = arguments[..] else { return None };
            let shape = shape.strip_suffix(" const").or_else(|| shape.strip_prefix("const ")).unwrap_or(shape);
            (view, shape, Some(stride), ["m_rows", "m_cols"].map(|length| vec![length, "m_value"]))
        } else {
            let template = if name.starts_with("Eigen::Array<") { "Eigen::Array" } else { "Eigen::Matrix" };
            (template, name, None, ["m_rows", "m_cols"].map(|length| vec!["m_storage", length]))
        };
        let shape = shape.strip_prefix("Eigen::Matrix<").or_else(|| shape.strip_prefix("Eigen::Array<"))?;
        let numbers: Vec<&str> = template_arguments(shape).into_iter().skip(1).collect();
        let [rows, columns, options, ..] = numbers.iter().map_while(|word| word.parse().ok()).collect::<Vec<i64>>()[..]
        else {
            return None;
        };
        let length = |fixed: i64, path: &[&str]| match fixed {
            DYNAMIC => members.number(path),
            fixed => u64::try_from(fixed).ok(),
        };
        let [own_rows, own_columns] = &by;
        let data = if stride.is_some() {
            members.part(&["m_data"])?
        } else {
            members.part(&["m_storage", "m_data", "array"]).or_else(|| members.part(&["m_storage", "m_data"]))?
        };
        let (element, first) = match members.pointed(&data) {
            Some(element) => (element, members.word(&data)?),
            None => (element_of(&stripped(data.ty(), members.context).1, members.context)?.0, data.address()?.0),
        };
        let (rows, columns, is_vector) =
            (length(rows, own_rows)?, length(columns, own_columns)?, rows == 1 || columns == 1);
        let size = size_of(&element, members.context).filter(|size| *size > 0)?;
        rows.checked_mul(columns)?.checked_mul(size)?;
        let (own_inner, own_outer) = stride.map_or(Some((0, 0)), |stride| strides(stride, members))?;
        let by_rows = options & BY_ROWS != 0;
        let one = i64::try_from(size).ok()?;
        let inner = if own_inner == 0 { one } else { own_inner.checked_mul(one)? };
        let outer = match own_outer {
            0 => inner.checked_mul(if by_rows { columns } else { rows } as i64)?,
            outer => outer.checked_mul(one)?,
        };
        let (down, across) = match (is_vector, by_rows) {
            (true, _) => (inner, inner),
            (false, true) => (outer, inner),
            (false, false) => (inner, outer),
        };
        Some(Self { template, element, size, first, rows, columns, down, across, is_vector })
    }

    fn address(&self, row: u64, column: u64) -> u64 {
        let (down, across) = ((row as i64).wrapping_mul(self.down), (column as i64).wrapping_mul(self.across));
        self.first.wrapping_add_signed(down).wrapping_add_signed(across)
    }

    /// Returns the coefficients as an array of rows, or of the elements of a vector.
    pub(super) fn array(&self) -> Value {
        let dimension =
            |count: u64, stride: i64| Dimension { lower: 0, count: Some(count), assumed: false, stride: Some(stride) };
        let dimensions = if self.is_vector {
            vec![dimension(self.rows * self.columns, self.across)]
        } else {
            vec![dimension(self.rows, self.down), dimension(self.columns, self.across)]
        };
        let kind = Kind::Array { element: self.element.clone(), dimensions: without_natural(dimensions, self.size) };
        let ty = Type { name: None, size: Some(self.rows * self.columns * self.size), kind };
        PrinterMembers::placed(&TypeRef::Made(Arc::new(ty)), self.first)
    }

    /// Returns the contents as they are shown: rows, or the elements of a vector.
    pub(super) fn contents(&self, members: &PrinterMembers<'_>) -> Option<Container> {
        let most = members.most();
        if self.is_vector {
            let count = self.rows * self.columns;
            let title = format!("{} of {}", self.template, counted(count, "element"));
            let at = |number: u64| PrinterMembers::placed(&self.element, self.address(number, 0));
            let values = (0..count.min(most)).map(|number| (None, at(number))).collect();
            return Some(Container::Held { title, style: ChildStyle::Plain, values, more: count > most });
        }
        let (rows, columns) = (counted(self.rows, "row"), counted(self.columns, "column"));
        let title = format!("{} of {rows}, {columns}", self.template);
        // One more than is shown says that there are others.
        let shown = self.columns.min(most);
        let row = array_of(self.element.clone(), Some(self.size), Some(shown));
        let mut values = Vec::new();
        for number in 0..self.rows.min(most) {
            let bytes = self.row(number, shown, members)?;
            values.push((None, Value::known(row.clone(), bytes)));
        }
        Some(Container::Held { title, style: ChildStyle::Plain, values, more: self.rows > most })
    }

    /// Reads the first elements of a row.
    fn row(&self, row: u64, columns: u64, members: &PrinterMembers<'_>) -> Option<Vec<u8>> {
        let size = usize::try_from(self.size).ok()?;
        let mut bytes = vec![0; size.checked_mul(usize::try_from(columns).ok()?)?];
        if members.context.budget().is_some_and(|budget| budget.read(bytes.len() as u64).is_err()) {
            return None;
        }
        for (column, element) in (0..).zip(bytes.chunks_exact_mut(size)) {
            members.context.read(VirtualAddress(self.address(row, column)), element).ok()?;
        }
        Some(bytes)
    }

    /// Computes a method, most of which are inlined; as in the program, indices are not checked.
    pub(super) fn method(&self, name: &str, indices: &[i128]) -> Option<Value> {
        let at = |row: i128, column: i128| {
            Some(PrinterMembers::placed(&self.element, self.address(row as i64 as u64, column as i64 as u64)))
        };
        let count = |count: u64| Some(integer_value(i128::from(count), Builtin::Long));
        match (name, indices) {
            ("rows", []) => count(self.rows),
            ("cols", []) => count(self.columns),
            ("size", []) => count(self.rows * self.columns),
            ("operator()" | "coeff", [row, column]) => at(*row, *column),
            ("operator()" | "operator[]" | "coeff", [number]) if self.is_vector => {
                if self.columns == 1 {
                    at(*number, 0)
                } else {
                    at(0, *number)
                }
            }
            _ => None,
        }
    }
}

/// Returns the inner and the outer stride of a view, in elements: from a coefficient to the next, and from a row or column
/// to the next. 0 stands for those of a block without gaps.
fn strides(stride: &str, members: &PrinterMembers<'_>) -> Option<(i64, i64)> {
    let (template, arguments) = stride.strip_prefix("Eigen::")?.split_once('<')?;
    let numbers = template_arguments(arguments).into_iter().map(|word| word.parse().ok());
    let (inner, outer) = match (template, &numbers.collect::<Option<Vec<i64>>>()?[..]) {
        ("Stride", [outer, inner]) => (*inner, *outer),
        ("InnerStride", [inner]) => (*inner, 0),
        ("OuterStride", [outer]) => (0, *outer),
        _ => return None,
    };
    let known = |fixed: i64, member: &str| match fixed {
        DYNAMIC => Some(members.number(&["m_stride", member, "m_value"])? as i64),
        fixed => Some(fixed),
    };
    Some((known(inner, "m_inner")?, known(outer, "m_outer")?))
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the arguments of a template whose name ends in them, the bracket before them removed.
fn template_arguments(text: &str) -> Vec<&str> {
    let (mut arguments, mut depth, mut start) = (Vec::new(), 0_u32, 0);
    for (at, sign) in text.char_indices() {
        match sign {
            '<' | '(' => depth += 1,
            '>' | ')' if depth > 0 => depth -= 1,
            ',' | '>' if depth == 0 => {
                arguments.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
                if sign == '>' {
                    break;
                }
            }
            _ => {}
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::template_arguments;

    #[test]
    fn arguments_of_templates_are_taken_apart() {
        assert_eq!(template_arguments("double, -1,3, 0>"), ["double", "-1", "3", "0"]);
        let map = "Eigen::Matrix<std::complex<float>, 2, 2, 1, 2, 2>, 0, Eigen::Stride<0, 0> >";
        assert_eq!(
            template_arguments(map),
            ["Eigen::Matrix<std::complex<float>, 2, 2, 1, 2, 2>", "0", "Eigen::Stride<0, 0>"]
        );
        assert_eq!(template_arguments("(A<B>)1, int>::C>"), ["(A<B>)1", "int"]);
        for odd in ["", "<", ",,", "a<b", "\u{fc}"] {
            let _ = template_arguments(odd);
        }
    }
}
