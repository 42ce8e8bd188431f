//! What nodes are made of, and what they draw it from.

use std::collections::BTreeMap;
use std::sync::Arc;

use netjoule_energy::battery;
use netjoule_energy::device::{self, Device};
use serde::de::DeserializeOwned;

use super::Context;
use crate::channel_file;
use crate::diagnostics::Site;
use crate::document::{Table, Value};
use crate::model::Interrupts;
use crate::nearest;
use crate::read::{join, read, read_required};
use crate::schema::{DEVICE_FILE, MAINS};

/// The key that names a model of batteries.
const MODEL: &str = "model";

/// The models of batteries.
const MODELS: [&str; 5] = ["ideal", "peukert", "kibam", "rakhmatov_vrudhula", "shepherd"];

/// What a node is made of.
#[derive(Default)]
pub(super) struct Equipment {
    pub(super) device: Option<Arc<Device>>,
    pub(super) file: Option<String>,
    pub(super) battery: Option<battery::Config>,
    pub(super) interrupts: Interrupts,
}

/// The files that nodes have named, each read once; `None` after an error.
#[derive(Default)]
pub(super) struct Devices(BTreeMap<String, Option<Arc<Device>>>);

impl Devices {
    /// The device that the node in `table` calls by name, and what else it says
    /// about it.
    pub(super) fn of_node(
        &mut self,
        called: Option<String>,
        table: &Table,
        path: &str,
        context: &mut Context<'_>,
    ) -> Equipment {
        let Some(called) = called else {
            // A wrong `device` has been told already.
            for key in ["battery", "interrupts"] {
                if table.get(key).is_some() && table.get("device").is_none() {
                    context.wrong(table, path, key, "is for nodes with a `device`");
                }
            }
            return Equipment::default();
        };
        let (site, key) = (table.site_of("device"), join(path, "device"));
        let is_file = called.ends_with(DEVICE_FILE);
        let mut device = if is_file {
            let read = self.0.entry(called.clone());
            read.or_insert_with(|| from_file(&called, site, &key, context)).clone()
        } else {
            built_in(&called, site, key, context)
        };
        let battery = match battery(table, path, context) {
            Supply::OfDevice => None,
            Supply::Own(config) => Some(config),
            Supply::Mains => {
                if let Some(device) = &mut device
                    && device.battery.is_some()
                {
                    Arc::make_mut(device).battery = None;
                }
                None
            }
        };
        let interrupts = interrupts(table, path, context);
        Equipment { device, file: is_file.then_some(called), battery, interrupts }
    }
}

fn interrupts(table: &Table, path: &str, context: &mut Context<'_>) -> Interrupts {
    let Some(table) = table.table("interrupts") else { return Interrupts::default() };
    let path = join(path, "interrupts");
    let interrupts: Interrupts = read(table, &path, context.report);
    if interrupts.frames == 0 {
        context.wrong(table, &path, "frames", "found 0, expected at least 1");
    }
    context.check_time(table, &path, "delay", interrupts.delay);
    interrupts
}

fn built_in(
    called: &str,
    site: Site,
    key: String,
    context: &mut Context<'_>,
) -> Option<Arc<Device>> {
    let found = device::builtin(called);
    if found.is_none() {
        let message = format!(
            "there is no device `{called}`; the name of a file that describes one ends in \
             `{DEVICE_FILE}`"
        );
        context.report.error(site, key, message).help(|| nearest::help(called, device::names()));
    }
    found
}

fn from_file(
    called: &str,
    site: Site,
    key: &str,
    context: &mut Context<'_>,
) -> Option<Arc<Device>> {
    let Some(directory) = context.directory else {
        let message = format!("no directory is known to look for the file \"{called}\" in");
        context.report.error(site, key, message);
        return None;
    };
    let path = directory.join(called);
    let text = match channel_file::read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            context.report.error(site, key, message);
            return None;
        }
    };
    let wrong = match Device::parse(&text) {
        Ok(device) => return Some(Arc::new(device)),
        Err(device::Error(wrong)) => wrong,
    };
    let number = context.report.add_text(path.display().to_string(), text);
    for device::Wrong { key: inner, message, span, .. } in wrong {
        let place = if inner.is_empty() { inner } else { format!("{inner}: ") };
        context.report.error(Site::new(number, &span), key, format!("{place}{message}"));
    }
    None
}

/// What a node draws from.
enum Supply {
    OfDevice,
    Own(battery::Config),
    Mains,
}

/// What the node in `table` draws from.
fn battery(table: &Table, path: &str, context: &mut Context<'_>) -> Supply {
    match table.get("battery").map(|located| &located.value) {
        None => Supply::OfDevice,
        Some(Value::String(word)) if word == MAINS => Supply::Mains,
        Some(Value::Table(settings)) => {
            let path = join(path, "battery");
            let Some(config) = config(settings, &path, context) else { return Supply::OfDevice };
            context.check_settings(settings, &path, config.validate());
            Supply::Own(config)
        }
        Some(other) => {
            let message = format!("found {other}, expected a table, or \"{MAINS}\" for the mains");
            context.wrong(table, path, "battery", message);
            Supply::OfDevice
        }
    }
}

fn config(table: &Table, path: &str, context: &mut Context<'_>) -> Option<battery::Config> {
    let Some(model) = table.string(MODEL) else {
        let found = table
            .get(MODEL)
            .map_or_else(|| "is missing".into(), |found| format!("found {}", found.value));
        let message = format!("{found}, expected one of {}", nearest::list(&MODELS));
        context.wrong(table, path, MODEL, message);
        return None;
    };
    match model {
        "ideal" => settings(table, path, battery::Config::Ideal, context),
        "peukert" => settings(table, path, battery::Config::Peukert, context),
        "kibam" => settings(table, path, battery::Config::Kibam, context),
        "rakhmatov_vrudhula" => settings(table, path, battery::Config::RakhmatovVrudhula, context),
        "shepherd" => settings(table, path, battery::Config::Shepherd, context),
        other => {
            let message = format!("found \"{other}\", expected one of {}", nearest::list(&MODELS));
            context
                .report
                .error(table.site_of(MODEL), join(path, MODEL), message)
                .help(|| nearest::did_you_mean(other, MODELS));
            None
        }
    }
}

/// The settings of one model.
fn settings<T: DeserializeOwned>(
    table: &Table,
    path: &str,
    model: fn(T) -> battery::Config,
    context: &mut Context<'_>,
) -> Option<battery::Config> {
    read_required(table, path, &[MODEL], context.report).map(model)
}
