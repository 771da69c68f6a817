//! A client of the base dialect in the place of a front end. To the master it is one: it comes through the same door.

use crate::error::TreeError;
use crate::master::input::Input;
use model::printable_lines;
use protocol::ptp::{PlainListener, dial_plain, serve_base_client};
use protocol::{Hello, Role, dial_unix};
use std::path::PathBuf;
use tokio::sync::mpsc::UnboundedSender;

/// Who will be the client, and of what job.
#[derive(Debug)]
pub struct BaseClient {
    /// How the link to it comes about.
    pub link: BaseLink,
    /// Ranks of the job.
    pub ranks: u32,
}

/// How the link to a client comes about.
#[derive(Debug)]
pub enum BaseLink {
    /// It connects.
    Listen(PlainListener),
    /// It listens.
    Dial {
        /// `host:port`.
        address: String,
        /// Other interfaces than the loopback are allowed.
        plain: bool,
    },
}

/// Serves the client from a task of its own. The session ends with it; when it cannot be reached, at once.
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
