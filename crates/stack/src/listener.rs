//! Listening ports and the connections that wait at them.

use core::net::{IpAddr, SocketAddr};
use std::collections::VecDeque;

use netjoule_transport::tcp::{Options, Variant};

use crate::{ConnectionId, Error, ListenerId};

/// One listening port.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    pub(crate) local: SocketAddr,
    pub(crate) variant: &'static Variant,
    pub(crate) options: Options,
    backlog: usize,
    /// Connections in the handshake, the oldest first, and some that are not
    /// in it any more.
    half_open: VecDeque<ConnectionId>,
    /// How many of them still are.
    half_open_count: usize,
    /// Connections that wait to be accepted.
    waiting: VecDeque<ConnectionId>,
}

/// All listening ports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listeners(Vec<Option<Listener>>);

impl Listeners {
    /// Adds a listener.
    ///
    /// # Errors
    /// If another one has its address and port.
    pub(crate) fn add(
        &mut self,
        local: SocketAddr,
        variant: &'static Variant,
        options: &Options,
        backlog: usize,
    ) -> Result<ListenerId, Error> {
        if self.0.iter().flatten().any(|other| other.local == local) {
            return Err(Error::AddressInUse(local));
        }
        let listener = Listener {
            local,
            variant,
            options: options.clone(),
            backlog: backlog.max(1),
            half_open: VecDeque::new(),
            half_open_count: 0,
            waiting: VecDeque::new(),
        };
        let index = u32::try_from(self.0.len()).expect("fewer than 2^32 listeners");
        self.0.push(Some(listener));
        Ok(ListenerId(index))
    }

    /// Takes a listener away. Returns the connections that nobody will accept:
    /// some that are in the handshake, or were, and those that wait.
    pub(crate) fn remove(
        &mut self,
        id: ListenerId,
    ) -> Option<(VecDeque<ConnectionId>, VecDeque<ConnectionId>)> {
        let listener = self.0.get_mut(id.0 as usize)?.take()?;
        Some((listener.half_open, listener.waiting))
    }

    /// Who takes connections to `local`: a listener at this very address before
    /// one at any.
    pub(crate) fn at(&self, local: SocketAddr) -> Option<ListenerId> {
        let find = |suits: &dyn Fn(IpAddr) -> bool| {
            (0..).zip(&self.0).find_map(|(index, listener)| {
                let at = listener.as_ref()?.local;
                (at.port() == local.port() && suits(at.ip())).then_some(ListenerId(index))
            })
        };
        find(&|at| at == local.ip())
            .or_else(|| find(&|at| at.is_unspecified() && (at.is_ipv6() || local.is_ipv4())))
    }

    pub(crate) fn get_mut(&mut self, id: ListenerId) -> Option<&mut Listener> {
        self.0.get_mut(id.0 as usize)?.as_mut()
    }
}

impl Listener {
    /// Whether one more handshake may begin. The oldest of too many gives way:
    /// those that will be completed are younger than those of a flood (RFC 4987
    /// section 3.4).
    pub(crate) fn admit(&mut self, is_half_open: impl Fn(ConnectionId) -> bool) -> Admission {
        if self.half_open_count + self.waiting.len() >= 2 * self.backlog {
            return Admission::Refused;
        }
        if self.half_open.len() >= 2 * self.backlog {
            self.half_open.retain(|id| is_half_open(*id));
        }
        if self.half_open_count < self.backlog {
            return Admission::Granted;
        }
        while let Some(oldest) = self.half_open.pop_front() {
            if is_half_open(oldest) {
                return Admission::InPlaceOf(oldest);
            }
        }
        Admission::Granted
    }

    /// A handshake has begun.
    pub(crate) fn began(&mut self, id: ConnectionId) {
        self.half_open.push_back(id);
        self.half_open_count += 1;
    }

    /// A handshake has failed.
    pub(crate) const fn failed(&mut self) {
        self.half_open_count -= 1;
    }

    /// A handshake has succeeded.
    pub(crate) fn succeeded(&mut self, id: ConnectionId) {
        self.half_open_count -= 1;
        self.waiting.push_back(id);
    }

    /// The next connection for the application.
    pub(crate) fn accept(&mut self) -> Option<ConnectionId> {
        self.waiting.pop_front()
    }
}

/// What becomes of a SYN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It begins a connection.
    Granted,
    /// It begins one when this one has been given up.
    InPlaceOf(ConnectionId),
    /// It is dropped: the application does not keep up.
    Refused,
}

#[cfg(test)]
mod tests {
    use netjoule_transport::tcp::VARIANTS;

    use super::*;

    fn id(index: u32) -> ConnectionId {
        ConnectionId { index, generation: 0 }
    }

    #[test]
    fn the_nearest_address_listens() {
        let mut listeners = Listeners::default();
        let mut listen =
            |at: &str| listeners.add(at.parse().unwrap(), &VARIANTS[0], &Options::default(), 1);
        let any = listen("[::]:80").unwrap();
        let one = listen("10.0.0.1:80").unwrap();
        let any_v4 = listen("0.0.0.0:81").unwrap();
        assert_eq!(listen("10.0.0.1:80"), Err(Error::AddressInUse("10.0.0.1:80".parse().unwrap())));
        for (to, who) in [
            ("10.0.0.1:80", Some(one)),
            ("10.0.0.2:80", Some(any)),
            ("[fd00::1]:80", Some(any)),
            ("10.0.0.1:81", Some(any_v4)),
            ("[fd00::1]:81", None),
            ("10.0.0.1:82", None),
        ] {
            assert_eq!(listeners.at(to.parse().unwrap()), who, "{to}");
        }
        assert!(listeners.remove(any).is_some() && listeners.remove(any).is_none());
        assert_eq!(listeners.at("10.0.0.2:80".parse().unwrap()), None);
        assert!(listeners.get_mut(any).is_none() && listeners.get_mut(one).is_some());
    }

    #[test]
    fn the_oldest_of_too_many_handshakes_gives_way() {
        let mut listeners = Listeners::default();
        let at = "0.0.0.0:80".parse().unwrap();
        let listener = listeners.add(at, &VARIANTS[0], &Options::default(), 2).unwrap();
        let listener = listeners.get_mut(listener).unwrap();
        for index in 0..2 {
            assert_eq!(listener.admit(|_| true), Admission::Granted);
            listener.began(id(index));
        }
        listener.succeeded(id(0));
        assert_eq!(listener.admit(|it| it != id(0)), Admission::Granted);
        listener.began(id(2));
        assert_eq!(listener.admit(|it| it != id(0)), Admission::InPlaceOf(id(1)));
        listener.failed();
        listener.began(id(3));
        listener.succeeded(id(2));
        // Two wait and one is coming: there is room for one more.
        assert_eq!(listener.admit(|it| it == id(3)), Admission::Granted);
        listener.began(id(4));
        assert_eq!(listener.admit(|it| it == id(3) || it == id(4)), Admission::Refused);
        assert_eq!(listener.accept(), Some(id(0)));
        assert_eq!(listener.accept(), Some(id(2)));
        assert_eq!(listener.accept(), None);
    }
}
