//! Values that every layer uses, without I/O, async, wire or screen.
#![warn(unused_crate_dependencies)]

mod address;
mod breakpoints;
mod byte_parts;
mod context;
mod datum;
mod each_thread;
mod event;
mod failure;
mod frames;
mod inspection;
mod message_queues;
mod my_code;
mod names;
mod operation;
mod operation_needs;
mod printable;
mod process;
mod ranks;
mod raw_text;
mod settings;
mod states;

pub mod aif;

pub use crate::breakpoints::breakpoint::Breakpoint;
pub use crate::breakpoints::catch::{Catch, Caught, CaughtSignals};
pub use crate::breakpoints::float_exceptions::{FloatException, FloatExceptions, FloatPlace, FloatTrap};
pub use crate::breakpoints::location::{FunctionLine, LocationError, LocationSpec, QUALIFIED, file_and_function};
pub use crate::breakpoints::point::{Armed, Point, PointAction, Watch, WatchAccess};
pub use crate::breakpoints::request::{BreakpointId, BreakpointRequest, Site};
pub use crate::breakpoints::watched::{ValueAmongRanks, Watched};
pub use crate::frames::arguments::{
    ArgumentDetail, ArgumentValue, FrameArgument, FrameArguments, within_argument_limits,
};
pub use crate::frames::frame::{CodePlace, Frame, FramePlace, SourcePlace};
pub use crate::frames::merged_stacks::{MergedCall, MergedStacks, StackMerger};
pub use crate::frames::rank_threads::{NamedThread, RankThreads};
pub use crate::frames::thread_stacks::{ThreadStackList, ThreadStacks, ThreadsStack};
pub use crate::ranks::cartesian::CartesianGrid;
pub use crate::ranks::join_processes::join_processes;
pub use crate::ranks::observation::{Holder, Observation, ProcessName, SystemWait};
pub use crate::ranks::observed_ranks::{ObservationMerger, ObservedRanks};
pub use crate::ranks::process_set::{ProcessSet, Ranges};
pub use crate::ranks::rank::{Rank, ThreadId, TransactionId};
pub use crate::ranks::set_text::SetTextError;
pub use crate::ranks::tally::Tally;
pub use crate::ranks::team_wait::{Awaited, TeamCall, TeamThread, TeamWait};
pub use crate::settings::engine_name::EngineName;
pub use crate::settings::launch::{LaunchSpec, StartChanges, StopAt, beneath};
pub use crate::settings::print_options::{PrintChanges, PrintOptions, PrintSwitch, PrintSwitches};
pub use crate::settings::printers::enabled::{LIBRARY_PRINTERS, PrinterChoice};
pub use crate::settings::printers::file::LONGEST_PRINTER_FILE;
pub use crate::settings::printers::name::PrinterName;
pub use crate::settings::printers::rule::{
    PrinterBody, PrinterChildren, PrinterHint, PrinterMember, PrinterRule, PrinterSource, PrinterWalk, Printers,
};
pub use crate::settings::printers::shipped::shipped_printers;
pub use crate::settings::run_settings::{LibraryEvents, LibraryGlobs, LibraryMode, LibraryPolicy, RunSettings};
pub use crate::settings::scheduling::{Follow, Locking};
pub use crate::settings::skips::{Skip, Skipped, SkippedFiles, Skips};
pub use crate::settings::source_rules::{
    COMPILATION_DIRECTORY, SourceRules, Substitution, WORKING_DIRECTORY, directory_word,
};
pub use crate::settings::standard_input::{InputOption, InputSource, StandardInput};
pub use crate::states::cause::{Cause, CauseKind};
pub use crate::states::returned::Returned;
pub use crate::states::signal::{Disposition, SIGNALS, SignalInfo, SignalName, SignalTable};
pub use crate::states::state::{ProcessState, Stop, StopReason};
pub use crate::states::step_kind::StepKind;
pub use crate::states::termination::Termination;
pub use address::{FileAddress, LoadBias, VirtualAddress};
pub use context::Context;
pub use datum::{Datum, Variable, VariableValue};
pub use each_thread::ThreadAnswers;
pub use event::{
    Answer, Event, Library, RegisterValue, Severity, SourceOrigin, Stream, ThreadInfo, ThreadsAnswer, Trace,
};
pub use failure::{ErrorCode, Failure};
pub use inspection::{
    ArrayExtent, ArrayFinding, ArrayFindings, ArrayLook, ArrayMatch, ArrayPage, ArrayPart, ArrayPicture, ArraySection,
    ArrayShape, ArrayStatistics, Axes, ByteMatch, BytesFound, CellNumbers, CodeEnd, DataPart, DataShape, DataSource,
    DisassemblyFlavor, DistinctSketch, Double, ElementForm, ElementIndex, ElementOrder, Examination, Extreme,
    FindingsSum, FiniteNumbers, FiniteSummary, FloatFormat, Inquiry, Instruction, LAYOUT_HEADING, ListedSymbol,
    MemoryGap, MemoryPage, MemorySearch, Moments, NumberGrid, NumberKind, PathPart, PictureAnswer, Pixel,
    PowerHistogram, RankCells, RankExtreme, RankFindings, RankPicture, RankValue, RecordField, Reduction, Relation,
    ScanCondition, Span, StatisticsSum, SymbolGroup, SymbolKind, SymbolList, SymbolQuery, TextSpan, TypeDetail,
    TypePart, UndescribedSymbol, ValueSummary, literal_address, texts,
};
pub use message_queues::{CommunicatorQueues, MessageQueues, OperationStatus, PendingOperation, QueueKind, RankRuns};
pub use my_code::{FoldedFrames, MyCode, USER_FRAME_SEARCH, UserFrame, called_name};
pub use names::glob::{glob_matches, glob_matches_bytes};
pub use names::nearest::{DID_YOU_MEAN, did_you_mean, nearest, nearest_of_few};
pub use names::regular_expression::{RegularExpression, RegularExpressionError};
pub use operation::Operation;
pub use printable::{printable, printable_json, printable_lines};
pub use process::system_calls::caught_call::CaughtCall;
pub use process::system_calls::choice::CallChoice;
pub use process::system_calls::system_call::{ArgumentKind, CallGroup, SystemCall};
pub use process::{
    AUXILIARY_TYPES, AuxiliaryEntry, AuxiliaryForm, CoreFile, CorePlace, MappedRange, ProcessFacts, ProcessPart,
    ResourceLimit,
};
pub use raw_text::{raw_text, raw_word};
