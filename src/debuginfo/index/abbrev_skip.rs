//! Skips entries while the names of a unit are read, by a plan made once for each abbreviation: most entries are
//! skipped by adding a length, and of the others only the name is read.

use crate::dwarf::entry::Slice;
use crate::dwarf::named::Named;
use crate::dwarf::named::is_shared;
use crate::dwarf::named::sort_of;
use gimli::{Abbreviation, Abbreviations, AttributeSpecification, Reader, UnitHeader, UnitOffset};

/// A step that skips attributes.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A fixed number of bytes in total.
    Bytes(usize),
    /// A block with its length in front.
    Counted,
    /// A LEB128 number.
    Number,
    /// A string with a terminating zero.
    Text,
    Other(AttributeSpecification),
}

/// The role of an entry among the names of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Naming {
    pub(crate) sort: Named,
    /// True if the entry can be found by name; others may still reveal an origin in another unit.
    pub(crate) is_wanted: bool,
    /// True if the entry is an instance of another entry, or completes one.
    pub(crate) completes: bool,
    /// True if that other entry is in another unit.
    pub(crate) is_foreign: bool,
}

/// The reading plan for all entries of one abbreviation.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) naming: Option<Naming>,
    pub(crate) has_children: bool,
    /// True if the children are the body of a function.
    pub(crate) is_body: bool,
    /// The bytes before the offset of the sibling, if the children define no names.
    sibling: Option<usize>,
    all: Vec<Step>,
    before_name: Vec<Step>,
    name: Option<AttributeSpecification>,
    after_name: Vec<Step>,
}

/// The plans of a unit, each made on first use.
pub(crate) struct Plans<'a> {
    header: UnitHeader<Slice>,
    abbreviations: &'a Abbreviations,
    /// By code; compilers number codes from 1 without gaps.
    plans: Vec<Option<Box<Plan>>>,
    /// The plan of a code too large for the table.
    odd: Option<Box<Plan>>,
}

/// Larger codes are not in the table.
const MOST_CODES: u64 = 1 << 16;

/// Bytes of a sibling reference that is decoded here.
const SIBLING: usize = 4;

impl<'a> Plans<'a> {
    pub(crate) fn new(header: UnitHeader<Slice>, abbreviations: &'a Abbreviations) -> Self {
        Self { header, abbreviations, plans: Vec::new(), odd: None }
    }

    pub(crate) fn of(&mut self, code: u64) -> gimli::Result<&Plan> {
        let abbreviation = || self.abbreviations.get(code).ok_or(gimli::Error::InvalidAbbreviationCode(code));
        if code >= MOST_CODES {
            let plan = Plan::new(&self.header, abbreviation()?);
            return Ok(self.odd.insert(Box::new(plan)));
        }
        let index = code as usize;
        if self.plans.get(index).is_none_or(Option::is_none) {
            let plan = Plan::new(&self.header, abbreviation()?);
            if self.plans.len() <= index {
                self.plans.resize_with(index + 1, || None);
            }
            if let Some(place) = self.plans.get_mut(index) {
                *place = Some(Box::new(plan));
            }
        }
        let plan = self.plans.get(index).and_then(Option::as_deref);
        plan.ok_or(gimli::Error::InvalidAbbreviationCode(code))
    }
}

impl Plan {
    fn new(header: &UnitHeader<Slice>, abbreviation: &Abbreviation) -> Self {
        let has = |name| abbreviation.attributes().iter().any(|attribute| attribute.name() == name);
        let attributes = abbreviation.attributes();
        let at = attributes.iter().position(|attribute| attribute.name() == gimli::DW_AT_name);
        let (before, behind) = attributes.split_at(at.unwrap_or(attributes.len()));
        let name = behind.first().copied();
        let is_function = abbreviation.tag() == gimli::DW_TAG_subprogram;
        let is_body = is_function && abbreviation.has_children();
        let sibling = || {
            let at = attributes.iter().position(|attribute| attribute.name() == gimli::DW_AT_sibling)?;
            let (before, behind) = attributes.split_at(at);
            let is_plain = behind.first()?.form() == gimli::DW_FORM_ref4;
            let size = |attribute: &AttributeSpecification| attribute.size(header);
            before.iter().map(size).sum::<Option<usize>>().filter(|_| is_plain)
        };
        Self {
            naming: naming(abbreviation),
            has_children: abbreviation.has_children(),
            is_body,
            sibling: (is_body && has(gimli::DW_AT_declaration)).then(sibling).flatten(),
            all: steps(header, attributes),
            before_name: steps(header, before),
            name,
            after_name: steps(header, behind.get(1..).unwrap_or_default()),
        }
    }

