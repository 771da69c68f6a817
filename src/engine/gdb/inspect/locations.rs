//! Resolves locations and source files with gdb.

use super::queries::Inspector;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::source_file::SourceSearch;
use crate::unreasonable_jump::unreasonable;
use model::{
    Answer, Context, ErrorCode, Failure, FunctionLine, LocationSpec, QUALIFIED, Site, SourcePlace, ThreadId,
    VirtualAddress, file_and_function,
};

/// Returns the words for a location in a gdb command. A bare line number refers to the given file.
pub(in crate::gdb) fn location_words(location: &LocationSpec, file: Option<&str>) -> Vec<String> {
    let option = |name: &str| name.to_owned();
    match location {
        LocationSpec::Function(name) => {
            // gdb takes the file of `FILE:FUNCTION` only apart.
            let (file, function) = file_and_function(name);
            let whole = function.strip_prefix(QUALIFIED);
            let qualified = whole.map_or_else(Vec::new, |_| vec![option("--qualified")]);
            let source = file.map_or_else(Vec::new, |file| vec![option("--source"), file.to_owned()]);
            [qualified, source, vec![option("--function"), whole.unwrap_or(&function).to_owned()]].concat()
        }
        LocationSpec::FileLine { file, line } => {
            vec![option("--source"), file.clone(), option("--line"), line.to_string()]
        }
        LocationSpec::Line(line) => match file {
            Some(file) => vec![option("--source"), file.to_owned(), option("--line"), line.to_string()],
            None => vec![line.to_string()],
        },
        LocationSpec::Address(expression) => vec![format!("*{expression}")],
    }
}

/// Reads the line in gdb's `Line 11 of "l.c" starts at address 0x5139 <add> and ends at 0x5143 <add+10>.`
fn line_in_words(words: &str) -> Option<u32> {
    words.strip_prefix("Line ")?.split_once(" of \"")?.0.parse().ok()
}

impl Inspector<'_> {
    /// Resolves a location by a disabled breakpoint, deleted at once: the sites are those where a stop would be.
    pub(super) fn sites_at(&mut self, location: &LocationSpec, context: Context) -> Result<Vec<Site>, GdbError> {
        let file = self.inferior.default_file(self.gdb, context)?;
        let command = Command::new("break-insert").word("-d");
        let words = location_words(location, file.as_deref());
        let answered = self.gdb.ask(&words.into_iter().fold(command, Command::word))?;
        let bkpt = answered.results.inside("bkpt").cloned().unwrap_or_default();
        let sites = self.inferior.modules().sites(&bkpt);
        if let Some(number) = bkpt.number("number") {
            self.gdb.ask(&Command::new("break-delete").word(number))?;
        }
        Ok(sites)
    }

    /// Returns the address at which a thread is to continue. The function is that of the frame, inlined ones included.
    /// (gdb asks for confirmation if the target is in another function, but only interactively.)
    pub(in crate::gdb) fn jump_target(
        &mut self,
        location: &LocationSpec,
        context: Context,
    ) -> Result<(ThreadId, u64), GdbError> {
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        let pc = self.inferior.frame_at(self.gdb, Context { thread: Some(thread), frame: 0 })?.code.address;
        let here = pc.map(|pc| self.gdb.function_around(pc)).transpose()?.flatten();
        let literal = matches!(location, LocationSpec::Address(_));
        let sites = self.sites_at(location, context)?;
        let all: Vec<VirtualAddress> = sites.iter().filter_map(|site| site.address).collect();
        let mut inside = Vec::new();
        for address in &all {
            if literal || here.is_some() && self.gdb.function_around(*address)? == here {
                inside.push(address.0);
            }
        }
        let [address] = inside[..] else {
            let all: Vec<u64> = all.iter().map(|address| address.0).collect();
            return Err(GdbError::Refused(unreasonable(location, here.as_deref(), &all, &inside)));
        };
        Ok((thread, address))
    }

    pub(super) fn resolve(
        &mut self,
        location: &LocationSpec,
        context: Context,
        line: FunctionLine,
    ) -> Result<Answer, GdbError> {
        let sites = self.sites_at(location, context)?;
        let mut places: Vec<SourcePlace> = sites.into_iter().filter_map(|site| site.source).collect();
        if let (LocationSpec::Function(_), FunctionLine::Entry) = (location, line) {
            // gdb names the line of the first instruction here, once for each function of the name.
            let words = self.gdb.ask(&Command::console(&format!("info line {location}")))?.words;
            let entries = words.lines().filter_map(line_in_words);
            places.iter_mut().zip(entries).for_each(|(place, line)| place.line = line);
        }
        Ok(Answer::Places(places))
    }

    pub(super) fn source(&mut self, file: &str) -> Result<Answer, GdbError> {
        let none = || Answer::Failed(Failure::new(ErrorCode::NO_SOURCE, format!("No source file {file}.")));
        let mut paths = vec![file.to_owned()];
        if !file.starts_with('/') {
            let results = self.gdb.ask(&Command::new("file-list-exec-source-files"))?.results;
            let all = results.inside("files").into_iter().flat_map(Results::parts);
            let ending = format!("/{file}");
            paths = all.filter_map(|known| known.text("fullname")).map(str::to_owned).collect();
            paths.retain(|path| path.ends_with(&ending));
        }
        let search = SourceSearch {
            places: self.sources.clone(),
            program: self.inferior.executable().to_string_lossy().into_owned(),
            ..SourceSearch::default()
        };
        let mut refused = None;
        for path in &paths {
            match search.answer(path) {
                Answer::Source { text, origin, .. } => {
                    return Ok(Answer::Source { file: file.to_owned(), text, origin });
                }
                answer => refused = Some(answer),
            }
        }
        Ok(refused.unwrap_or_else(none))
    }
}
