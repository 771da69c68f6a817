//! Images are prepared on threads of their own as they appear, so that who must not wait finds them read.

use super::image::Image;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Images prepared at the same time: one that takes its time does not keep the others waiting.
const THREADS: usize = 3;

/// Time without new images before what was put off is read.
const QUIET: Duration = Duration::from_millis(300);

/// Called with the path of an image before it is prepared: a test decides how long that takes.
pub type BeforePreparing = Arc<dyn Fn(&str) + Send + Sync>;

/// Threads that prepare images. They end with it.
#[derive(Debug)]
pub struct Preparer {
    waiting: Sender<Arc<Image>>,
    /// Images that wait or are being prepared.
    outstanding: Arc<AtomicUsize>,
}

impl Preparer {
    /// Starts them; `done` is called after each image.
    pub fn start(done: impl Fn() + Clone + Send + 'static, before: Option<BeforePreparing>) -> io::Result<Self> {
        let (waiting, incoming) = channel();
        let incoming = Arc::new(Mutex::new(incoming));
        let outstanding = Arc::new(AtomicUsize::new(0));
        let put_off = Arc::new(Mutex::new(Vec::new()));
        for number in 0..THREADS {
            let (incoming, done, before) = (Arc::clone(&incoming), done.clone(), before.clone());
            let (outstanding, put_off) = (Arc::clone(&outstanding), Arc::clone(&put_off));
            Builder::new().name(format!("prepare-{number}")).spawn(move || {
                while let Some(image) = next(&incoming) {
                    prepare(&image, before.as_ref());
                    done();
                    put_off.lock().unwrap_or_else(PoisonError::into_inner).push(image);
                    if outstanding.fetch_sub(1, Ordering::AcqRel) == 1 {
                        give_back();
                        // What was waited for is being looked at now, which needs the processors more.
                        std::thread::sleep(QUIET);
                        if outstanding.load(Ordering::Acquire) == 0 {
                            complete(&put_off);
                            give_back();
                        }
                    }
                }
            })?;
        }
        Ok(Self { waiting, outstanding })
    }

    pub(crate) fn add(&self, image: &Arc<Image>) {
        self.outstanding.fetch_add(1, Ordering::AcqRel);
        // The threads live as long as the sender.
        let _ = self.waiting.send(Arc::clone(image));
    }
}

/// Returns freed memory: the allocator keeps it for each thread, which will not read soon again.
#[expect(unsafe_code, reason = "malloc_trim(3)")]
fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it takes a number, and is safe beside other threads that allocate.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}

fn next(incoming: &Mutex<Receiver<Arc<Image>>>) -> Option<Arc<Image>> {
    incoming.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Once nobody waits for an image.
fn complete(images: &Mutex<Vec<Arc<Image>>>) {
    let images = std::mem::take(&mut *images.lock().unwrap_or_else(PoisonError::into_inner));
    for image in images {
        if catch_unwind(AssertUnwindSafe(|| image.complete())).is_err() {
            tracing::error!("cannot index {}", image.path());
        }
    }
}

fn prepare(image: &Image, before: Option<&BeforePreparing>) {
    let prepare = || {
        if let Some(before) = before {
            before(image.path());
        }
        image.prepare();
    };
    if catch_unwind(AssertUnwindSafe(prepare)).is_err() {
        // Who waits for it is not to wait for good.
        tracing::error!("cannot prepare {}", image.path());
        image.give_up_preparing();
    }
}
