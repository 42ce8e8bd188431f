//! The devices that come with the program.

use std::sync::{Arc, OnceLock};

use super::Device;

/// A data file, and what it says once somebody has asked.
struct Builtin {
    name: &'static str,
    text: &'static str,
    device: OnceLock<Arc<Device>>,
}

/// Each file has the name of its device.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(Builtin {
            name: $name,
            text: include_str!(concat!("../../devices/", $name, ".toml")),
            device: OnceLock::new(),
        }),*]
    };
}

/// All of them, in the order of lists.
static BUILTIN: [Builtin; 12] = files![
    "wavelan-p90",
    "wavelan-late-90s",
    "wavelan-card",
    "soekris-net4826",
    "linksys-wrt54g",
    "htc-legend",
    "galaxy-note-10",
    "raspberry-pi-1",
    "esp32-s2",
    "nrf52840",
    "lte-phone",
    "host",
];

impl Builtin {
    fn device(&self) -> Arc<Device> {
        let read = || match Device::parse(self.text) {
            Ok(device) => Arc::new(device),
            Err(error) => panic!("the built-in device {}: {error}", self.name),
        };
        Arc::clone(self.device.get_or_init(read))
    }
}

/// The built-in device called `name`. Its file is read the first time that
/// anybody asks for it.
#[must_use]
pub fn builtin(name: &str) -> Option<Arc<Device>> {
    BUILTIN.iter().find(|it| it.name == name).map(Builtin::device)
}

/// Every built-in device.
pub fn all() -> impl Iterator<Item = Arc<Device>> {
    BUILTIN.iter().map(Builtin::device)
}

/// The names of the built-in devices.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|it| it.name)
}
