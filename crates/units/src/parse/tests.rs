use proptest::prelude::*;

use super::*;

#[test]
fn quantities_are_read_exactly() {
    assert_eq!("50 ms".parse(), Ok(Duration::from_millis(50)));
    assert_eq!("0.3s".parse(), Ok(Duration::from_millis(300)));
    assert_eq!("1.5 us".parse(), Ok(Duration::from_nanos(1_500)));
    assert_eq!("16 KiB".parse(), Ok(Bytes::new(16_384)));
    assert_eq!("11 Mbit/s".parse(), Ok(BitRate::from_mbit_per_s(11)));
    assert_eq!("5.5 Mbit/s".parse(), Ok(BitRate::new(5_500_000).unwrap()));
}

#[test]
fn lengths_and_levels_are_read_with_their_units() {
    assert_eq!("250 m".parse(), Ok(Distance::from_metres(250)));
    assert_eq!("1.5 km".parse(), Ok(Distance::from_metres(1_500)));
    assert_eq!("2.5cm".parse(), Ok(Distance::from_millimetres(25)));
    assert_eq!("10 dB".parse(), Ok(Decibels::new(10.0).unwrap()));
    assert_eq!("-0.5dB".parse(), Ok(Decibels::new(-0.5).unwrap()));
    assert_eq!(" -82 dBm".parse(), Ok(PowerLevel::from_dbm(-82.0).unwrap()));
    assert_eq!("+15 dBm".parse(), Ok(PowerLevel::from_dbm(15.0).unwrap()));
}

#[test]
fn powers_energies_and_charges_are_read_exactly() {
    assert_eq!("0.9 W".parse(), Ok(Power::from_milliwatts(900)));
    assert_eq!("2 mW".parse(), Ok(Power::from_microwatts(2_000)));
    assert_eq!("0.13 mJ".parse(), Ok(Energy::from_attojoules(130_000_000_000_000)));
    assert_eq!("38 Wh".parse(), Ok(Energy::from_joules(136_800)));
    assert_eq!("0.5 kJ".parse(), Ok(Energy::from_joules(500)));
    assert_eq!("3.2 Ah".parse(), Ok(Charge::from_milliampere_hours(3_200)));
    assert_eq!("2500 mAh".parse(), Ok(Charge::from_milliampere_hours(2_500)));
    assert_eq!("3.6 C".parse(), Ok(Charge::from_milliampere_hours(1)));
    assert_eq!("180 mA".parse(), Ok(Current::from_milliamperes(180)));
    assert_eq!("25.5 µA".parse(), Ok(Current::from_nanoamperes(25_500)));
    assert_eq!("5 V".parse(), Ok(Voltage::from_millivolts(5_000)));
    assert_eq!("4.6 mΩ".parse(), Ok(Resistance::from_microohms(4_600)));
    assert_eq!("0.083 ohm".parse(), Ok(Resistance::from_microohms(83_000)));
}

#[test]
fn what_is_shown_of_a_battery_is_short() {
    let shown = |energy: &str| energy.parse::<Energy>().unwrap().to_string();
    assert_eq!(shown("38 Wh"), "38 Wh");
    assert_eq!(shown("0.13 mJ"), "130 uJ");
    assert_eq!(shown("0 J"), "0 J");
    assert_eq!("3.2 Ah".parse::<Charge>().unwrap().to_string(), "3200 mAh");
    assert_eq!("2422.5 C".parse::<Charge>().unwrap().to_string(), "2422500 mC");
    assert_eq!("3.7 V".parse::<Voltage>().unwrap().to_string(), "3700 mV");
    assert_eq!("0.9 W".parse::<Power>().unwrap().to_string(), "900 mW");
}

#[test]
fn a_wide_quantity_says_how_wide_it_is() {
    assert_eq!(
        "0.5 aJ".parse::<Energy>().unwrap_err().to_string(),
        "`0.5 aJ` is not a whole number of aJ that fits in 128 bits"
    );
    assert_eq!(
        "20000000 kW".parse::<Power>().unwrap_err().to_string(),
        "`20000000 kW` is not a whole number of nW that fits in 64 bits"
    );
    assert_eq!(
        "3 Ah".parse::<Energy>().unwrap_err().to_string(),
        "`3 Ah` has the unit `Ah`; the units here are \
         aJ, fJ, pJ, nJ, uJ, mJ, J, kJ, mWh, Wh, kWh"
    );
}

#[test]
fn a_level_without_its_unit_is_refused() {
    let message = |text: &str| text.parse::<PowerLevel>().unwrap_err().to_string();
    assert_eq!(message("15"), "`15` has no unit; the units here are dBm");
    assert_eq!(message("15 dB"), "`15 dB` has the unit `dB`; the units here are dBm");
    assert_eq!(message("1e3 dBm"), "`1e3 dBm` has the unit `e3 dBm`; the units here are dBm");
    assert_eq!(
        message("inf dBm"),
        "`inf dBm` does not start with a number; write for example \"15 dBm\""
    );
    assert_eq!(
        message("--1 dBm"),
        "`--1 dBm` does not start with a number; write for example \"15 dBm\""
    );
    assert_eq!(message("1001 dBm"), "`1001 dBm` is outside -1000 to 1000 dBm");
    assert_eq!(
        "0.5 mm".parse::<Distance>().unwrap_err().to_string(),
        "`0.5 mm` is not a whole number of mm that fits in 64 bits"
    );
}

