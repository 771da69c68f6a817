//! Variables with the same location for every thread at an address: found without a thread, they have the location that
//! a thread there sees.

use crate::built::build;
use crate::snapshot::Snapshot;
use rankscope::debuginfo::types::{Place, Symbols};
use rankscope::debuginfo::{FixedPlace, FrameView, NoThread, StackFrame, stack_from};
use rankscope::model::VirtualAddress;

/// Names in the innermost frame with a fixed location, and those without.
fn compared(options: &[&str], place: &str) -> (Vec<String>, Vec<String>) {
    let built = build("values.c", options);
    let snapshot = Snapshot::take(&built.path, &[&format!("break {place}"), "run"], &[]);
    let frames = stack_from(&snapshot.images, &snapshot.registers, 0, &snapshot, 0, Some(0)).frames;
    let view = FrameView::new(&snapshot.images, frames.first(), &snapshot);
    let bare = StackFrame::at_address(snapshot.registers.pc().unwrap());
    let nobody = FrameView::new(&snapshot.images, Some(&bare), &NoThread);
    let own = view.locals().into_iter().chain(view.arguments()).map(|value| value.name.to_string());
    let others = ["table", "GREEN", "main", "environ", "per_thread", "no_such_name"].map(str::to_owned);
    let (mut fixed, mut others_found) = (Vec::new(), Vec::new());
    for name in own.chain(others) {
        let Some((ty, place)) = nobody.fixed(&name) else {
            others_found.push(name);
            continue;
        };
        let known = view.variable(&name).unwrap();
        let place = match place {
            FixedPlace::At(place) => place,
            FixedPlace::Beside(register, distance) => {
                let base = snapshot.registers.get(register).unwrap();
                Place::Memory(VirtualAddress(base.wrapping_add_signed(distance)))
            }
        };
        assert_eq!((ty, Ok(place)), (known.ty, known.place), "{name} at {options:?}");
        fixed.push(name);
    }
    (fixed, others_found)
}

#[test]
fn without_optimisation_every_variable_but_those_of_the_thread_has_one() {
    for options in [&["-g", "-O0"][..], &["-gdwarf-4", "-O0"], &["-gdwarf-2", "-gstrict-dwarf", "-O0", "-no-pie"]] {
        let (fixed, others) = compared(options, "leaf");
        assert_eq!(others, ["per_thread", "no_such_name"], "{options:?}: {fixed:?}");
        assert!(fixed.len() > 4, "{fixed:?}");
    }
}

#[test]
fn with_optimisation_those_that_have_one_are_there() {
    for options in [&["-g", "-O1", "-no-pie"][..], &["-g", "-O3"], &["-gdwarf-4", "-O2"]] {
        let (fixed, others) = compared(options, "leaf");
        for name in ["table", "GREEN", "main"] {
            assert!(fixed.iter().any(|one| one == name), "{options:?}: {fixed:?}, not {others:?}");
        }
        assert!(others.iter().any(|one| one == "per_thread"), "{options:?}: {fixed:?}");
    }
}
