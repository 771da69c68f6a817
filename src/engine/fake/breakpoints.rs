//! Breakpoints of simulated ranks: the requests and their instructions.

use super::{
    code::{Program, address_of},
    evaluate::{At, Compiled, compile},
    machine::Machine,
};
use model::{
    BreakpointId, BreakpointRequest, ErrorCode, Failure, LocationSpec, ProcessSet, Rank, Site, SourcePlace,
    VirtualAddress, file_and_function,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

pub(super) struct Planted {
    pub(super) request: BreakpointRequest,
    pub(super) ranks: ProcessSet,
    pub(super) ops: Vec<u32>,
    /// The remaining ignore counts of ranks that have hit the breakpoint.
    ignored: HashMap<Rank, u64>,
    /// The compiled condition by instruction, since the meaning of names depends on the place.
    conditions: HashMap<u32, Result<Arc<Compiled>, Failure>>,
}

/// All breakpoints, with a fast check for each instruction.
#[derive(Default)]
pub(super) struct PlantedBreakpoints {
    planted: Vec<Planted>,
    /// True for each instruction with a breakpoint.
    traps: Vec<bool>,
}

pub(super) struct Arrival {
    pub(super) id: BreakpointId,
    /// The error in evaluating the condition.
    pub(super) note: Option<String>,
    pub(super) temporary: bool,
}

impl PlantedBreakpoints {
    pub(super) fn is_trap(&self, op: u32) -> bool {
        self.traps.get(op as usize).copied().unwrap_or(false)
    }

    fn refresh(&mut self) {
        self.planted.retain(|p| !p.ranks.is_empty());
        let places = || self.planted.iter().flat_map(|p| &p.ops);
        let mut traps = vec![false; places().max().map_or(0, |op| *op as usize + 1)];
        for op in places() {
            if let Some(trap) = traps.get_mut(*op as usize) {
                *trap = true;
            }
        }
        self.traps = traps;
    }

    /// Adds a breakpoint for some ranks, replacing theirs of the same number.
    pub(super) fn set(&mut self, request: BreakpointRequest, ranks: ProcessSet, ops: Vec<u32>) {
        for planted in self.planted.iter_mut().filter(|p| p.request.id == request.id) {
            planted.ranks.remove_all(&ranks);
        }
        let (ignored, conditions) = (HashMap::new(), HashMap::new());
        self.planted.push(Planted { request, ranks, ops, ignored, conditions });
        self.refresh();
    }

    /// Resolves all breakpoints again for a new program.
    pub(super) fn replant(&mut self, program: &Program) {
        for planted in &mut self.planted {
            let location = planted.request.point.place();
            planted.ops = location.and_then(|place| ops_of(program, place, None).ok()).unwrap_or_default();
            planted.conditions.clear();
        }
        self.refresh();
    }

    /// Returns those of the ranks that have a breakpoint of this number.
    pub(super) fn having(&self, id: BreakpointId, ranks: &ProcessSet) -> ProcessSet {
        let mine = self.planted.iter().filter(|p| p.request.id == id);
        mine.fold(ProcessSet::new(), |all, p| all.union(&p.ranks)).intersection(ranks)
    }

    pub(super) fn delete(&mut self, id: BreakpointId, ranks: &ProcessSet) {
        for planted in self.planted.iter_mut().filter(|p| p.request.id == id) {
            planted.ranks.remove_all(ranks);
        }
        self.refresh();
    }

    /// Changes the request for some ranks only.
    pub(super) fn change(&mut self, id: BreakpointId, ranks: &ProcessSet, change: impl Fn(&mut BreakpointRequest)) {
        let mut changed = Vec::new();
        for planted in self.planted.iter_mut().filter(|p| p.request.id == id && p.ranks.meets(ranks)) {
            let mine = planted.ranks.intersection(ranks);
            let mut request = planted.request.clone();
            change(&mut request);
            let ignored =
                if request.ignore == planted.request.ignore { planted.ignored.clone() } else { HashMap::new() };
            planted.ranks.remove_all(&mine);
            let ops = planted.ops.clone();
            changed.push(Planted { request, ranks: mine, ops, ignored, conditions: HashMap::new() });
        }
        self.planted.extend(changed);
        self.refresh();
    }

    /// Sets the ignore count, and restarts it for these ranks.
    pub(super) fn set_ignore(&mut self, id: BreakpointId, ranks: &ProcessSet, count: u64) {
        self.change(id, ranks, |request| request.ignore = count);
        for planted in self.planted.iter_mut().filter(|p| p.request.id == id) {
            planted.ignored.retain(|rank, _| !ranks.contains(*rank));
        }
    }

    /// Returns the breakpoints that stop a thread before its next instruction. Adds the other hits to `counted`.
    pub(super) fn arrive(
        &mut self,
        machine: &mut Machine,
        program: &Program,
        at: At,
        counted: &mut BTreeMap<BreakpointId, u64>,
    ) -> Vec<Arrival> {
        let rank = machine.rank;
        let thread = machine.threads.get(at.thread).map(|t| t.number + 1);
        let mut found = Vec::new();
        for planted in &mut self.planted {
            let request = &planted.request;
            let other_thread = request.thread.is_some_and(|wanted| Some(wanted.0) != thread);
            if !request.enabled || other_thread || !planted.ops.contains(&at.op) || !planted.ranks.contains(rank) {
                continue;
            }
            let mut note = None;
            if let Some(condition) = &request.condition {
                let compiled = planted.conditions.entry(at.op);
                let compiled = compiled.or_insert_with(|| compile(program, Some(at.op), condition).map(Arc::new));
                match compiled.clone().and_then(|c| c.number(machine, program, at)) {
                    Ok(0) => continue,
                    Ok(_) => {}
                    Err(failure) => {
                        note = Some(format!("cannot evaluate the condition {condition:?}: {}", failure.message));
                    }
                }
            }
            // Most have nothing to ignore, in any rank.
            let ignored = (request.ignore > 0).then(|| planted.ignored.entry(rank).or_insert(request.ignore));
            if let Some(left) = ignored.filter(|left| **left > 0 && note.is_none()) {
                *left -= 1;
                *counted.entry(request.id).or_default() += 1;
                continue;
            }
            found.push(Arrival { id: request.id, note, temporary: request.temporary });
        }
        for arrival in found.iter().filter(|a| a.temporary) {
            self.delete(arrival.id, &ProcessSet::one(rank));
        }
        found.sort_by_key(|arrival| arrival.id);
        // The first is the reason of the stop; the others are only counted.
        for arrival in found.iter().skip(1) {
            *counted.entry(arrival.id).or_default() += 1;
        }
        found
    }
}

/// Returns the instructions of a location, empty for an unknown name. `address` is the value of an address expression.
pub(super) fn ops_of(program: &Program, location: &LocationSpec, address: Option<u64>) -> Result<Vec<u32>, Failure> {
    match location {
        LocationSpec::Function(name) => {
            let (file, function) = file_and_function(name);
            let is_here = file.is_none_or(|file| names_file(program, file));
            let found = program.function_named(&function).filter(|_| is_here);
            Ok(found.map(|function| function.body).into_iter().collect())
        }
        LocationSpec::Line(line) => Ok(program.ops_of_line(*line)),
        LocationSpec::FileLine { file, line } if names_file(program, file) => Ok(program.ops_of_line(*line)),
        LocationSpec::FileLine { .. } => Ok(Vec::new()),
        LocationSpec::Address(text) => {
            let number = || {
                let digits = text.trim().strip_prefix("0x")?;
                u64::from_str_radix(digits, 16).ok()
            };
            let Some(address) = address.or_else(number) else { return Ok(Vec::new()) };
            let op = program.op_at(address).ok_or_else(|| {
                Failure::new(ErrorCode::MEMORY, format!("cannot insert a breakpoint at {address:#x}: no code there"))
            })?;
            Ok(vec![op])
        }
    }
}

/// True if the name is the program's file, or the end of its path.
pub(super) fn names_file(program: &Program, file: &str) -> bool {
    *program.file == *file || program.file.ends_with(&format!("/{file}"))
}

/// Returns the source place of an instruction.
pub(super) fn source_of(program: &Program, op: u32) -> SourcePlace {
    SourcePlace { file: program.file.clone(), line: program.line(op) }
}

pub(super) fn site(program: &Program, op: u32, bias: u64) -> Site {
    Site {
        module: Some(program.path.clone()),
        offset: address_of(op),
        address: Some(VirtualAddress(address_of(op).wrapping_add(bias))),
        function: program.function_at(op).map(|f| f.name.clone()),
        source: Some(source_of(program, op)),
    }
}
