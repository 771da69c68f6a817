//! Where a server stands in the tree: its own address, and its way up.

use super::actor::ServerSetup;
use super::parent::dial_first;
use crate::protocol::{Connection, Listener, ServerIndex, listen_everywhere, own_addresses, reachable};
use crate::tree::error::TreeError;
use crate::tree::routing_file::RoutingFile;
use crate::tree::topology::Topology;
use std::time::{Duration, Instant};

/// Instead of a host to listen on: all addresses of this one.
pub(crate) const EVERYWHERE: &str = "any";
/// A server waits this long for its routing file.
const ROUTING_FILE_LIMIT: Duration = Duration::from_secs(300);
/// The parent that a routing file names is waited for so long.
const PARENT_LIMIT: Duration = Duration::from_secs(30);
/// Between two attempts to dial: nobody tells when a port of another host is listened on.
const PARENT_POLL: Duration = Duration::from_millis(50);

/// Where to listen, under which address the children find us, and whom to dial.
pub(super) async fn find_place(
    setup: &ServerSetup,
    host: &str,
) -> Result<(Listener, String, Vec<(ServerIndex, String)>), TreeError> {
    let tree = Topology::new(setup.size, setup.shape);
    let master = (tree.master(), setup.master.clone());
    if let Some(file) = &setup.routing_file {
        let routes = RoutingFile::wait(file, ROUTING_FILE_LIMIT).await?;
        let own = routes.route(setup.index).filter(|_| routes.servers() == setup.size).ok_or_else(|| {
            let (path, n) = (file.display(), routes.servers());
            TreeError::Other(format!(
                "{path} is about {n} servers, not about server {} of {}",
                setup.index.0, setup.size
            ))
        })?;
        let listener = Listener::tcp(&format!("{}:{}", setup.listen, own.port)).await?;
        let mut path: Vec<_> =
            tree.ancestors(setup.index).into_iter().filter_map(|s| Some((s, routes.address(s)?))).collect();
        path.push(master);
        return Ok((listener, format!("{}:{}", own.host, own.port), path));
    }
    if setup.listen == EVERYWHERE {
        let listener = listen_everywhere(setup.ports)?;
        let address = reachable(&own_addresses(), listener.port().unwrap_or_default());
        return Ok((listener, address, vec![master]));
    }
    let listener = Listener::tcp(&format!("{}:0", setup.listen)).await?;
    let port = listener.port().unwrap_or_default();
    // The address that means "all of mine" means nothing to others.
    let shown = if setup.listen == "0.0.0.0" { host } else { &setup.listen };
    Ok((listener, format!("{shown}:{port}"), vec![master]))
}

/// With a routing file the servers start in any order: the parent gets some time before others are tried.
pub(super) async fn dial_parent(
    setup: &ServerSetup,
    path: &[(ServerIndex, String)],
) -> Result<(ServerIndex, Connection), TreeError> {
    let end = Instant::now() + PARENT_LIMIT;
    while setup.routing_file.is_some() && Instant::now() < end {
        match dial_first(path.get(..1).unwrap_or_default(), &setup.key).await {
            Ok(found) => return Ok(found),
            Err(error) => tracing::info!("{error}; waiting for it"),
        }
        tokio::time::sleep(PARENT_POLL).await;
    }
    Ok(dial_first(path, &setup.key).await?)
}
