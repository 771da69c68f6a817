//! A base-dialect client in the place of a front end. It connects to the master's socket as any front end does.

use crate::error::TreeError;
use crate::master::input::Input;
use model::printable_lines;
use protocol::ptp::{PlainListener, dial_plain, serve_base_client};
use protocol::{Hello, Role, dial_unix};
use std::path::PathBuf;
use tokio::sync::mpsc::UnboundedSender;

/// A client of the base dialect, and the size of its job.
#[derive(Debug)]
pub struct BaseClient {
    /// The direction in which it is linked.
    pub link: BaseLink,
    /// Number of ranks of the job.
    pub ranks: u32,
}

/// The direction of the link to a client.
#[derive(Debug)]
pub enum BaseLink {
    /// The client connects to this listener.
    Listen(PlainListener),
    /// The client listens, and is dialled.
    Dial {
        /// `host:port`.
        address: String,
        /// True if other interfaces than the loopback are allowed.
        plain: bool,
    },
}

/// Serves the client in a task of its own. The session ends with it; at once if it cannot be reached.
pub(in crate::master) fn serve(client: BaseClient, door: PathBuf, inputs: UnboundedSender<Input>) {
    tokio::spawn(async move {
        if let Err(error) = converse(client, door).await {
            tracing::error!("{error}");
            eprintln!("rankscope-sdm (master): {}", printable_lines(&error.to_string()));
            // The master may have ended already.
            let _ = inputs.send(Input::Terminate);
        }
    });
}

async fn converse(client: BaseClient, door: PathBuf) -> Result<(), TreeError> {
    let link = match client.link {
        BaseLink::Listen(listener) => listener.accept().await?,
        BaseLink::Dial { address, plain } => dial_plain(&address, plain).await?,
    };
    let front = dial_unix(&door, &Hello::new(Role::FrontEnd)).await?;
    Ok(serve_base_client(link, front, client.ranks).await?)
}
