//! One operation for many threads of a rank, and their answers.

use super::{Answer, Context, FrameArguments, Operation, ThreadId, ThreadsAnswer, Variable, VariableValue};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

impl Operation {
    /// Limit on the threads in one operation and in its answer; for more, ask again.
    pub const MOST_THREADS: usize = 512;

    /// The thread of an operation that many threads can answer; `None` for other operations.
    fn context_of_many(&mut self) -> Option<&mut Option<ThreadId>> {
        match self {
            Self::Stack { thread, .. } | Self::FrameArguments { thread, .. } | Self::StackDepth(thread) => Some(thread),
            Self::Locals(Context { thread, .. })
            | Self::Arguments(Context { thread, .. })
            | Self::Registers(Context { thread, .. }, _) => Some(thread),
            _ => None,
        }
    }

    /// The same operation for this thread; `None` if many threads cannot answer it.
    pub fn of_thread(&self, thread: ThreadId) -> Option<Self> {
        let mut single = self.clone();
        *single.context_of_many()? = Some(thread);
        Some(single)
    }

    /// The thread, and the operation without it; `None` if it names no thread, or many threads cannot answer it.
    pub fn without_thread(&self) -> Option<(ThreadId, Self)> {
        let mut bare = self.clone();
        let thread = bare.context_of_many()?.take()?;
        Some((thread, bare))
    }
}

impl Answer {
    /// The answer of one thread; an answer other than `EachThread` is that of every thread.
    pub fn of_thread(&self, thread: ThreadId) -> Option<&Self> {
        match self {
            Self::EachThread(said) => said.iter().find(|said| said.threads.contains(&thread)).map(|said| &said.answer),
            other => Some(other),
        }
    }

    /// The approximate size of the message in bytes.
    fn weight(&self) -> usize {
        /// A frame names a function, a file and a module.
        const FRAME: usize = 256;
        match self {
            Self::Stack(frames) => FRAME * frames.len(),
            Self::FrameArguments(frames) => frames.iter().map(FrameArguments::weight).sum(),
            Self::Variables(list) => list.iter().map(|variable| FRAME + bytes(variable)).sum(),
            Self::Registers(list) => FRAME / 2 * list.len(),
            _ => FRAME,
        }
    }
}

/// The approximate size of a variable's value in bytes.
fn bytes(variable: &Variable) -> usize {
    match &variable.value {
        VariableValue::Known(datum) => datum.descriptor.len() + 2 * datum.data.len(),
        VariableValue::Unknown { .. } => 0,
    }
}

/// Collects the answers of threads; equal ones are merged.
#[derive(Debug, Default)]
pub struct ThreadAnswers {
    said: Vec<ThreadsAnswer>,
    known: HashMap<u64, Vec<usize>>,
    hasher: RandomState,
    threads: usize,
    weight: usize,
}

impl ThreadAnswers {
    /// In bytes; exceeded by at most one thread's answer.
    const MOST_WEIGHT: usize = 4 << 20;

    /// Adds the answer of the next thread.
    pub fn add(&mut self, thread: ThreadId, answer: Answer) {
        self.threads += 1;
        let alike = self.known.entry(self.hasher.hash_one(&answer)).or_default();
        for index in alike.iter() {
            if let Some(said) = self.said.get_mut(*index).filter(|said| said.answer == answer) {
                said.threads.push(thread);
                return;
            }
        }
        alike.push(self.said.len());
        self.weight += answer.weight();
        self.said.push(ThreadsAnswer { threads: vec![thread], answer });
    }

    /// True if no thread has answered.
    pub fn is_empty(&self) -> bool {
        self.threads == 0
    }

    /// True if the answer has reached a limit: the remaining threads need another operation.
    pub fn is_full(&self) -> bool {
        self.threads >= Operation::MOST_THREADS || self.weight >= Self::MOST_WEIGHT
    }

    /// Returns the collected answers as one.
    pub fn into_answer(self) -> Answer {
        Answer::EachThread(self.said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodePlace, Frame};

    fn stack(levels: u32, offset: u64) -> Answer {
        let frame = |level| Frame {
            level,
            function: None,
            source: None,
            code: CodePlace { module: None, offset, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        };
        Answer::Stack((0..levels).map(frame).collect())
    }

    #[test]
    fn threads_that_say_the_same_are_heard_together() {
        let mut answers = ThreadAnswers::default();
        assert!(answers.is_empty());
        for (thread, answer) in [(9, stack(2, 1)), (2, stack(2, 3)), (5, stack(2, 1)), (1, Answer::Ok)] {
            answers.add(ThreadId(thread), answer);
        }
        assert!(!answers.is_empty() && !answers.is_full());
        let answer = answers.into_answer();
        let Answer::EachThread(said) = &answer else { panic!() };
        let threads: Vec<Vec<u32>> = said.iter().map(|said| said.threads.iter().map(|t| t.0).collect()).collect();
        assert_eq!(threads, [vec![9, 5], vec![2], vec![1]]);
        assert_eq!(answer.of_thread(ThreadId(5)), Some(&stack(2, 1)));
        assert_eq!(answer.of_thread(ThreadId(7)), None);
    }

    #[test]
    fn an_answer_is_full_by_its_threads_and_by_its_weight() {
        let mut answers = ThreadAnswers::default();
        (1..Operation::MOST_THREADS as u32).for_each(|thread| answers.add(ThreadId(thread), stack(1, 0)));
        assert!(!answers.is_full());
        answers.add(ThreadId(9999), stack(1, 0));
        assert!(answers.is_full());
        let mut answers = ThreadAnswers::default();
        answers.add(ThreadId(1), stack(100_000, 0));
        assert!(answers.is_full(), "of one deep stack");
    }

    #[test]
    fn only_questions_that_look_at_a_thread_are_put_to_many() {
        let one = Operation::Stack { thread: Some(ThreadId(3)), low: 1, high: Some(4), most: None };
        let (thread, bare) = one.without_thread().unwrap();
        assert_eq!(
            (thread, &bare),
            (ThreadId(3), &Operation::Stack { thread: None, low: 1, high: Some(4), most: None })
        );
        assert_eq!(bare.of_thread(ThreadId(3)), Some(one));
        assert_eq!(bare.without_thread(), None);
        let many = Operation::EachThread { threads: vec![ThreadId(3)], operation: Box::new(bare) };
        assert!(many.needs_stop() && !many.resumes());
        assert_eq!(many.of_thread(ThreadId(3)), None, "not of many of many");
        assert_eq!(Operation::Go.of_thread(ThreadId(3)), None);
    }
}
