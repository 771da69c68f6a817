//! Reads data of simulated programs for files.

use super::ctype::CType;
use super::evaluate::At;
use super::inspect::Readings;
use super::slot::Slot;
use model::{
    Answer, DataPart, DataShape, DataSource, ElementForm, ElementOrder, ErrorCode, Failure, FloatFormat, NumberGrid,
    NumberKind, VirtualAddress,
};

impl Slot {
    /// Reads up to `length` bytes from byte `from` on. Arrays of these programs are those of C: packed, in rows.
    pub(super) fn data_part(
        &mut self,
        readings: [&mut Readings; 2],
        at: At,
        source: &DataSource,
        (from, length): (u64, u32),
    ) -> Result<Answer, Failure> {
        let [first, second] = readings;
        let program = self.program.clone();
        let (shape, start) = match source {
            DataSource::Memory { start, end } => {
                let start = self.address(first, at, start)?;
                let end = self.address(second, at, end)?;
                (DataShape::of_memory(VirtualAddress(start), VirtualAddress(end))?, Ok(start))
            }
            DataSource::Value(text) | DataSource::Contents(text) | DataSource::Numbers { expression: text, .. } => {
                let reading = first.get(self, Some(at.op), text)?;
                let (ty, place) = reading.place(&mut self.machine, &program, at)?;
                let grid = match source {
                    DataSource::Numbers { .. } => Some(grid(&ty)?),
                    _ => None,
                };
                (DataShape { size: u64::from(ty.size()), grid, address: None }, place)
            }
        };
        let count = shape.part(from, length);
        let bytes = match start {
            _ if count == 0 => Vec::new(),
            Ok(address) => self.machine.read(&program, address.wrapping_add(from), count)?.to_vec(),
            Err(bytes) => bytes.into_iter().skip(from as usize).take(count).collect(),
        };
        Ok(Answer::DataPart(Box::new(DataPart { shape, bytes })))
    }
}

fn grid(ty: &CType) -> Result<NumberGrid, Failure> {
    let mut counts = Vec::new();
    let mut element = ty.plain();
    while let CType::Array(of, count) = element {
        counts.push(u64::from(*count));
        element = of.plain();
    }
    let kind = match element {
        CType::Float(4) => NumberKind::Float(FloatFormat::Single),
        CType::Float(_) => NumberKind::Float(FloatFormat::Double),
        CType::Integer(_, true, _) => NumberKind::Signed,
        CType::Integer(..) | CType::Enumeration(_) => NumberKind::Unsigned,
        CType::Pointer(_) if !counts.is_empty() => NumberKind::Unsigned,
        CType::Pointer(_) => {
            let why = "This is a pointer: say how many elements it leads to, as in p[0]@100.";
            return Err(Failure::new(ErrorCode::DEBUGGER, why));
        }
        _ => return Err(Failure::new(ErrorCode::DEBUGGER, format!("{} is not a number.", element.spelling()))),
    };
    let element_form = ElementForm::Number(kind);
    Ok(NumberGrid { element: element_form, size: element.size(), counts, order: ElementOrder::Rows })
}
