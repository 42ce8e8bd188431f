//! Setting up network devices through netlink (rtnetlink(7)).

use core::net::IpAddr;
use std::io;

use netlink_packet_core::{
    NLM_F_ACK, NLM_F_CREATE, NLM_F_REPLACE, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage,
    NetlinkPayload,
};
use netlink_packet_route::address::{AddressAttribute, AddressMessage, AddressScope};
use netlink_packet_route::link::{LinkAttribute, LinkFlags, LinkMessage};
use netlink_packet_route::route::{
    RouteAddress, RouteAttribute, RouteHeader, RouteMessage, RouteProtocol, RouteScope, RouteType,
};
use netlink_packet_route::{AddressFamily, RouteNetlinkMessage};
use netlink_sys::protocols::NETLINK_ROUTE;
use netlink_sys::{Socket, SocketAddr};

use crate::{Error, Subnet};

/// Longer than any acknowledgment, which quotes the request.
const LONGEST_ANSWER: usize = 4096;

/// A conversation with the kernel about devices, addresses and routes.
pub(crate) struct Netlink {
    socket: Socket,
    sequence: u32,
}

impl Netlink {
    pub(crate) fn open() -> Result<Self, Error> {
        let open = || {
            let mut socket = Socket::new(NETLINK_ROUTE)?;
            socket.bind_auto()?;
            socket.connect(&SocketAddr::new(0, 0))?;
            Ok(Self { socket, sequence: 0 })
        };
        open().map_err(|error: io::Error| Error::new("open a netlink socket", error))
    }

    /// The index of the device called `name`.
    pub(crate) fn index(name: &str) -> Result<u32, Error> {
        nix::net::if_::if_nametoindex(name)
            .map_err(|error| Error::new(format!("find the device {name}"), error))
    }

    /// Brings a device up.
    pub(crate) fn set_up(&mut self, index: u32) -> Result<(), Error> {
        let mut link = LinkMessage::default();
        link.header.index = index;
        link.header.flags = LinkFlags::Up;
        link.header.change_mask = LinkFlags::Up;
        self.request("bring the device up", RouteNetlinkMessage::SetLink(link), 0)
    }

    /// Sets a device's MTU in bytes, and how many packets wait in it.
    pub(crate) fn set_size(&mut self, index: u32, mtu: u32, queue: u32) -> Result<(), Error> {
        let mut link = LinkMessage::default();
        link.header.index = index;
        link.attributes = vec![LinkAttribute::Mtu(mtu), LinkAttribute::TxQueueLen(queue)];
        let what = format!("set the device's MTU to {mtu}");
        self.request(&what, RouteNetlinkMessage::SetLink(link), 0)
    }

    /// Gives a device an address in a subnet, and with it the route there.
    pub(crate) fn add_address(&mut self, index: u32, subnet: &Subnet) -> Result<(), Error> {
        let mut address = AddressMessage::default();
        address.header.family = family(subnet.address);
        address.header.prefix_len = subnet.prefix;
        address.header.scope = AddressScope::Universe;
        address.header.index = index;
        address.attributes = vec![
            AddressAttribute::Local(subnet.address),
            AddressAttribute::Address(subnet.address),
        ];
        let what = format!("give the device the address {subnet}");
        self.request(&what, RouteNetlinkMessage::NewAddress(address), NLM_F_CREATE | NLM_F_REPLACE)
    }

    /// Sends what is for `host` to a device.
    pub(crate) fn add_route(&mut self, index: u32, host: IpAddr) -> Result<(), Error> {
        let mut route = RouteMessage::default();
        let (length, destination) = match host {
            IpAddr::V4(host) => (32, RouteAddress::Inet(host)),
            IpAddr::V6(host) => (128, RouteAddress::Inet6(host)),
        };
        route.header.address_family = family(host);
        route.header.destination_prefix_length = length;
        route.header.table = RouteHeader::RT_TABLE_MAIN;
        route.header.protocol = RouteProtocol::Static;
        route.header.scope = RouteScope::Link;
        route.header.kind = RouteType::Unicast;
        route.attributes =
            vec![RouteAttribute::Destination(destination), RouteAttribute::Oif(index)];
        let what = format!("route {host} to the device");
        self.request(&what, RouteNetlinkMessage::NewRoute(route), NLM_F_CREATE | NLM_F_REPLACE)
    }

    /// Asks the kernel for something and waits for its answer.
    fn request(
        &mut self,
        what: &str,
        message: RouteNetlinkMessage,
        flags: u16,
    ) -> Result<(), Error> {
        self.sequence += 1;
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | NLM_F_ACK | flags;
        header.sequence_number = self.sequence;
        let mut request = NetlinkMessage::new(header, NetlinkPayload::from(message));
        request.finalize();
        let mut bytes = vec![0; request.buffer_len()];
        request.serialize(&mut bytes);
        self.exchange(&bytes).map_err(|error| Error::new(what, error))
    }

    fn exchange(&self, request: &[u8]) -> io::Result<()> {
        self.socket.send(request, 0)?;
        let mut answer = Vec::with_capacity(LONGEST_ANSWER);
        self.socket.recv(&mut answer, 0)?;
        let answer: NetlinkMessage<RouteNetlinkMessage> =
            NetlinkMessage::deserialize(&answer).map_err(io::Error::other)?;
        match answer.payload {
            NetlinkPayload::Error(error) if error.code.is_none() => Ok(()),
            NetlinkPayload::Error(error) => Err(error.to_io()),
            other => Err(io::Error::other(format!("netlink answered {other:?}"))),
        }
    }
}

const fn family(address: IpAddr) -> AddressFamily {
    match address {
        IpAddr::V4(_) => AddressFamily::Inet,
        IpAddr::V6(_) => AddressFamily::Inet6,
    }
}
