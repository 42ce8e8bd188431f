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
use crate::model::NodeDevice;
use crate::nearest;
use crate::read::{join, read_required};
use crate::schema::{DEVICE_FILE, MAINS};

/// The key that names a model of batteries.
const MODEL: &str = "model";

/// The models of batteries.
const MODELS: [&str; 5] = ["ideal", "peukert", "kibam", "rakhmatov_vrudhula", "shepherd"];

/// The files that nodes have named, each read once; `None` after an error.
#[derive(Default)]
pub(super) struct Devices(BTreeMap<String, Option<Arc<Device>>>);

impl Devices {
    /// The device that the node in `table` calls by name, and its battery.
    pub(super) fn of_node(
        &mut self,
        called: Option<String>,
        table: &Table,
        path: &str,
        context: &mut Context<'_>,
    ) -> Option<NodeDevice> {
        let Some(called) = called else {
            // A wrong `device` has been told already.
            if table.get("battery").is_some() && table.get("device").is_none() {
                let message = "is for nodes with a `device`, which draws from it";
                context.wrong(table, path, "battery", message);
            }
            return None;
        };
        let (site, key) = (table.site_of("device"), join(path, "device"));
        let profile = if called.ends_with(DEVICE_FILE) {
            let read = self.0.entry(called.clone());
            read.or_insert_with(|| from_file(&called, site, &key, context)).clone()
        } else {
            built_in(&called, site, key, context)
        };
        let battery = battery(table, path, profile.as_deref(), context);
        Some(NodeDevice { called, profile: profile?, battery })
    }
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

/// The battery of the node in `table`: its own, that of its device, or none.
fn battery(
    table: &Table,
    path: &str,
    device: Option<&Device>,
    context: &mut Context<'_>,
) -> Option<battery::Config> {
    match table.get("battery").map(|located| &located.value) {
        None => Some(device?.battery.as_ref()?.value.clone()),
        Some(Value::String(word)) if word == MAINS => None,
        Some(Value::Table(settings)) => {
            let path = join(path, "battery");
            let config = config(settings, &path, context)?;
            context.check_settings(settings, &path, config.validate());
            Some(config)
        }
        Some(other) => {
            let message = format!("found {other}, expected a table, or \"{MAINS}\" for the mains");
            context.wrong(table, path, "battery", message);
            None
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
