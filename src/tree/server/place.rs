//! The place of a server in the tree: its own address, and its path to the master.

use super::parent::dial_first;
use super::setup::{Routes, ServerSetup};
use crate::error::TreeError;
use crate::routing::file::RoutingFile;
use crate::routing::topology::Topology;
use protocol::{Connection, Listener, PortRange, ServerIndex, listen_everywhere, own_addresses, reachable};
use std::time::{Duration, Instant};

/// Stands for all addresses of this host, instead of one to listen on.
pub(crate) const EVERYWHERE: &str = "any";
/// Time that a server waits for its routing file.
const ROUTING_FILE_LIMIT: Duration = Duration::from_secs(300);
/// Time for dialling the parent that a routing file names.
const PARENT_LIMIT: Duration = Duration::from_secs(30);
/// Interval between two attempts to dial: nothing reports when another host starts to listen on a port.
const PARENT_POLL: Duration = Duration::from_millis(50);

pub(super) struct Place {
    pub(super) listener: Listener,
    /// The address at which others reach it.
    pub(super) address: String,
    /// Its ancestors, the nearest first and the master last.
    pub(super) path: Vec<(ServerIndex, String)>,
    /// Its children, if they are known and it has to dial them.
    pub(super) children: Vec<(ServerIndex, String)>,
}

/// Finds a server's place, and listens there.
pub(super) async fn find_place(setup: &ServerSetup, host: &str) -> Result<Place, TreeError> {
    let tree = Topology::new(setup.size, setup.shape);
    let master = (tree.master(), setup.master.clone());
    let routes = match &setup.routes {
        Routes::Told => None,
        Routes::File(file) => Some(RoutingFile::wait(file, ROUTING_FILE_LIMIT).await?),
        Routes::Known(routes) => Some(routes.clone()),
    };
    if let Some(routes) = routes {
        let own = routes.route(setup.index).filter(|_| routes.servers() == setup.size).ok_or_else(|| {
            let (index, size) = (setup.index.0, setup.size);
            TreeError::Other(format!(
                "the routing file lists {} servers: it has no server {index} of {size}",
                routes.servers()
            ))
        })?;
        let listener = if setup.listen == EVERYWHERE {
            listen_everywhere(Some(PortRange::one(own.port)))?
        } else {
            Listener::tcp(&format!("{}:{}", setup.listen, own.port)).await?
        };
        let mut path = routes.addresses(tree.ancestors(setup.index));
        path.push(master);
        let below = if setup.dialling.is_down() { tree.children(setup.index) } else { Vec::new() };
        return Ok(Place { listener, address: own.address(), path, children: routes.addresses(below) });
    }
    let (path, children) = (vec![master], Vec::new());
    if setup.listen == EVERYWHERE {
        let listener = listen_everywhere(setup.ports)?;
        let address = reachable(&own_addresses(), listener.port().unwrap_or_default());
        return Ok(Place { listener, address, path, children });
    }
    let listener = Listener::tcp(&format!("{}:0", setup.listen)).await?;
    let port = listener.port().unwrap_or_default();
    // The address that means "all of mine" is no use to other hosts.
    let shown = if setup.listen == "0.0.0.0" { host } else { &setup.listen };
    Ok(Place { listener, address: format!("{shown}:{port}"), path, children })
}

/// Dials the parent. With a routing file servers start in any order: the parent gets some time before others are tried.
pub(super) async fn dial_parent(
    setup: &ServerSetup,
    path: &[(ServerIndex, String)],
) -> Result<(ServerIndex, Connection), TreeError> {
    let end = Instant::now() + PARENT_LIMIT;
    while !matches!(setup.routes, Routes::Told) && Instant::now() < end {
        match dial_first(path.get(..1).unwrap_or_default(), &setup.key).await {
            Ok(found) => return Ok(found),
            Err(error) => tracing::info!("{error}; retrying"),
        }
        tokio::time::sleep(PARENT_POLL).await;
    }
    Ok(dial_first(path, &setup.key).await?)
}
