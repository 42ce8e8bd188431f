//! The namespace, and places in it.

use std::fs;
use std::net::IpAddr;
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};

use netjoule_live::{netns, tun};

use crate::program::{now, pause};

/// Enters a namespace in which TUN devices can be made.
pub(crate) fn prepare() -> Result<(), String> {
    netns::enter().map_err(|error| error.to_string())?;
    let place = Place::new();
    let config = tun::Config {
        name: None,
        kernel: vec![place.gateway(false).parse().unwrap()],
        addresses: Vec::new(),
        mtu: 1500,
        queue: 10,
    };
    tun::Device::open(&config).map(drop).map_err(|error| error.to_string())?;
    // The kernel offers ECN, so that it is tested in both roles.
    fs::write("/proc/sys/net/ipv4/tcp_ecn", "1").map_err(|error| error.to_string())
}

/// Subnets that no other test has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u8);

impl Place {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU8 = AtomicU8::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The kernel's address with its prefix.
    fn gateway(self, v6: bool) -> String {
        let length = if v6 { 64 } else { 24 };
        format!("{}/{length}", self.kernel(v6))
    }

    /// The kernel's address.
    pub(crate) fn kernel(self, v6: bool) -> IpAddr {
        self.host(v6, 1)
    }

    /// The address of our TCP.
    pub(crate) fn ours(self, v6: bool) -> IpAddr {
        self.host(v6, 2)
    }

    fn host(self, v6: bool, host: u8) -> IpAddr {
        let text = if v6 {
            format!("fd78:0:0:{:x}::{host}", self.0)
        } else {
            format!("10.78.{}.{host}", self.0)
        };
        text.parse().unwrap()
    }

    /// What the program has to be told.
    pub(crate) fn arguments(self) -> [String; 4] {
        let gateway = || "--gateway".to_owned();
        [gateway(), self.gateway(false), gateway(), self.gateway(true)]
    }
}

/// The kernel's address on the device where our TCP has the address `ours`;
/// none for addresses that are no test's.
pub(crate) fn kernel_beside(ours: IpAddr) -> Option<IpAddr> {
    match ours {
        IpAddr::V4(it) => {
            let [a, b, place, _] = it.octets();
            ([a, b] == [10, 78]).then(|| Place(place).kernel(false))
        }
        IpAddr::V6(it) => {
            let [first, _, _, place, ..] = it.segments();
            let place = u8::try_from(place).ok()?;
            (first == 0xfd78).then(|| Place(place).kernel(true))
        }
    }
}

/// Whether `program` is installed; says so if it is not.
pub(crate) fn has(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        say(&format!("skipped: {program} is not installed"));
    }
    found
}

/// Waits until somebody listens at the kernel's `port`, without connecting to
/// them: some servers take one connection only.
#[track_caller]
pub(crate) fn wait_for_listener(port: u16) {
    // A line of /proc/net/tcp: number, local address and port, remote ones,
    // state; 0A is LISTEN.
    let address = format!(":{port:04X}");
    let listens = |file: &str| {
        fs::read_to_string(file).unwrap_or_default().lines().any(|line| {
            let mut fields = line.split_whitespace().skip(1);
            fields.next().is_some_and(|local| local.ends_with(&address))
                && fields.nth(1) == Some("0A")
        })
    };
    let start = now();
    while !(listens("/proc/net/tcp") || listens("/proc/net/tcp6")) {
        assert!(start.elapsed().as_secs() < 20, "nobody listens at {port}");
        pause(10);
    }
}

/// Tells whoever runs the tests something.
#[expect(clippy::print_stdout, reason = "what is not tested is said where results are")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}
