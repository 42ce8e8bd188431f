//! The settings at the head of a script.

use core::fmt;

use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::Bytes;
use serde::Deserialize;

/// What a script is played on: settings of the stack, and the options of its
/// connections.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) stack: StackSettings,
    pub(super) variant: &'static Variant,
    pub(super) options: Options,
    /// Whether the script itself says `header_prediction`, `header_template`,
    /// `peer_isn`.
    says: [bool; 3],
}

/// The settings that are not options of TCP.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StackSettings {
    /// The name of the variant.
    pub(super) variant: String,
    /// The options that the script's change: `plain` or `current`.
    pub(super) profile: Profile,
    /// IP version: 4 or 6.
    pub(super) ip: u8,
    /// MTU of the stack's interface.
    pub(super) mtu: Bytes,
    /// The send buffer of accepted connections; the stack's own choice if
    /// there is none.
    pub(super) send_buffer: Option<Bytes>,
    /// The peer's initial sequence number: the script's zero.
    pub(super) peer_isn: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Profile {
    Plain,
    Current,
}

impl Default for StackSettings {
    fn default() -> Self {
        Self {
            variant: "newreno".into(),
            profile: Profile::Plain,
            ip: 4,
            mtu: Bytes::new(1_500),
            send_buffer: None,
            peer_isn: 0,
        }
    }
}

/// The keys of [`StackSettings`]; any other is one of [`Options`].
const STACK_KEYS: [&str; 6] = ["variant", "profile", "ip", "mtu", "send_buffer", "peer_isn"];

impl Settings {
    /// Reads lines of TOML.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut changes: toml::Table = text.parse().map_err(said)?;
        let says = ["header_prediction", "header_template", "peer_isn"]
            .map(|key| changes.contains_key(key));
        let mut stack = toml::Table::new();
        for key in STACK_KEYS {
            if let Some(value) = changes.remove(key) {
                stack.insert(key.into(), value);
            }
        }
        let stack: StackSettings = stack.try_into().map_err(said)?;
        if !matches!(stack.ip, 4 | 6) {
            return Err(format!("ip: found {}, expected 4 or 6", stack.ip));
        }
        let variant = Variant::named(&stack.variant)
            .ok_or_else(|| format!("there is no variant `{}`", stack.variant))?;
        let base = match stack.profile {
            Profile::Plain => Options::default(),
            Profile::Current => Options::current(),
        };
        let mut options = toml::Table::try_from(base).map_err(said)?;
        options.extend(changes);
        let options: Options = options.try_into().map_err(said)?;
        options.validate().map_err(|wrong| {
            let wrong: Vec<String> =
                wrong.iter().map(|(key, expected)| format!("{key}: expected {expected}")).collect();
            wrong.join("; ")
        })?;
        Ok(Self { stack, variant, options, says })
    }

    /// All the ways in which a script is played. Where it does not say whether
    /// there is header prediction, or a template for headers, it is played with
    /// and without, for that changes no packet (agarwal2000 3.4); and the peer's
    /// sequence numbers begin at either side of ours.
    pub(super) fn ways(&self) -> Vec<Self> {
        let either = |says, own| if says { vec![own] } else { vec![true, false] };
        let [says_prediction, says_template, says_isn] = self.says;
        let isns = if says_isn { vec![self.stack.peer_isn] } else { vec![0, 1 << 31] };
        let mut ways = Vec::new();
        for header_prediction in either(says_prediction, self.options.header_prediction) {
            for header_template in either(says_template, self.options.header_template) {
                let options =
                    Options { header_prediction, header_template, ..self.options.clone() };
                for &peer_isn in &isns {
                    let stack = StackSettings { peer_isn, ..self.stack.clone() };
                    ways.push(Self { stack, options: options.clone(), ..self.clone() });
                }
            }
        }
        ways
    }
}

/// What tells one way of playing a script from another.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { header_prediction, header_template, .. } = self.options;
        let isn = self.stack.peer_isn;
        write!(
            f,
            "header_prediction = {header_prediction}, header_template = {header_template}, \
             peer_isn = {isn}"
        )
    }
}

fn said(error: impl fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_a_profile() {
        let settings = Settings::read(
            "variant = \"reno\"\nprofile = \"current\"\nmss = \"1000 B\"\ninitial_window = 2\n\
             peer_isn = 4294967295\nsend_buffer = \"16 KiB\"",
        )
        .unwrap();
        assert_eq!(settings.variant.name, "reno");
        assert_eq!(settings.options.mss, Bytes::new(1_000));
        assert!(settings.options.timestamps);
        assert_eq!(settings.stack.peer_isn, u32::MAX);
        assert_eq!(settings.stack.send_buffer, Some(Bytes::from_kib(16)));
        assert_eq!(settings.ways().len(), 4);
        assert_eq!(Settings::read("").unwrap().ways().len(), 8);
        assert_eq!(Settings::read("header_prediction = false").unwrap().ways().len(), 4);
    }

    #[test]
    fn wrong_settings_are_named() {
        let message = |text| Settings::read(text).unwrap_err();
        assert!(message("nagel = true").contains("nagel"));
        assert!(message("mss = \"0 B\"").contains("mss"));
        assert!(message("variant = \"vegas\"").contains("vegas"));
        assert!(message("ip = 5").contains("4 or 6"));
    }
}
