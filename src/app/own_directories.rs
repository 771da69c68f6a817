//! The user's own directories for configuration, state and caches.

use directories::ProjectDirs;

/// Returns the user's directories; `None` if they are unknown, or HOME is not set in a static build.
pub(crate) fn own_directories() -> Option<ProjectDirs> {
    // Without HOME the C library looks up the user with a library of the host, which aborts a program that has another
    // C library linked in.
    let is_named = std::env::var_os("HOME").is_some_and(|home| !home.is_empty());
    if cfg!(target_feature = "crt-static") && !is_named { None } else { ProjectDirs::from("", "", "rankscope") }
}
