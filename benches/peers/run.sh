#!/usr/bin/env bash
# Runs the scenario of README.md in ns-2, ns-3 and netjoule, side by side.
set -euo pipefail

usage() {
    cat <<'TEXT'
Runs the same bulk transfer in ns-2, ns-3 and netjoule and prints what each
costs. A simulator that is not there is skipped, and the reason printed.

Usage: run.sh [OPTIONS]

Options:
  --segments N   Data segments per process, over all flows [100000]
  --full         The same as --segments 1000000
  --flows LIST   Numbers of parallel flows, with commas, each flow with links
                 of its own [1]
  --runs N       Runs of each, with seeds 1 to N; the table has the medians [5]
  --only LIST    Simulators to run, with commas [ns-2,ns-3,netjoule]
  --install      Install ns-2, ns-3 and the time command with apt-get first
  -h, --help     Print this help

Environment:
  CARGO_TARGET_DIR   Where programs are built [target in the workspace]
TEXT
}

fail() {
    printf 'run.sh: %s\n' "$1" >&2
    exit 2
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
workspace=$(cd -- "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$workspace/target}
segments=100000
flows_list=1
runs=5
only=ns-2,ns-3,netjoule
install=false

while (($#)); do
    option=$1
    shift
    case $option in
    -h | --help)
        usage
        exit 0
        ;;
    --full) segments=1000000 ;;
    --install) install=true ;;
    --segments | --flows | --runs | --only)
        (($#)) || fail "$option needs a value; see --help"
        case $option in
        --segments) segments=$1 ;;
        --flows) flows_list=$1 ;;
        --runs) runs=$1 ;;
        --only) only=$1 ;;
        esac
        shift
        ;;
    *) fail "unknown option $option; see --help" ;;
    esac
done

number='^[1-9][0-9]{0,11}$'
[[ $segments =~ $number ]] || fail "--segments: expected a number above 0, got \"$segments\""
[[ $runs =~ $number ]] || fail "--runs: expected a number above 0, got \"$runs\""
IFS=, read -r -a flows_wanted <<<"$flows_list"
IFS=, read -r -a simulators <<<"$only"
((${#flows_wanted[@]})) || fail "--flows: expected numbers above 0, got \"\""
((${#simulators[@]})) || fail "--only: expected ns-2, ns-3 or netjoule, got \"\""
for flows in "${flows_wanted[@]}"; do
    [[ $flows =~ $number ]] || fail "--flows: expected numbers above 0, got \"$flows\""
    ((segments % flows == 0)) || fail "$segments segments do not divide into $flows flows"
done
for simulator in "${simulators[@]}"; do
    case $simulator in
    ns-2 | ns-3 | netjoule) ;;
    *) fail "--only: expected ns-2, ns-3 or netjoule, got \"$simulator\"" ;;
    esac
done

if $install; then
    as_root=()
    ((EUID == 0)) || as_root=(sudo)
    "${as_root[@]}" apt-get update
    "${as_root[@]}" apt-get install -y --no-install-recommends g++ libns3-dev ns2 time
fi
[[ -x /usr/bin/time ]] || fail "/usr/bin/time is missing: install the package time, or use --install"

mkdir -p "$target/peers"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# Makes the simulator $1 ready; prints why it can't be, and fails, otherwise.
prepare() {
    case $1 in
    ns-2)
        command -v ns >/dev/null || {
            echo "no program ns (package ns2; see --install)"
            return 1
        }
        ;;
    ns-3)
        command -v g++ >/dev/null || {
            echo "no compiler g++ (see --install)"
            return 1
        }
        if [[ ! -e /usr/include/ns3/core-module.h ]]; then
            echo "no headers of ns-3 (package libns3-dev; see --install)"
            return 1
        fi
        local built=$target/peers/base_station
        if [[ ! $built -nt $here/base_station.cc ]] &&
            ! g++ -std=c++17 -O2 "$here/base_station.cc" -o "$built" -Wl,--as-needed \
                -lns3-point-to-point -lns3-applications -lns3-internet -lns3-bridge \
                -lns3-traffic-control -lns3-network -lns3-stats -lns3-core \
                2>"$scratch/g++"; then
            echo "base_station.cc does not compile: $(grep -m 1 -E 'error|undefined' "$scratch/g++")"
            return 1
        fi
        ;;
    netjoule)
        command -v cargo >/dev/null || {
            echo "no program cargo"
            return 1
        }
        if ! (cd "$workspace" && cargo build --quiet --release) 2>"$scratch/cargo"; then
            echo "netjoule does not build: $(grep -m 1 '^error' "$scratch/cargo")"
            return 1
        fi
        ;;
    esac
}

# Writes netjoule's scenario of $1 flows.
scenario() {
    awk -v flows="$1" -v bytes="$((segments * 1024 / $1))" '
        /^transfer = / { $0 = "transfer = \"" bytes " B\"" }
        repeated { flow = flow $0 "\n"; next }
        /^# ----/ { repeated = 1; next }
        { print }
        END {
            for (i = 1; i <= flows; i++) {
                copy = flow
                gsub(/-1"/, "-" i "\"", copy)
                printf "%s", copy
            }
        }' "$here/scenario.toml"
}

# The value of the number $1 in the output of a run.
field() {
    sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$scratch/out" | head -n 1
}

# Runs simulator $1 with $2 flows and seed $3; prints events, CPU seconds, KB and
# simulated seconds.
measure() {
    local command
    case $1 in
    ns-2) command=(ns "$here/base_station.tcl" "$segments" "$2" "$3") ;;
    ns-3) command=("$target/peers/base_station" "$segments" "$2" "$3") ;;
    netjoule)
        command=("$target/release/netjoule" run "$scratch/scenario-$2.toml" --seed "$3" --json)
        ;;
    esac
    local TIMEFORMAT='%U %S'
    # shellcheck disable=SC2261 # the outer redirection is that of `time` alone
    if ! { time /usr/bin/time -f %M -o "$scratch/memory" "${command[@]}" \
        >"$scratch/out" 2>"$scratch/err"; } 2>"$scratch/seconds"; then
        head -n 3 "$scratch/err" >&2
        return 1
    fi
    if grep -q '"completed": *false' "$scratch/out"; then
        echo "$1 did not complete every transfer" >&2
        return 1
    fi
    local events user system memory
    if [[ $1 == ns-2 ]]; then
        # The newest event in the queue has the highest serial number.
        events=$(sed -n 's/.*uid: \([0-9]*\).*/\1/p' "$scratch/out" | sort -n | tail -n 1)
    else
        events=$(field events)
    fi
    if [[ -z $events ]]; then
        echo "$1 did not print its count of events" >&2
        return 1
    fi
    read -r user system <"$scratch/seconds"
    memory=$(tail -n 1 "$scratch/memory")
    awk -v e="$events" -v u="$user" -v s="$system" -v m="$memory" \
        -v t="$(field simulated_time_s)" \
        'BEGIN { printf "%d %.3f %d %.3f\n", e, u + s, m, t }'
}

