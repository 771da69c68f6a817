//! The user's own directories for configuration, state and caches.

use directories::ProjectDirs;

/// `None`: nothing says where they are.
pub(crate) fn own_directories() -> Option<ProjectDirs> {
    // Without HOME the C library looks the user up, by a library of the host that aborts a program with another C library
    // inside.
    let is_named = std::env::var_os("HOME").is_some_and(|home| !home.is_empty());
    if cfg!(target_feature = "crt-static") && !is_named { None } else { ProjectDirs::from("", "", "rankscope") }
}
