//! Applies the changes of a restart to the job's plan.

use model::{InputSource, LaunchSpec, StartChanges};
use protocol::LaunchPlan;
use std::path::Path;

/// The word of a launcher's command that stands for the joiner.
pub(crate) const JOIN: &str = "{join}";

/// Returns the directory in which the program of a plan is started without changes.
pub(crate) fn former_directory(spec: &LaunchSpec) -> String {
    let here = std::env::current_dir().map(|path| model::raw_text(path.as_os_str())).unwrap_or_default();
    match spec.directory.as_deref() {
        None => here,
        Some(directory) if Path::new(directory).is_absolute() => directory.to_owned(),
        Some(directory) => format!("{here}/{directory}"),
    }
}

/// Returns why a job cannot be started with these changes.
pub(crate) fn refusal(plan: &LaunchPlan, changes: &StartChanges) -> Option<String> {
    let (LaunchPlan::Local { spec, .. }
    | LaunchPlan::Hosts { spec, .. }
    | LaunchPlan::Joined { spec, .. }
    | LaunchPlan::Starter { spec, .. }
    | LaunchPlan::Attach { spec, .. }) = plan;
    match plan {
        LaunchPlan::Joined { command, .. }
            if changes.arguments.is_some() && command.iter().filter(|word| *word == JOIN).count() > 1 =>
        {
            return Some(
                "the launcher starts several programs: give each its arguments in the launcher's command".into(),
            );
        }
        LaunchPlan::Starter { .. } if changes.stop_at.is_some() => {
            return Some(
                "ranks of --mpir stop where the launcher lets them be found: \"restart\" starts the job".into(),
            );
        }
        LaunchPlan::Starter { command, .. } if !changes.is_empty() && program_at(command, spec).is_none() => {
            return Some(
                "cannot tell the program from the launcher's options: start the session again with other words".into(),
            );
        }
        _ => {}
    }
    let former = former_directory(spec);
    if let Some(path) = missing_input(spec, changes, &former)
        && !matches!(plan, LaunchPlan::Hosts { .. } | LaunchPlan::Attach { .. })
    {
        return Some(format!("cannot read standard input from {path}: no such file, or not a plain one"));
    }
    // On other hosts the directory may be another.
    let is_here = matches!(plan, LaunchPlan::Local { .. } | LaunchPlan::Starter { .. });
    let directory = changes.directory_from(&former).filter(|_| is_here)?;
    (!Path::new(&model::raw_word(&directory)).is_dir())
        .then(|| format!("cannot start in {directory}: no such directory"))
}

/// Returns the file that the changes name as the input, if it is not there.
fn missing_input(spec: &LaunchSpec, changes: &StartChanges, former: &str) -> Option<String> {
    changes.input.as_ref()?;
    let mut changed = spec.clone();
    changes.apply_input(&mut changed, former);
    match changed.input.all {
        InputSource::File(path) if !Path::new(&model::raw_word(&path)).is_file() => Some(path),
        _ => None,
    }
}

/// Returns the plan with the changes. Ranks that a launcher starts apply them themselves, in the joiner.
pub(crate) fn changed(mut plan: LaunchPlan, changes: &StartChanges) -> LaunchPlan {
    match &mut plan {
        LaunchPlan::Local { spec, .. } | LaunchPlan::Hosts { spec, .. } => {
            let former = former_directory(spec);
            changes.apply(spec, &former);
        }
        LaunchPlan::Starter { command, spec } => {
            let Some(at) = program_at(command, spec).filter(|_| !changes.is_empty()) else { return plan };
            let former = former_directory(spec);
            changes.apply(spec, &former);
            command.truncate(at);
            if let Some(launcher) = command.first_mut()
                && changes.directory.is_some()
                && launcher.contains('/')
                && !launcher.starts_with('/')
            {
                *launcher = format!("{former}/{launcher}");
            }
            command.push(spec.program.clone());
            command.extend(spec.arguments.iter().cloned());
        }
        LaunchPlan::Joined { spec, .. } => {
            // The launcher reads it.
            let former = former_directory(spec);
            changes.apply_input(spec, &former);
            if let Some(stop_at) = &changes.stop_at {
                spec.stop_at = stop_at.clone();
            }
            if let Some(randomise) = changes.randomise {
                spec.randomise = randomise;
            }
        }
        LaunchPlan::Attach { .. } => {}
    }
    plan
}

/// Returns the place of the program in a launcher's command that ends with the program and its arguments.
fn program_at(command: &[String], spec: &LaunchSpec) -> Option<usize> {
    let at = command.len().checked_sub(spec.arguments.len() + 1)?;
    let (program, arguments) = command.get(at..)?.split_first()?;
    (*program == spec.program && arguments == spec.arguments).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn with_arguments(text: &str) -> StartChanges {
        StartChanges { arguments: Some(words(text)), ..StartChanges::default() }
    }

    #[test]
    fn the_arguments_after_a_launchers_program_are_replaced() {
        let spec = LaunchSpec { program: "./app".into(), arguments: words("a b"), ..LaunchSpec::default() };
        let plan = LaunchPlan::Starter { command: words("mpirun -n 2 ./app a b"), spec: spec.clone() };
        assert_eq!(refusal(&plan, &with_arguments("c")), None);
        assert_eq!(changed(plan, &with_arguments("c")).words(), words("mpirun -n 2 ./app c"));
        let other = LaunchPlan::Starter { command: words("wrapper x"), spec };
        assert!(refusal(&other, &with_arguments("c")).is_some() && refusal(&other, &StartChanges::default()).is_none());
        assert_eq!(changed(other.clone(), &with_arguments("c")), other);
    }

    #[test]
    fn arguments_for_one_of_several_programs_are_refused() {
        let command = words("mpirun -n 1 {join} ./a x : -n 1 {join} ./b y");
        let plan = LaunchPlan::Joined { command, spec: LaunchSpec::default() };
        assert!(refusal(&plan, &with_arguments("c")).unwrap().contains("several programs"));
        let environment = [("A".to_owned(), None)].into();
        assert_eq!(refusal(&plan, &StartChanges { environment, ..StartChanges::default() }), None);
    }

    #[test]
    fn a_directory_that_does_not_exist_is_refused_before_the_job_ends() {
        let plan = LaunchPlan::Local { ranks: 1, spec: LaunchSpec::default() };
        let to = |directory: &str| StartChanges { directory: Some(directory.into()), ..StartChanges::default() };
        assert_eq!(refusal(&plan, &to("/")), None);
        assert!(refusal(&plan, &to("nowhere/at/all")).unwrap().ends_with("nowhere/at/all: no such directory"));
    }
}