# The median of column $1 of standard input.
median() {
    awk -v column="$1" '{ print $column }' | sort -n | awk '
        { value[NR] = $1 }
        END { print (NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2) }'
}

ready=()
for simulator in "${simulators[@]}"; do
    if reason=$(prepare "$simulator"); then
        ready+=("$simulator")
    else
        printf 'skipped %s: %s\n' "$simulator" "$reason"
    fi
done
((${#ready[@]})) || fail "no simulator is left to run"

printf '%-9s %6s %9s %12s %10s %8s %11s %9s %8s\n' \
    simulator flows segments simulated/s events CPU/s us/segment Mevents/s peak/MB
for flows in "${flows_wanted[@]}"; do
    scenario "$flows" >"$scratch/scenario-$flows.toml"
    # Seeds outside, simulators inside: the machine's moods meet all of them.
    for ((seed = 1; seed <= runs; seed++)); do
        for simulator in "${ready[@]}"; do
            [[ ! -e $scratch/$simulator-$flows.failed ]] || continue
            measure "$simulator" "$flows" "$seed" >>"$scratch/$simulator-$flows" ||
                touch "$scratch/$simulator-$flows.failed"
        done
    done
    for simulator in "${ready[@]}"; do
        results=$scratch/$simulator-$flows
        if [[ -e $results.failed ]]; then
            printf '%-9s %6d   failed; its first error lines are above\n' "$simulator" "$flows"
            continue
        fi
        awk -v simulator="$simulator" -v flows="$flows" -v segments="$segments" \
            -v events="$(median 1 <"$results")" -v seconds="$(median 2 <"$results")" \
            -v memory="$(median 3 <"$results")" -v simulated="$(median 4 <"$results")" 'BEGIN {
                printf "%-9s %6d %9d %12.0f %10d %8.3f %11.3f %9.2f %8.1f\n", simulator, flows,
                    segments, simulated, events, seconds, seconds / segments * 1e6,
                    (seconds > 0) ? events / seconds / 1e6 : 0, memory / 1024
            }'
    done
done
