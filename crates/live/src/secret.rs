//! A key that nobody can guess.

use crate::Error;

/// The key of initial sequence numbers and timestamps (RFC 6528 section 3),
/// from the system's source of randomness.
///
/// # Errors
/// If the system has none.
pub fn secret() -> Result<[u8; 16], Error> {
    let mut key = [0; 16];
    getrandom::fill(&mut key)
        .map_err(|error| Error::new("get random bytes", std::io::Error::other(error)))?;
    Ok(key)
}
