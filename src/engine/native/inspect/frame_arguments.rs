//! The arguments of frames, as stacks show them.

use super::StoppedThread;
use debuginfo::StackFrame;
use debuginfo::types::NamedValue;
use expr::budget::Budget;
use expr::named_to_variable;
use model::{
    Answer, ArgumentDetail, Failure, FrameArgument, FrameArguments, Variable, VariableValue, within_argument_limits,
};

/// Reads the arguments of the frames at these levels, until the answer has reached a limit.
pub(super) fn frame_arguments(
    thread: &StoppedThread<'_>,
    levels: &[(u32, u32)],
    detail: ArgumentDetail,
) -> Result<Answer, Failure> {
    let (lowest, highest) = (levels.iter().map(|(low, _)| *low).min(), levels.iter().map(|(_, high)| *high).max());
    let (Some(low), Some(high)) = (lowest, highest) else { return Ok(Answer::FrameArguments(Vec::new())) };
    let stack = thread.stack(low, Some(high));
    let is_wanted = |frame: &&StackFrame| levels.iter().any(|(low, high)| (*low..=*high).contains(&frame.frame.level));
    let frames = stack.frames.iter().filter(is_wanted).map(|frame| of_frame(thread, frame, detail));
    Ok(Answer::FrameArguments(within_argument_limits(frames)))
}

fn of_frame(thread: &StoppedThread<'_>, frame: &StackFrame, detail: ArgumentDetail) -> FrameArguments {
    let view = thread.in_frame(Some(frame));
    let context = view.eval();
    let argument = |named: &NamedValue| {
        if !detail.has_values() {
            let value = VariableValue::Unknown { why: String::new(), type_name: context.type_name(&named.ty) };
            let variable = Variable { name: named.name.to_string(), value };
            return FrameArgument::new(variable).in_detail(detail);
        }
        let _share = context.budget().map(Budget::share);
        FrameArgument::new(named_to_variable(named, &context)).in_detail(detail)
    };
    FrameArguments { level: frame.frame.level, arguments: view.arguments().iter().map(argument).collect() }
}
