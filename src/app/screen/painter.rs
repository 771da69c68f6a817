//! The thread that highlights source text.

use std::{sync::mpsc, thread};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use ui::highlight::{Painted, Wish, paint};

/// The event loop's handle of the thread.
pub(super) struct Painter {
    wishes: mpsc::Sender<Wish>,
    painted: UnboundedReceiver<Painted>,
}

impl Painter {
    /// Starts the thread; it ends when this is dropped.
    pub(super) fn start() -> Self {
        let (wishes, wished) = mpsc::channel::<Wish>();
        let (done, painted) = unbounded_channel();
        // Without memory for the thread the text has no colours.
        let _ = thread::Builder::new().spawn(move || {
            while let Ok(mut wish) = wished.recv() {
                // Only the latest request matches what the screen shows now.
                while let Ok(newer) = wished.try_recv() {
                    wish = newer;
                }
                if done.send(paint(wish)).is_err() {
                    break;
                }
            }
        });
        Self { wishes, painted }
    }

    pub(super) fn wish(&self, wish: Wish) {
        // Without the thread the text has no colours.
        let _ = self.wishes.send(wish);
    }

    pub(super) async fn next(&mut self) -> Option<Painted> {
        self.painted.recv().await
    }
}
