use super::*;

#[test]
fn wrong_names_are_refused_with_the_right_ones() {
    let error = Paper::named("knuth1968").err().unwrap().to_string();
    assert_eq!(error, "there is no paper `knuth1968`; expected one of goel1997, agarwal2000");

    let paper = Paper::named("goel1997").unwrap();
    let request = Request { item: Some("table_9.9".into()), ..Request::new(paper) };
    let error = request.total_runs().unwrap_err().to_string();
    assert!(error.starts_with("`goel1997` has no item `table_9.9`; expected one of table_5.4, "));

    let request = Request { effort: Effort::Runs(0), ..Request::new(paper) };
    assert!(matches!(request.total_runs(), Err(Error::NoRuns)));
}

#[test]
fn every_paper_is_readable() {
    for paper in PAPERS {
        assert!(!paper.items().unwrap().is_empty(), "{}", paper.key);
        assert!(!(paper.assumptions)().unwrap().assumptions.is_empty(), "{}", paper.key);
    }
}

/// Two cells whose values move together: the average deviation scatters as
/// much as each of them, and a published pair that lies high in both is one
/// high draw.
#[test]
fn cells_of_one_channel_are_one_draw() {
    let values =
        |centre: f64| Sample::new((0..39).map(|i| Some(centre + f64::from(i) - 19.0)).collect());
    let (a, b) = (values(0.0), values(100.0));
    let view = |first, second| SharedChannel::of("both", &[(first, &a), (second, &b)]).unwrap();
    let high = view(18.0, 118.0);
    assert_eq!((high.count, high.inside), (2, Some(true)));
    assert!((high.deviation_points - 18.0).abs() < 1e-9);
    assert!((high.pi95_low.unwrap() + 19.0).abs() < 1e-9);
    assert!((high.pi95_high.unwrap() - 19.0).abs() < 1e-9);
    assert_eq!(view(20.0, 120.0).inside, Some(false));
    // Deviations in opposite directions cancel.
    assert!(view(-15.0, 115.0).deviation_points.abs() < 1e-9);
    assert!(SharedChannel::of("none", &[]).is_none());
}

#[test]
fn a_paper_is_accepted_by_all_its_cells() {
    let acceptance = Acceptance { cells_inside_share: 0.85, signs_agree_share: 1.0 };
    let nothing = Summary::of("test", 39, &[], |_| true, (acceptance, 90));
    assert_eq!(nothing.accepted, None);
    let verdict = |cells_judged, cells_inside, cells_sign_agrees| {
        let summary = Summary {
            cells: 90,
            cells_judged,
            cells_inside,
            cells_signed: 69,
            cells_sign_agrees,
            ..nothing.clone()
        };
        acceptance.holds(&summary, 90)
    };
    assert_eq!(verdict(90, 77, 69), Some(true));
    assert_eq!(verdict(90, 76, 69), Some(false), "76.5 of 90 are expected");
    assert_eq!(verdict(90, 90, 68), Some(false));
    assert_eq!(verdict(89, 77, 69), None);
}
