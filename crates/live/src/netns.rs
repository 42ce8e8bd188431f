//! A network of one's own: a namespace in which everybody may make devices.

use std::fs;
use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid, getgid, getuid};

use crate::Error;
use crate::netlink::Netlink;

/// Moves this process, and what it starts from now on, into a new network
/// namespace with its loopback device up and forwarding on.
///
/// Where the kernel allows it, that is in a user namespace in which the user is
/// root, so that no privileges are needed. Otherwise it takes those of root.
///
/// # Errors
/// If neither is allowed, if the process has more than one thread (a user
/// namespace is entered by all of a process or not at all), or if the network
/// cannot be set up.
pub fn enter() -> Result<(), Error> {
    let (user, group) = (getuid(), getgid());
    match unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET) {
        Ok(()) => become_root(user, group)?,
        Err(Errno::EINVAL) => {
            let source = io::Error::other("the process has more than one thread");
            return Err(Error::new("enter a user namespace", source));
        }
        Err(refusal) if user.is_root() => {
            unshare(CloneFlags::CLONE_NEWNET).map_err(|_| denied(refusal))?;
        }
        Err(refusal) => return Err(denied(refusal)),
    }
    let mut netlink = Netlink::open()?;
    netlink.set_up(Netlink::index("lo")?)?;
    forward("/proc/sys/net/ipv4/ip_forward")?;
    forward("/proc/sys/net/ipv6/conf/all/forwarding")
}

fn denied(refusal: Errno) -> Error {
    let mut error = Error::new("enter a new user and network namespace", refusal);
    error.hint = Some(
        "the kernel forbids it: see user.max_user_namespaces, kernel.unprivileged_userns_clone \
         and kernel.apparmor_restrict_unprivileged_userns, or try as root",
    );
    error
}

/// Makes the user and group root of the new user namespace (user_namespaces(7)).
fn become_root(user: Uid, group: Gid) -> Result<(), Error> {
    // Without this a user without privileges may not map the group.
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/uid_map", &format!("0 {user} 1"))?;
    write("/proc/self/gid_map", &format!("0 {group} 1"))
}

/// Turns forwarding on; a kernel without the protocol has nothing to turn on.
fn forward(path: &str) -> Result<(), Error> {
    match write(path, "1") {
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn write(path: &str, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|error| Error::new(format!("write {path}"), error))
}
