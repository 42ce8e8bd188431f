//! The Internet checksum against a plain copy: in cache, for an ACK, the
//! default segment of RFC 9293, an Ethernet segment, a jumbo frame and the
//! longest write. `cargo bench -p netjoule-benches --bench checksum`
//!
//! What agarwal2000 3.3 claims is the point: wide words in any order are
//! cheaper than 16-bit ones, and a sum that is taken while copying costs little
//! more than the copy.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use netjoule_wire::checksum::Sum;

/// Bytes.
const LENGTHS: [usize; 5] = [40, 536, 1460, 9000, 65_536];

/// Bytes in a cache line: both buffers begin at the start of one.
const LINE: usize = 64;

/// The sum in 16-bit words in network order, as RFC 1071 defines it.
fn by_16_bits(bytes: &[u8]) -> u16 {
    let mut words = bytes.chunks_exact(2);
    let sum = words
        .by_ref()
        .fold(0u32, |sum, word| sum + u32::from(u16::from_be_bytes([word[0], word[1]])));
    let sum = sum + words.remainder().first().map_or(0, |&last| u32::from(last) << 8);
    let sum = (sum >> 16) + (sum & 0xffff);
    #[expect(clippy::cast_possible_truncation, reason = "the carry is added, then cut off")]
    let folded = (sum + (sum >> 16)) as u16;
    !folded
}

/// The same, one word at a time: a vectorising compiler must not help, as none
/// did in 2000.
fn by_16_bits_in_turn(bytes: &[u8]) -> u16 {
    let mut words = bytes.chunks_exact(2);
    let sum = words
        .by_ref()
        .fold(0u32, |sum, word| black_box(sum + u32::from(u16::from_be_bytes([word[0], word[1]]))));
    let sum = sum + words.remainder().first().map_or(0, |&last| u32::from(last) << 8);
    let sum = (sum >> 16) + (sum & 0xffff);
    #[expect(clippy::cast_possible_truncation, reason = "the carry is added, then cut off")]
    let folded = (sum + (sum >> 16)) as u16;
    !folded
}

fn checksum(criterion: &mut Criterion) {
    let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(2 * LINE + LENGTHS[4]).collect();
    let mut copy = vec![0; bytes.len()];
    let (first, second) = (bytes.as_ptr().align_offset(LINE), copy.as_ptr().align_offset(LINE));
    let mut group = criterion.benchmark_group("checksum");
    for len in LENGTHS {
        let from = &bytes[first..][..len];
        let to = &mut copy[second..][..len];
        assert_eq!(Sum::of(from).finish(), by_16_bits(from));
        group.throughput(Throughput::Bytes(len as u64));
        group.bench_function(BenchmarkId::new("copy alone", len), |bencher| {
            bencher.iter(|| black_box(&mut *to).copy_from_slice(black_box(from)));
        });
        group.bench_function(BenchmarkId::new("copy and sum in one pass", len), |bencher| {
            bencher.iter(|| Sum::copying(black_box(to), black_box(from)));
        });
        group.bench_function(BenchmarkId::new("copy, then sum", len), |bencher| {
            bencher.iter(|| {
                black_box(&mut *to).copy_from_slice(black_box(from));
                Sum::of(black_box(to))
            });
        });
        group.bench_function(BenchmarkId::new("sum alone", len), |bencher| {
            bencher.iter(|| Sum::of(black_box(from)));
        });
        group.bench_function(BenchmarkId::new("16-bit words, vectorised", len), |bencher| {
            bencher.iter(|| by_16_bits(black_box(from)));
        });
        group.bench_function(BenchmarkId::new("16-bit words in turn", len), |bencher| {
            bencher.iter(|| by_16_bits_in_turn(black_box(from)));
        });
    }
    group.finish();
}

criterion_group!(benches, checksum);
criterion_main!(benches);
