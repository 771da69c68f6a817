//! Third-party sources, fetched from registries by their own clients.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that contain C sources.
const MANIFEST: &str = "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n
[dependencies]\nlua-src = \"547\"\nlibz-sys = \"1\"\nlibsqlite3-sys = \"0.30\"\n";

/// The directories of the sources and of the builds.
pub struct Sources {
    pub directory: PathBuf,
}

pub fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Sources {
    /// The sources of the crates, each in a directory with its name.
    pub fn crates(&self) -> PathBuf {
        let sources = self.directory.join("crates");
        let vendor = sources.join("vendor");
        if !vendor.exists() {
            std::fs::create_dir_all(sources.join("src")).unwrap();
            std::fs::write(sources.join("Cargo.toml"), MANIFEST).unwrap();
            std::fs::write(sources.join("src/lib.rs"), "").unwrap();
            run(Command::new("cargo").args(["vendor", "-q", "vendor"]).current_dir(&sources));
        }
        vendor
    }

    /// The directory of Rust crates that are built with debug information.
    pub fn rust_crates(&self) -> PathBuf {
        let project = self.directory.join("rust");
        let built = project.join("target/debug/deps");
        if !built.exists() {
            std::fs::create_dir_all(project.join("src")).unwrap();
            let manifest = "[package]\nname = \"crates\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n
[dependencies]\npetgraph = \"0.6\"\nregex-syntax = \"0.8\"\n";
            std::fs::write(project.join("Cargo.toml"), manifest).unwrap();
            std::fs::write(project.join("src/lib.rs"), "").unwrap();
            let mut cargo = Command::new("cargo");
            run(cargo.args(["build", "-q"]).env("CARGO_TARGET_DIR", project.join("target")).current_dir(&project));
        }
        built
    }

    /// The upstream source of a Debian package.
    pub fn debian(&self, package: &str) -> PathBuf {
        let unpacked = self.directory.join(package);
        if unpacked.exists() {
            return unpacked;
        }
        let archives = self.directory.join("archives");
        let lists = archives.join("lists");
        let options = self.apt_options(&archives);
        if !lists.exists() {
            std::fs::create_dir_all(lists.join("partial")).unwrap();
            run(Command::new("apt-get").args(&options).args(["-qq", "update"]));
        }
        let here = self.directory.join(format!("{package}.archive"));
        std::fs::create_dir_all(&here).unwrap();
        let mut fetch = Command::new("apt-get");
        run(fetch.args(&options).args(["-qq", "--tar-only", "source", package]).current_dir(&here));
        let mut files = std::fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().path());
        let archive = files.find(|path| path.to_string_lossy().contains(".orig.tar.")).expect("an archive");
        let partly = self.directory.join(format!("{package}.partly"));
        std::fs::create_dir_all(&partly).unwrap();
        run(Command::new("tar").arg("xf").arg(&archive).arg("-C").arg(&partly).arg("--strip-components=1"));
        std::fs::rename(&partly, &unpacked).unwrap();
        unpacked
    }

    /// Options that make apt know source packages without changing this machine's configuration.
    fn apt_options(&self, archives: &Path) -> Vec<String> {
        let parts = archives.join("parts");
        std::fs::create_dir_all(&parts).unwrap();
        let of_machine = std::fs::read_to_string("/etc/apt/sources.list.d/debian.sources").unwrap();
        std::fs::write(parts.join("debian.sources"), of_machine.replace("Types: deb\n", "Types: deb-src\n")).unwrap();
        let set = |name: &str, value: &str| ["-o".to_owned(), format!("{name}={value}")];
        [
            set("Dir::Etc::SourceList", "/dev/null"),
            set("Dir::Etc::SourceParts", &parts.display().to_string()),
            set("Dir::State::Lists", &archives.join("lists").display().to_string()),
            set("APT::Sandbox::User", "root"),
        ]
        .concat()
    }
}

/// The files in a directory with one of these suffixes, except some.
pub fn files_in(directory: &Path, endings: &[&str], without: &[&str]) -> Vec<PathBuf> {
    let all = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let fits = |path: &PathBuf| endings.iter().any(|end| path.extension().is_some_and(|own| own == *end));
    let mut all: Vec<PathBuf> = all.filter(|path| fits(path) && !without.contains(&name(path).as_str())).collect();
    all.sort();
    all
}
