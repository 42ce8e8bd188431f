//! Settings of a battery, and their ranges.

use netjoule_units::{Charge, Current, Voltage};
use serde::{Deserialize, Serialize};

use super::{ideal, kibam, peukert, rakhmatov_vrudhula, shepherd};

/// Settings of a battery; `model` names one of five.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum Config {
    /// As much energy at any load.
    Ideal(ideal::Config),
    /// Less charge at greater currents, by a power law.
    Peukert(peukert::Config),
    /// Two wells: what is at hand, and what follows slowly.
    Kibam(kibam::Config),
    /// Diffusion towards the electrode.
    RakhmatovVrudhula(rakhmatov_vrudhula::Config),
    /// A voltage that falls as charge is drawn, down to a cut-off.
    Shepherd(shepherd::Config),
}

/// Settings that are out of range: their names and what was expected.
pub(super) type Wrong = Vec<(&'static str, String)>;

impl Config {
    /// Checks every range.
    ///
    /// # Errors
    /// Every setting that is out of range, as its name and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(&'static str, String)>> {
        let wrong = match self {
            Self::Ideal(config) => config.wrong(),
            Self::Peukert(config) => config.wrong(),
            Self::Kibam(config) => config.wrong(),
            Self::RakhmatovVrudhula(config) => config.wrong(),
            Self::Shepherd(config) => config.wrong(),
        };
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// Collects what is wrong.
#[derive(Default)]
pub(super) struct Checks(Wrong);

impl Checks {
    /// `key` is wrong unless it `holds`.
    pub(super) fn check(&mut self, holds: bool, key: &'static str, expected: &str) {
        if !holds {
            self.0.push((key, expected.into()));
        }
    }

    /// A charge that a battery can have: enough for any, small enough for every
    /// product to fit.
    pub(super) fn charge(&mut self, charge: Charge, key: &'static str) {
        let most = Charge::from_milliampere_hours(1_000_000_000);
        let holds = (Charge::from_attocoulombs(1)..=most).contains(&charge);
        self.check(holds, key, "a charge above 0, up to 1000000 Ah");
    }

    /// A voltage that a battery can have.
    pub(super) fn voltage(&mut self, voltage: Voltage, key: &'static str) {
        let holds =
            (Voltage::from_millivolts(1)..=Voltage::from_millivolts(1_000_000)).contains(&voltage);
        self.check(holds, key, "1 mV to 1 kV");
    }

    /// A current at which a battery has been measured.
    pub(super) fn current(&mut self, current: Current, key: &'static str) {
        let most = Current::from_milliamperes(1_000_000_000);
        let holds = (Current::from_nanoamperes(1)..=most).contains(&current);
        self.check(holds, key, "a current above 0, up to 1000000 A");
    }

    /// What was wrong.
    pub(super) fn done(self) -> Wrong {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    const EVERY: [&str; 5] = [
        "model = 'ideal'\ncapacity = '38 Wh'",
        "model = 'peukert'\ncapacity = '100 Ah'\nrated_current = '5 A'\nexponent = 1.3\n\
         voltage = '12 V'",
        "model = 'kibam'\ncapacity = '2 Ah'\nc = 0.625\nk_per_h = 0.7\nvoltage = '3.7 V'",
        "model = 'rakhmatov_vrudhula'\nalpha = '2422.5 C'\nbeta_per_sqrt_min = 0.273\n\
         voltage = '3.7 V'",
        "model = 'shepherd'\ncapacity = '2.33 Ah'\nfull_voltage = '4.17 V'\n\
         exponential_voltage = '3.714 V'\nexponential_charge = '1.74 Ah'\n\
         nominal_voltage = '3.57 V'\nnominal_charge = '2.14 Ah'\nresistance = '83 mohm'\n\
         typical_current = '466 mA'\ncut_off_voltage = '3 V'",
    ];

    #[test]
    fn every_model_is_read_is_valid_and_reads_back() {
        for text in EVERY {
            let config = read(text);
            assert_eq!(config.validate(), Ok(()), "{text}");
            let written = toml::to_string(&config).unwrap();
            assert_eq!(read(&written), config, "{written}");
        }
    }

    #[test]
    fn unknown_keys_and_models_are_refused() {
        for text in EVERY {
            let message = toml::from_str::<Config>(&format!("{text}\nage = 3")).unwrap_err();
            assert!(message.to_string().contains("unknown field `age`"), "{message}");
        }
        let message = toml::from_str::<Config>("model = 'lemon'").unwrap_err();
        assert!(message.to_string().contains("unknown variant `lemon`"), "{message}");
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let names = |text: &str| -> Vec<&'static str> {
            read(text).validate().unwrap_err().into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(names("model = 'ideal'\ncapacity = '0 J'"), ["capacity"]);
        assert_eq!(
            names(
                "model = 'peukert'\ncapacity = '0 Ah'\nrated_current = '0 A'\nexponent = 0.9\n\
                 voltage = '0 V'"
            ),
            ["capacity", "voltage", "rated_current", "exponent"]
        );
        assert_eq!(
            names("model = 'kibam'\ncapacity = '2 Ah'\nc = 0.0\nk_per_h = nan\nvoltage = '3 V'"),
            ["c", "k_per_h"]
        );
        assert_eq!(
            names(
                "model = 'rakhmatov_vrudhula'\nalpha = '9 C'\nbeta_per_sqrt_min = 0.0\n\
                 voltage = '2 kV'"
            ),
            ["voltage", "beta_per_sqrt_min"]
        );
        let shepherd = |from: &str, to: &str| names(&EVERY[4].replace(from, to));
        assert_eq!(shepherd("2.14 Ah", "2.33 Ah"), ["nominal_charge"]);
        assert_eq!(shepherd("1.74 Ah", "2.2 Ah"), ["exponential_charge"]);
        assert_eq!(shepherd("4.17 V", "3.7 V"), ["full_voltage"]);
        assert_eq!(shepherd("3.714 V", "3.5 V"), ["exponential_voltage"]);
        assert_eq!(shepherd("'3 V'", "'2 V'"), ["cut_off_voltage"]);
        assert_eq!(shepherd("'3 V'", "'3.6 V'"), ["cut_off_voltage"]);
    }
}
