//! 100 MB through everything at once.

use libtest_mimic::Trial;

use crate::transfers::{MEGABYTE, Role, Transfer};
use crate::trial;

const BAD: [&str; 8] =
    ["--loss", "0.005", "--duplicate", "0.005", "--reorder", "0.005", "--corrupt", "0.005"];

pub(crate) fn trials() -> Vec<Trial> {
    [Role::Send, Role::Recv]
        .into_iter()
        .flat_map(|role| {
            [("a good line", [].as_slice()), ("a bad line", &BAD)].map(|it| (role, it))
        })
        .map(|(role, (name, line))| {
            trial(format!("100 MB, {role:?}, {name}"), move || {
                Transfer::new(role, 100 * MEGABYTE, line).run();
            })
        })
        .collect()
}
