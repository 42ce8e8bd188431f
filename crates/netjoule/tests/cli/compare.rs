//! `netjoule compare`

use super::{SHORT, fields, netjoule, objects, succeed, text, workplace};

#[test]
fn json_has_the_fields_that_scripts_rely_on() {
    let directory = workplace();
    let lines = succeed(directory.path(), &["compare", "base.toml", "--runs", "3", "--json"]);
    let objects = objects(&lines);
    let promised = [
        "variant",
        "metric",
        "unit",
        "n",
        "mean",
        "ci95_low",
        "ci95_high",
        "pi95_low",
        "pi95_high",
        "baseline",
        "difference",
        "difference_ci95_low",
        "difference_ci95_high",
    ];
    for object in &objects {
        for name in promised {
            assert!(fields(object).contains(&name), "no {name} in {object}");
        }
    }
    for variant in ["no-loss", "reno", "simple-icmp", "refined-icmp"] {
        let row = objects
            .iter()
            .find(|row| row["variant"] == variant && row["metric"] == "completion_time_s")
            .unwrap();
        assert_eq!(row["n"], 3);
        assert_eq!(row["unit"], "s");
        assert!(row["ci95_low"].as_f64() <= row["mean"].as_f64());
        assert!(row["mean"].as_f64() <= row["ci95_high"].as_f64());
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_jobs() {
    let directory = workplace();
    let with = |jobs| {
        let arguments = ["compare", "base.toml", "--runs", "6", "--json", "--jobs", jobs];
        succeed(directory.path(), &arguments)
    };
    assert_eq!(with("1"), with("3"));
}

#[test]
fn the_table_fits_and_has_every_variant() {
    let directory = workplace();
    let variants = "reno,tahoe,newreno,simple-icmp,refined-icmp,newreno-refined-icmp";
    let table = succeed(
        directory.path(),
        &["compare", "--set", SHORT, "--runs", "4", "--variants", variants],
    );
    for title in ["No loss", "Reno", "Tahoe", "NewReno", "Simple ICMP", "Refined ICMP"] {
        assert!(table.contains(title), "no {title} in\n{table}");
    }
    assert!(table.contains("improvement over Unmodified, %"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

#[test]
fn runs_that_stop_early_are_left_out_and_fail() {
    let directory = workplace();
    let output = netjoule(
        directory.path(),
        &["compare", "base.toml", "--runs", "2", "--set", "run.time_limit=1 s"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(text(output.stdout).contains("runs not completed"));
    assert!(text(output.stderr).contains("8 runs stopped"));
}
