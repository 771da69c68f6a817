//! Prepares images on threads of their own as they appear, so that threads that must not wait find them read.

use super::freed_memory::give_back_freed_memory;
use super::image::Image;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Images prepared in parallel, so that a slow one does not delay the others.
const THREADS: usize = 3;

/// The time without new images before postponed reads start.
const QUIET: Duration = Duration::from_millis(300);

/// Called with the path of an image before it is prepared, so that a test can delay it.
pub type BeforePreparing = Arc<dyn Fn(&str) + Send + Sync>;

/// Called after each prepared image until it returns false.
pub type AfterPreparing = Box<dyn FnMut() -> bool + Send>;

/// Threads that prepare images; they end when this is dropped.
pub(super) struct Preparer {
    waiting: Sender<Arc<Image>>,
    /// Images that are waiting or being prepared.
    outstanding: Arc<AtomicUsize>,
    listeners: Arc<Mutex<Vec<AfterPreparing>>>,
}

impl Preparer {
    /// Starts the threads.
    pub(super) fn start(before: Option<BeforePreparing>) -> io::Result<Self> {
        let (waiting, incoming) = channel();
        let incoming = Arc::new(Mutex::new(incoming));
        let outstanding = Arc::new(AtomicUsize::new(0));
        let put_off = Arc::new(Mutex::new(Vec::new()));
        let listeners = Arc::new(Mutex::new(Vec::new()));
        for number in 0..THREADS {
            let (incoming, before, listeners) = (Arc::clone(&incoming), before.clone(), Arc::clone(&listeners));
            let (outstanding, put_off) = (Arc::clone(&outstanding), Arc::clone(&put_off));
            Builder::new().name(format!("prepare-{number}")).spawn(move || {
                while let Some(image) = next(&incoming) {
                    prepare(&image, before.as_ref());
                    tell(&listeners);
                    put_off.lock().unwrap_or_else(PoisonError::into_inner).push(image);
                    if outstanding.fetch_sub(1, Ordering::AcqRel) == 1 {
                        give_back_freed_memory();
                        // The prepared images are in use now, and need the processors more.
                        std::thread::sleep(QUIET);
                        if outstanding.load(Ordering::Acquire) == 0 {
                            complete(&put_off);
                            give_back_freed_memory();
                        }
                    }
                }
            })?;
        }
        Ok(Self { waiting, outstanding, listeners })
    }

    pub(super) fn listen(&self, listener: AfterPreparing) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    pub(super) fn add(&self, image: &Arc<Image>) {
        self.outstanding.fetch_add(1, Ordering::AcqRel);
        // The threads live as long as the sender.
        let _ = self.waiting.send(Arc::clone(image));
    }
}

fn tell(listeners: &Mutex<Vec<AfterPreparing>>) {
    listeners.lock().unwrap_or_else(PoisonError::into_inner).retain_mut(|listener| listener());
}

fn next(incoming: &Mutex<Receiver<Arc<Image>>>) -> Option<Arc<Image>> {
    incoming.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Completes postponed images once no image is waiting.
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
        // Threads waiting for the image must not wait forever.
        tracing::error!("cannot prepare {}", image.path());
        image.give_up_preparing();
    }
}