#[test]
fn what_is_not_exact_is_refused_with_the_reason() {
    let message = |text: &str| text.parse::<Duration>().unwrap_err().to_string();
    assert_eq!(message("50"), "`50` has no unit; the units here are ns, us, ms, s, min, h");
    assert_eq!(
        message("50 KiB"),
        "`50 KiB` has the unit `KiB`; the units here are ns, us, ms, s, min, h"
    );
    assert_eq!(message("0.5 ns"), "`0.5 ns` is not a whole number of ns that fits in 64 bits");
    assert_eq!(message("-1 s"), "`-1 s` does not start with a number; write for example \"50 ms\"");
    assert!("0 bit/s".parse::<BitRate>().is_err());
    assert!("1.1".parse::<Probability>().is_err());
}

#[test]
fn a_kilobyte_on_the_wire_and_on_the_air() {
    let segment = Bytes::from_kib(1);
    let wire = BitRate::from_mbit_per_s(8).transmission_time(segment);
    let air = BitRate::from_mbit_per_s(1).transmission_time(segment);
    assert_eq!(wire, Duration::from_micros(1_024));
    assert_eq!(air, Duration::from_micros(8_192));
    assert_eq!(wire.floor_to(Duration::from_millis(1)), Duration::from_millis(1));
    assert_eq!(air.floor_to(Duration::from_millis(1)), Duration::from_millis(8));
}

proptest! {
    #[test]
    fn what_is_shown_reads_back(ns in any::<u64>(), bytes in any::<u64>(), rate in 1u64..) {
        let (time, data) = (Duration::from_nanos(ns), Bytes::new(bytes));
        let rate = BitRate::new(rate).unwrap();
        prop_assert_eq!(time.to_string().parse(), Ok(time));
        prop_assert_eq!(data.to_string().parse(), Ok(data));
        prop_assert_eq!(rate.to_string().parse(), Ok(rate));
    }

    #[test]
    fn lengths_and_levels_read_back(mm in any::<u64>(), value in -1000.0..1000.0f64) {
        let distance = Distance::from_millimetres(mm);
        let (ratio, power) = (Decibels::new(value).unwrap(), PowerLevel::from_dbm(value).unwrap());
        prop_assert_eq!(distance.to_string().parse(), Ok(distance));
        prop_assert_eq!(ratio.to_string().parse(), Ok(ratio));
        prop_assert_eq!(power.to_string().parse(), Ok(power));
    }

    #[test]
    fn electric_quantities_read_back(value in any::<u64>(), wide in any::<u128>()) {
        let (power, current) = (Power::from_nanowatts(value), Current::from_nanoamperes(value));
        prop_assert_eq!(power.to_string().parse(), Ok(power));
        prop_assert_eq!(current.to_string().parse(), Ok(current));
        let (voltage, resistance) =
            (Voltage::from_microvolts(value), Resistance::from_microohms(value));
        prop_assert_eq!(voltage.to_string().parse(), Ok(voltage));
        prop_assert_eq!(resistance.to_string().parse(), Ok(resistance));
        let (energy, charge) = (Energy::from_attojoules(wide), Charge::from_attocoulombs(wide));
        prop_assert_eq!(energy.to_string().parse(), Ok(energy));
        prop_assert_eq!(charge.to_string().parse(), Ok(charge));
    }

    #[test]
    fn round_values_read_back_from_larger_units(whole in 0u64..1 << 40, unit in 0usize..11) {
        let units = ["aJ", "fJ", "pJ", "nJ", "uJ", "mJ", "J", "kJ", "mWh", "Wh", "kWh"];
        let energy: Energy = format!("{whole} {}", units[unit]).parse().unwrap();
        prop_assert_eq!(energy.to_string().parse(), Ok(energy));
    }

    #[test]
    fn no_text_panics(text in ".*") {
        let _ = text.parse::<Energy>();
        let _ = text.parse::<Charge>();
        let _ = text.parse::<Distance>();
        let _ = text.parse::<PowerLevel>();
        let _ = text.parse::<Duration>();
        let _ = text.parse::<BitRate>();
    }

    #[test]
    fn both_paths_of_the_division_agree(bytes in 0u64..1 << 40, rate in 1u64..1 << 40) {
        let exact = (u128::from(bytes) * 8_000_000_000).div_ceil(u128::from(rate));
        let expected = u64::try_from(exact).unwrap_or(u64::MAX);
        let rate = BitRate::new(rate).unwrap();
        prop_assert_eq!(rate.transmission_time(Bytes::new(bytes)).as_nanos(), expected);
    }
}
