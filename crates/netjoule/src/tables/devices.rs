//! What devices draw.

use std::sync::Arc;

use netjoule_energy::device::{Device, Value};

use super::listing;

/// Every device with what its radio draws.
pub(crate) fn devices(devices: impl Iterator<Item = Arc<Device>>) -> String {
    let header = ["DEVICE", "SENDS", "RECEIVES", "LISTENS", "CPU", "BATTERY", "TITLE"];
    let table = listing(header, devices.map(|device| row(&device)));
    format!(
        "{table}\n\n\
         What radios draw comes on top of the platform. Everything, and who says so:\n  \
         netjoule list devices NAME"
    )
}

fn row(device: &Device) -> [String; 7] {
    let values = device.values();
    let of = |key: &str| values.iter().find(|it| it.key == key).map(|it| it.value.as_str());
    let slower = values.iter().filter(|it| it.key.starts_with("radio.transmit_up_to."));
    let slower: String = slower.map(|it| format!("{}\n", it.value)).collect();
    let power = |key: &str| {
        let on_top = of(&format!("radio.{key}_per_bit"));
        let on_top = on_top.map_or_else(String::new, |energy| format!("\n+ {energy}/bit"));
        of(&format!("radio.{key}")).unwrap_or_default().to_owned() + &on_top
    };
    [
        device.name.clone(),
        slower + &power("transmit"),
        power("receive"),
        power("listen"),
        if device.processor.is_some() { "yes" } else { "no" }.into(),
        of("battery").map_or("no", model).into(),
        device.title.clone(),
    ]
}

/// The name of the model in the settings of a battery.
fn model(settings: &str) -> &str {
    settings.split('"').nth(1).unwrap_or(settings)
}

/// Every value of one device, with its kind and its source.
pub(crate) fn device(device: &Device) -> String {
    let rows = device.values().into_iter().map(|Value { key, value, kind, source }| {
        [key, value.replace(", ", "\n"), kind.name().into(), source]
    });
    let table = listing(["VALUE OF", "IS", "KIND", "SOURCE"], rows);
    format!("{}: {}\n\n{table}", device.name, device.title)
}
