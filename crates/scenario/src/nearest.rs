//! "Did you mean": the known word nearest to one that is not known.

/// Longer words are not names that somebody misspelt.
const LONGEST: usize = 64;

/// So many candidates are looked at, for each of thousands of wrong words.
const MOST_CANDIDATES: usize = 100;

/// A line of help that names the candidate nearest to `word`, or all candidates
/// if none is near.
pub(crate) fn help<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let mut candidates: Vec<&str> = candidates.into_iter().take(MOST_CANDIDATES).collect();
    candidates.dedup();
    did_you_mean(word, candidates.iter().copied()).or_else(|| {
        (1..=20).contains(&candidates.len()).then(|| format!("known are {}", list(&candidates)))
    })
}

/// A line of help that names the candidate nearest to `word`, if one is near.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, candidates).map(|nearest| format!("did you mean `{nearest}`?"))
}

/// "`a`, `b`, `c`"
pub(crate) fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The nearest candidate that differs in at most a third of its letters.
fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        // Insertions, deletions, replacements and swaps of neighbours.
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len() / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_listed() {
        assert_eq!(help("delai", ["rate", "delay"]).as_deref(), Some("did you mean `delay`?"));
        assert_eq!(help("x", ["rate", "delay"]).as_deref(), Some("known are `rate`, `delay`"));
        assert_eq!(help("titel", ["title"]).as_deref(), Some("did you mean `title`?"));
        assert_eq!(did_you_mean("bb", ["b"]), None);
        assert_eq!(help("x", []), None);
    }
}
