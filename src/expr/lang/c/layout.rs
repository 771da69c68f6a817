//! The places of members in a type, as gdb's `ptype/o` shows them: a comment before each member with its offset and
//! size, and lines for the holes between them.

use debuginfo::types::Member;
use std::fmt::Write as _;

/// The width of the comments.
const MARGIN: usize = 27;

/// The form in which places are shown, and the place of the type itself.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) hexadecimal: bool,
    /// Bits from the start of the outermost type.
    pub(crate) start: u64,
    /// False for an unnamed type that no member has as its own: one that is pointed to, or of elements.
    pub(crate) is_member: bool,
}

/// Writes the comments of one type's members, in order.
pub(crate) struct MemberPlaces {
    layout: Option<Layout>,
    is_union: bool,
    /// The bit after the last member; 0 before the first one.
    end: u64,
}

impl MemberPlaces {
    pub(crate) fn new(layout: Option<Layout>, is_union: bool) -> Self {
        Self { layout, is_union, end: 0 }
    }

    /// Returns what stands before a line without a comment.
    pub(crate) fn margin(&self) -> String {
        if self.layout.is_some() { " ".repeat(MARGIN) } else { String::new() }
    }

    /// Returns the line of the hole before a member, if there is one, and the comment of the member.
    pub(crate) fn before(&mut self, member: &Member, size: u64) -> String {
        let Some(layout) = self.layout else { return String::new() };
        if member.is_static {
            return self.margin();
        }
        if self.is_union {
            return if layout.hexadecimal {
                format!("/*{:>16}0x{size:04x} */", "")
            } else {
                format!("/* {size:>21} */")
            };
        }
        let start = member.bits.map_or_else(|| member.offset.saturating_mul(8), |(bit, _)| bit);
        let mut text = self.hole(start, "hole");
        let at = layout.start.saturating_add(start);
        let (byte, bit) = (at / 8, at % 8);
        let place = match (layout.hexadecimal, member.bits.is_some()) {
            (false, false) => format!("{byte:>6}     "),
            (false, true) => format!("{byte:>6}: {bit:<2} "),
            (true, false) => format!("0x{byte:04x}     "),
            (true, true) => format!("0x{byte:04x}: 0x{bit:x}"),
        };
        let size_text = if layout.hexadecimal { format!("0x{size:04x}") } else { format!("{size:>6}") };
        let _ = write!(text, "/* {place} |  {size_text} */");
        self.end = start.saturating_add(member.bits.map_or_else(|| size.saturating_mul(8), |(_, width)| width.into()));
        text
    }

    /// Returns the lines after the last member: the padding, and the size of the whole type.
    pub(crate) fn total(&self, size: u64, level: usize) -> String {
        if !self.layout.is_some_and(|layout| layout.is_member) {
            return String::new();
        }
        let padding = self.hole(size.saturating_mul(8), "padding");
        format!("{padding}\n{}/* total size (bytes): {size:>4} */\n", " ".repeat(MARGIN + 4 * level + 4))
    }

    /// Returns what stands before the closing brace.
    pub(crate) fn last_margin(&self, level: usize) -> String {
        let inner = if level == 0 && self.layout.is_some() { "  " } else { "" };
        format!("{}{inner}", self.margin())
    }

    fn hole(&self, to: u64, what: &str) -> String {
        // What lies before the first member belongs to a base class or to the table of virtual functions.
        if self.end == 0 || self.end >= to {
            return String::new();
        }
        let bits = to - self.end;
        let mut text = String::new();
        if !bits.is_multiple_of(8) {
            let _ = writeln!(text, "/* XXX {:>2}-bit {what:<7}    */", bits % 8);
        }
        if bits >= 8 {
            let _ = writeln!(text, "/* XXX {:>2}-byte {what:<7}   */", bits / 8);
        }
        text
    }
}
