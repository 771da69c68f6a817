//! Programs that this engine cannot debug: reports the reason and the remedy instead of a first stop.

use debuginfo::{ImageError, LoadedImages};
use model::Site;

const OTHER_ENGINE: &str = "the native engine cannot debug it: use --engine gdb";

/// Returns the reason why this engine cannot debug a program whose files could not be read.
pub(in crate::native) fn unreadable(error: &ImageError) -> String {
    match error {
        ImageError::Architecture { .. } => format!("{error}; {OTHER_ENGINE}"),
        _ => format!("{error}; the native engine needs the program's file: try --engine gdb"),
    }
}

/// Why the first stop, which is wanted in `main`, will not come: Go has its own main function, stacks and threads.
/// `start`: where `main` is; the start-up code of Go may bear the name.
pub(in crate::native) fn written_in_go(images: &LoadedImages, start: &[Site]) -> Option<String> {
    let program = images.executable().filter(|program| program.image.file().is_go())?;
    let is_start_up = |site: &Site| site.source.as_ref().is_none_or(|place| place.file.ends_with(".s"));
    start.iter().all(is_start_up).then(|| {
        format!(
            "{} is a Go program; {OTHER_ENGINE} --stop-at main.main. If it only starts the program to debug, name a \
                function of that (--stop-at FUNCTION)",
            program.name
        )
    })
}
