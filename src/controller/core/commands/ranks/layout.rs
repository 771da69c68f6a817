//! `layout`: the arrangement of ranks on the screen.

use crate::command::{CommandId, RankLayout};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::report::{Content, LayoutReport};
use model::ProcessSet;

pub(in crate::core::commands) fn layout(
    core: &mut Interpreter,
    id: CommandId,
    target: &Target,
    layout: Option<RankLayout>,
) {
    match layout {
        None => {
            let report = LayoutReport::new(&core.state.layout, target.ranks.clone(), core.state.ranks.hosts());
            core.say(id, Content::Layout(report));
        }
        Some(layout) => set(core, id, layout),
    }
    core.done(id);
}

/// Arranges the ranks; refuses a grid of another size.
pub(super) fn set(core: &mut Interpreter, id: CommandId, layout: RankLayout) {
    let size = core.state.size();
    if let RankLayout::Grid(grid) = &layout
        && grid.size() != size
    {
        let words = format!("{grid} has {} cells, and the job {size} ranks", grid.size());
        let position = core.position_in_line(id, &grid.to_string(), Some(0));
        return core.error(id, ProcessSet::new(), words, position);
    }
    let words = format!("layout {}", layout.word());
    core.state.layout = layout;
    core.acknowledge(id, words);
}
