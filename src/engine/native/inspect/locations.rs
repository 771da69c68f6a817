//! Resolves the user's locations to addresses in one process.

use super::StoppedThread;
use debuginfo::LoadedImages;
use expr::Expression;
use model::{DID_YOU_MEAN, ErrorCode, Failure, FunctionLine, LocationSpec, Site, SourcePlace, VirtualAddress};
use std::sync::Arc;

/// Resolves a location to its sites in a process. A bare line and an address expression need `thread` and `level`, and
/// fail without a thread. A function or line that no loaded file has fails with [`ErrorCode::NO_FUNCTION`] or
/// [`ErrorCode::NO_SOURCE`]: a breakpoint there is pending.
pub fn place_sites(
    images: &LoadedImages,
    location: &LocationSpec,
    thread: Option<(&StoppedThread<'_>, u32)>,
) -> Result<Vec<(VirtualAddress, Site)>, Failure> {
    match location {
        LocationSpec::Address(expression) => {
            let address = address(expression, thread)?;
            Ok(vec![(address, site_at(images, address))])
        }
        LocationSpec::Line(line) => {
            let file = file_of_reference(thread)?;
            resolved(images, &LocationSpec::FileLine { file, line: *line })
        }
        LocationSpec::Function(_) | LocationSpec::FileLine { .. } => resolved(images, location),
    }
}

/// Returns the source lines of a location, without duplicates.
pub fn source_places(
    thread: &StoppedThread<'_>,
    location: &LocationSpec,
    level: u32,
    line: FunctionLine,
) -> Result<Vec<SourcePlace>, Failure> {
    let sites = place_sites(thread.images, location, Some((thread, level)))
        .map_err(|failure| with_advice(failure, thread.images, location))?;
    let sources: Vec<SourcePlace> = match (location, line) {
        (LocationSpec::Function(_), FunctionLine::Entry) => lines_of_entries(thread.images, location),
        _ => sites.into_iter().filter_map(|(_, site)| site.source).collect(),
    };
    let mut places: Vec<SourcePlace> = Vec::new();
    for source in sources {
        if !places.contains(&source) {
            places.push(source);
        }
    }
    if places.is_empty() {
        return Err(Failure::new(ErrorCode::NO_LINE, format!("No line number known for {location}.")));
    }
    Ok(places)
}

/// Returns the lines at which functions begin, those in one file in ascending order, as gdb lists them: where a function is
/// inlined, its first instruction may have the line of its caller, which mostly stands behind it.
fn lines_of_entries(images: &LoadedImages, location: &LocationSpec) -> Vec<SourcePlace> {
    let entries = images.resolve(location).into_iter();
    let mut lines: Vec<SourcePlace> =
        entries.filter_map(|(loaded, site)| Some(loaded.image.line_at(site.entry)?.place)).collect();
    let files: Vec<Arc<str>> = lines.iter().map(|place| Arc::clone(&place.file)).collect();
    lines.sort_by_key(|place| (files.iter().position(|file| *file == place.file), place.line));
    lines
}

/// Adds the function that a misspelt name most likely means.
fn with_advice(failure: Failure, images: &LoadedImages, location: &LocationSpec) -> Failure {
    let LocationSpec::Function(name) = location else { return failure };
    if failure.code != ErrorCode::NO_FUNCTION {
        return failure;
    }
    let mut with_debug = images.iter().filter(|loaded| loaded.image.has_debug_information());
    match with_debug.find_map(|loaded| loaded.image.contents().nearest_function(name)) {
        Some(near) => Failure { message: format!("{} {DID_YOU_MEAN}{near:?}?", failure.message), ..failure },
        None => failure,
    }
}

fn resolved(images: &LoadedImages, location: &LocationSpec) -> Result<Vec<(VirtualAddress, Site)>, Failure> {
    let found = images.resolve(location);
    if found.is_empty() {
        return Err(match location {
            LocationSpec::FileLine { file, line } => Failure::new(
                ErrorCode::NO_SOURCE,
                format!("No line {line} in a source file named {file}, or no code there."),
            ),
            _ => Failure::new(ErrorCode::NO_FUNCTION, format!("Function \"{location}\" not defined.")),
        });
    }
    let sites = found.into_iter().map(|(loaded, site)| {
        let address = loaded.bias.loaded(site.address);
        let site = Site {
            module: Some(loaded.name.clone()),
            offset: site.address.0,
            address: Some(address),
            function: site.function,
            source: site.source,
        };
        (address, site)
    });
    Ok(sites.collect())
}

fn address(expression: &str, thread: Option<(&StoppedThread<'_>, u32)>) -> Result<VirtualAddress, Failure> {
    let Some((thread, level)) = thread else {
        Expression::parse(expression)?;
        let message = "evaluating an address needs a stopped rank; halt it first";
        return Err(Failure::new(ErrorCode::RUNNING, message));
    };
    thread.at(level, |view| Ok(view.parse(expression)?.evaluate(&view.eval())?.as_address(&view.eval())?))
}

fn file_of_reference(thread: Option<(&StoppedThread<'_>, u32)>) -> Result<String, Failure> {
    let nothing = || {
        let message = "a line without a file needs a stopped rank with a source file; use file:line";
        Failure::new(ErrorCode::NO_SOURCE, message)
    };
    let (thread, level) = thread.ok_or_else(nothing)?;
    let frame = thread.frame(level)?.frame;
    frame.source.map(|place| place.file.to_string()).ok_or_else(nothing)
}

/// Describes the site at an address, even if no file is mapped there.
pub fn site_at(images: &LoadedImages, address: VirtualAddress) -> Site {
    let Some((loaded, inside)) = images.locate(address) else {
        return Site { module: None, offset: address.0, address: Some(address), function: None, source: None };
    };
    let innermost = loaded.image.inline_frames(inside).into_iter().next().map(|frame| frame.function);
    Site {
        module: Some(loaded.name.clone()),
        offset: inside.0,
        address: Some(address),
        function: innermost.or_else(|| Some(loaded.image.function_at(inside)?.name)),
        source: loaded.image.line_at(inside).map(|row| row.place),
    }
}
