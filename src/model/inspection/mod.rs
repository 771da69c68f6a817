//! What is asked of a stopped rank, and found: measured arrays, memory, instructions, types, definitions.

mod array_numbers;
mod array_sums;
mod array_view;
mod data_part;
mod distinct_sketch;
mod examination;
mod inquiry;
mod instruction;
mod memory_page;
mod memory_search;
mod moments;
mod power_histogram;
mod rank_cells;
mod rank_picture;
mod symbol_list;
mod type_detail;
mod value_summary;

pub use array_numbers::{
    ArrayFindings, ArrayStatistics, Double, ElementIndex, Extreme, FiniteNumbers, Relation, ScanCondition,
};
pub use array_sums::{FindingsSum, RankExtreme, RankFindings, StatisticsSum};
pub use array_view::{
    ArrayExtent, ArrayFinding, ArrayLook, ArrayMatch, ArrayPage, ArrayPart, ArrayPicture, ArraySection, ArrayShape,
    Axes, Pixel, Reduction, Span,
};
pub use data_part::{
    DataPart, DataShape, DataSource, ElementForm, ElementOrder, FloatFormat, NumberGrid, NumberKind, RecordField,
};
pub use distinct_sketch::DistinctSketch;
pub use examination::{Examination, TextSpan, texts};
pub use inquiry::Inquiry;
pub use instruction::{CodeEnd, DisassemblyFlavor, Instruction};
pub use memory_page::{MemoryGap, MemoryPage, literal_address};
pub use memory_search::{ByteMatch, BytesFound, MemorySearch};
pub use moments::Moments;
pub use power_histogram::PowerHistogram;
pub use rank_cells::RankCells;
pub use rank_picture::{CellNumbers, PictureAnswer, RankPicture};
pub use symbol_list::{ListedSymbol, PathPart, SymbolGroup, SymbolKind, SymbolList, SymbolQuery, UndescribedSymbol};
pub use type_detail::{LAYOUT_HEADING, TypeDetail, TypePart};
pub use value_summary::{FiniteSummary, RankValue, ValueSummary};