    /// Returns the offset of the next entry that is not below this one, if it is given and nothing below matters.
    /// `input` is after the code, and is not advanced.
    pub(crate) fn sibling(&self, input: &Slice) -> Option<UnitOffset> {
        let at = self.sibling?;
        let bytes = input.slice().get(at..)?.first_chunk::<SIBLING>()?;
        Some(UnitOffset(u32::from_le_bytes(*bytes) as usize))
    }

    /// Advances to the name; `None` if there is none and the whole entry was skipped.
    pub(crate) fn to_name(
        &self,
        unit: &gimli::Unit<Slice>,
        input: &mut Slice,
    ) -> gimli::Result<Option<AttributeSpecification>> {
        pass(unit, input, &self.before_name)?;
        Ok(self.name)
    }

    /// Advances from the end of the name to the next entry.
    pub(crate) fn to_end(&self, unit: &gimli::Unit<Slice>, input: &mut Slice) -> gimli::Result<()> {
        pass(unit, input, &self.after_name)
    }

    pub(crate) fn pass(&self, unit: &gimli::Unit<Slice>, input: &mut Slice) -> gimli::Result<()> {
        pass(unit, input, &self.all)
    }
}

fn naming(abbreviation: &Abbreviation) -> Option<Naming> {
    let tag = abbreviation.tag();
    let sort = sort_of(tag)?;
    // Static members are variables; DWARF before version 5 gives them the tag of members, too.
    if tag == gimli::DW_TAG_member && !is_shared(abbreviation) {
        return None;
    }
    let mut naming = Naming { sort, is_wanted: false, completes: false, is_foreign: false };
    let (mut declaration, mut has_code, mut constant) = (false, false, false);
    for attribute in abbreviation.attributes() {
        match attribute.name() {
            gimli::DW_AT_declaration => declaration = true,
            gimli::DW_AT_const_value => constant = true,
            gimli::DW_AT_specification | gimli::DW_AT_abstract_origin => {
                naming.completes = true;
                naming.is_foreign |= matches!(attribute.form(), gimli::DW_FORM_ref_addr | gimli::DW_FORM_indirect);
            }
            gimli::DW_AT_low_pc | gimli::DW_AT_ranges | gimli::DW_AT_inline => has_code = true,
            _ => {}
        }
    }
    naming.is_wanted = match sort {
        Named::Function => has_code,
        // Some static members are only constants.
        Named::Variable => !declaration && tag != gimli::DW_TAG_member || constant,
        // A declared type is useful if there is no definition.
        Named::Type | Named::Enumerator => true,
    };
    Some(naming)
}

fn steps(header: &UnitHeader<Slice>, attributes: &[AttributeSpecification]) -> Vec<Step> {
    let mut steps = Vec::new();
    for attribute in attributes {
        let step = match (attribute.size(header), attribute.form()) {
            (Some(size), _) => Step::Bytes(size),
            (None, gimli::DW_FORM_exprloc | gimli::DW_FORM_block) => Step::Counted,
            (None, gimli::DW_FORM_udata | gimli::DW_FORM_sdata | gimli::DW_FORM_ref_udata) => Step::Number,
            (None, gimli::DW_FORM_string) => Step::Text,
            (None, _) => Step::Other(*attribute),
        };
        match (steps.last_mut(), step) {
            (Some(Step::Bytes(before)), Step::Bytes(more)) => *before += more,
            _ => steps.push(step),
        }
    }
    steps
}

fn pass(unit: &gimli::Unit<Slice>, input: &mut Slice, steps: &[Step]) -> gimli::Result<()> {
    for step in steps {
        match step {
            Step::Bytes(count) => input.skip(*count)?,
            Step::Counted => {
                let count = input.read_uleb128()?;
                input.skip(usize::try_from(count).map_err(|_| gimli::Error::UnsupportedOffset)?)?;
            }
            Step::Number => input.skip_leb128()?,
            Step::Text => drop(input.read_null_terminated_slice()?),
            Step::Other(specification) => drop(attribute(unit, input, *specification)?),
        }
    }
    Ok(())
}

/// Reads an attribute and advances past it.
pub(crate) fn attribute(
    unit: &gimli::Unit<Slice>,
    input: &mut Slice,
    specification: AttributeSpecification,
) -> gimli::Result<gimli::Attribute<Slice>> {
    let mut entries = gimli::EntriesRaw::new(*input, unit.encoding(), &unit.abbreviations, UnitOffset(0));
    let value = entries.read_attribute_inline(specification)?;
    input.skip(entries.next_offset().0)?;
    Ok(value)
}
