//! Where ranks are: the user's frame, the call of MPI that it made, and the text of its arguments.

use crate::core::tasks::investigation::{At, Stay};
use crate::why::{
    CallValues, Caller, Doing, Implementation, Language, MOST_CALLERS, MpiCall, Origins, Place, Sources, Texts,
    arguments_of_call, library_call, mpi_call, mpi_name, only_value, posted, public_name, with_constants,
};
use model::{Frame, MyCode, ProcessSet, ThreadId, called_name};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Finds the place of ranks in the code of the user, and the call of a library that they made there.
pub(super) fn stay(ranks: ProcessSet, thread: Option<ThreadId>, frames: &[Frame], my_code: &MyCode) -> Stay {
    let at = frames.iter().position(|frame| my_code.has(frame));
    // Code of the user without debug information.
    let at = at.or_else(|| frames.iter().position(|frame| is_users_without_source(frame, my_code)));
    let (inside, user) = match at.and_then(|at| frames.split_at_checked(at)) {
        Some((inside, [user, ..])) => (inside, Some(user)),
        _ => (frames, None),
    };
    let caller = user.and_then(|user| user.function.clone());
    let level = user.map_or(0, |user| user.level);
    let source = user.and_then(|user| user.source.clone());
    let place = Place { call: None, function: caller.clone(), source, thread: None };
    let named = |frame: &Frame| Some(Arc::from(called_name(frame.function.as_deref()?, caller.as_deref())));
    // A library of the user may be between: then the text of the call is not there.
    let of_mpi = inside.iter().rev().find_map(|frame| Some((frame, mpi_call(frame.function.as_deref()?)?)));
    if let Some((frame, call)) = of_mpi {
        let language = place.source.as_ref().map_or(Language::C, |source| Language::of_file(&source.file));
        let mpi = frame.code.module.as_deref().map_or(Implementation::Unknown, Implementation::of_library);
        let call = CallValues {
            call,
            arguments: None,
            constant: None,
            language,
            mpi,
            posted: Vec::new(),
            origins: Origins::default(),
        };
        let level = user.map_or(frame.level, |user| user.level);
        let outer = frames.get(inside.len()..).unwrap_or(&[]).iter().take(MOST_CALLERS);
        let caller = |frame: &Frame| Caller {
            level: frame.level,
            function: frame.function.clone(),
            source: frame.source.clone(),
        };
        let callers = outer.map(caller).collect();
        let place = Place { call: named(frame), ..place };
        return Stay { ranks, thread, place, at: At::Call(call), level, callers };
    }
    let named = |frame: &Frame| named(frame).map(|name| Arc::from(public_name(&name)));
    let (call, doing) = match (user, inside) {
        (Some(_), []) => (None, Doing::Computing),
        (Some(_), [.., callee]) => {
            let library = callee.code.module.as_deref().map(|path| path.rsplit('/').next().unwrap_or(path));
            let call = named(callee);
            let doing = library_call(call.as_deref().unwrap_or(""), library);
            (call.or_else(|| library.map(Into::into)), doing)
        }
        (None, _) => (inside.first().and_then(named), Doing::Library),
    };
    let place = Place { call, ..place };
    Stay { ranks, thread, place, at: At::Other(doing), level, callers: Vec::new() }
}

fn is_users_without_source(frame: &Frame, my_code: &MyCode) -> bool {
    let module = frame.code.module.as_deref();
    frame.source.is_none() && module.is_some() && my_code.has_place(module, "", frame.function.as_deref())
}

/// Finds the arguments of the calls that are in a file.
pub(super) fn read_arguments(stays: &mut [Stay], file: &str, text: &str) {
    for stay in stays {
        let Some(source) = stay.place.source.as_ref().filter(|source| *source.file == *file) else { continue };
        if let (At::Call(call), Some(name)) = (&mut stay.at, stay.place.call.as_deref()) {
            call.language = call.language.of_text(text);
            let name = match call.language {
                Language::Fortran => format!("mpi_{}", mpi_name(name).unwrap_or_default()),
                Language::C | Language::Cpp => name.to_owned(),
            };
            let language = call.language;
            let defined = |argument: String| with_constants(&argument, text, language);
            let arguments = arguments_of_call(text, source.line, &name, language);
            call.arguments = arguments.map(|arguments| arguments.into_iter().map(defined).collect());
            let constant = |name: &str| only_value(name, "MPI_Comm", text).map(str::to_owned);
            call.constant = call.communicator_variable().and_then(|name| constant(&name));
            let MpiCall::Requests(Some(place)) = call.call else { continue };
            let Some(requests) = call.arguments.as_ref().and_then(|arguments| arguments.get(place)) else { continue };
            let posted = posted(text, source.line, requests, language).into_iter();
            let of_call = |(kind, arguments): (MpiCall, Vec<String>)| {
                let arguments = Some(arguments.into_iter().map(defined).collect());
                CallValues {
                    call: kind,
                    arguments,
                    constant: None,
                    language,
                    mpi: call.mpi,
                    posted: Vec::new(),
                    origins: Origins::default(),
                }
            };
            call.posted = posted.map(of_call).collect();
        }
    }
}

/// Finds out where the names in the arguments have their values from. Returns the files that are needed to go on.
pub(super) fn find_origins(stays: &mut [Stay], texts: &Texts) -> BTreeMap<Arc<str>, ProcessSet> {
    let sources = Sources::new(texts);
    let mut missing: BTreeMap<Arc<str>, ProcessSet> = BTreeMap::new();
    for stay in stays {
        let (At::Call(call), Some(name), Some(first)) = (&mut stay.at, &stay.place.call, stay.ranks.first()) else {
            continue;
        };
        let (origins, files) = Origins::of(&call.wanted(), name, &stay.callers, &sources);
        if let (None, Some(variable)) = (&call.constant, call.communicator_variable()) {
            call.constant = origins.text(&variable).map(str::to_owned);
        }
        call.origins = origins;
        for file in files {
            missing.entry(file).or_insert_with(|| ProcessSet::one(first));
        }
    }
    missing
}
