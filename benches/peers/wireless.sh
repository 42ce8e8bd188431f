#!/usr/bin/env bash
# Runs the IEEE 802.11b cases of README.md in ns-3 and netjoule, side by side.
set -euo pipefail

usage() {
    cat <<'TEXT'
Simulates the same cases of IEEE 802.11b in ns-3 and netjoule and prints how many
simulated seconds each gets through in a second of processor time. A simulator
that is not there, or cannot do a case, is skipped, and the reason printed.

Usage: wireless.sh [OPTIONS]

Options:
  --cases LIST   Of pair, pair-tcp, chain, cell, grid, with commas [all]
  --seconds N    Simulated seconds, instead of what keeps ns-3 below half a minute
  --runs N       Runs of each; the table has the medians [3]
  --only LIST    Simulators to run, with commas [ns-3,netjoule]
  --install      Install ns-3, a compiler and the time command with apt-get first
  -h, --help     Print this help

Environment:
  CARGO_TARGET_DIR   Where programs are built [target in the workspace]
TEXT
}

fail() {
    printf 'wireless.sh: %s\n' "$1" >&2
    exit 2
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
workspace=$(cd -- "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$workspace/target}
cases_list=pair,pair-tcp,chain,cell,grid
seconds_wanted=
runs=3
only=ns-3,netjoule
install=false

while (($#)); do
    option=$1
    shift
    case $option in
    -h | --help)
        usage
        exit 0
        ;;
    --install) install=true ;;
    --cases | --seconds | --runs | --only)
        (($#)) || fail "$option needs a value; see --help"
        case $option in
        --cases) cases_list=$1 ;;
        --seconds) seconds_wanted=$1 ;;
        --runs) runs=$1 ;;
        --only) only=$1 ;;
        esac
        shift
        ;;
    *) fail "unknown option $option; see --help" ;;
    esac
done

number='^[1-9][0-9]{0,5}$'
[[ $runs =~ $number ]] || fail "--runs: expected a number above 0, got \"$runs\""
[[ -z $seconds_wanted || $seconds_wanted =~ $number ]] ||
    fail "--seconds: expected a number above 0, got \"$seconds_wanted\""
IFS=, read -r -a cases <<<"$cases_list"
IFS=, read -r -a simulators <<<"$only"
((${#cases[@]})) || fail "--cases: expected names, got \"\""
((${#simulators[@]})) || fail "--only: expected ns-3 or netjoule, got \"\""
for case in "${cases[@]}"; do
    case $case in
    pair | pair-tcp | chain | cell | grid) ;;
    *) fail "--cases: expected pair, pair-tcp, chain, cell or grid, got \"$case\"" ;;
    esac
done
for simulator in "${simulators[@]}"; do
    case $simulator in
    ns-3 | netjoule) ;;
    *) fail "--only: expected ns-3 or netjoule, got \"$simulator\"" ;;
    esac
done

if $install; then
    as_root=()
    ((EUID == 0)) || as_root=(sudo)
    "${as_root[@]}" apt-get update
    "${as_root[@]}" apt-get install -y --no-install-recommends g++ libns3-dev time
fi
[[ -x /usr/bin/time ]] || fail "/usr/bin/time is missing: install the package time, or use --install"

mkdir -p "$target/peers"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# Makes the simulator $1 ready; prints why it can't be, and fails, otherwise.
prepare() {
    case $1 in
    ns-3)
        command -v g++ >/dev/null || {
            echo "no compiler g++ (see --install)"
            return 1
        }
        if [[ ! -e /usr/include/ns3/wifi-module.h ]]; then
            echo "no headers of ns-3 (package libns3-dev; see --install)"
            return 1
        fi
        local built=$target/peers/wireless
        if [[ ! $built -nt $here/wireless.cc ]] &&
            ! g++ -std=c++17 -O2 "$here/wireless.cc" -o "$built" -Wl,--as-needed \
                -lns3-wifi -lns3-applications -lns3-internet -lns3-bridge \
                -lns3-traffic-control -lns3-mobility -lns3-propagation -lns3-energy \
                -lns3-antenna -lns3-spectrum -lns3-network -lns3-stats -lns3-core \
                2>"$scratch/g++"; then
            echo "wireless.cc does not compile: $(grep -m 1 -E 'error|undefined' "$scratch/g++")"
            return 1
        fi
        ;;
    netjoule)
        command -v cargo >/dev/null || {
            echo "no program cargo"
            return 1
        }
        if ! (cd "$workspace" && cargo build --quiet --release -p netjoule &&
            cargo build --quiet --release -p netjoule-benches --bin air) 2>"$scratch/cargo"; then
            echo "netjoule does not build: $(grep -m 1 '^error' "$scratch/cargo")"
            return 1
        fi
        ;;
    esac
}

# Writes netjoule's scenario of case $1 for $2 seconds: one TCP flow along each
# row of stations 200 m apart, of which each hears its neighbours only.
scenario() {
    local columns=2 rows=1
    case $1 in
    chain) columns=4 ;;
    grid) columns=10 rows=10 ;;
    esac
    awk -v columns="$columns" -v rows="$rows" -v seconds="$2" 'BEGIN {
        print "title = \"802.11b\""
        printf "[run]\ntime_limit = \"%d s\"\n", seconds
        print "[tcp]\nvariant = \"newreno\"\nmss = \"1460 B\""
        printf "receive_window = \"%d B\"\n", 16 * 1460
        for (row = 0; row < rows; row++)
            for (column = 0; column < columns; column++) {
                end = column == 0 || column == columns - 1
                name = "n" row "-" column
                printf "[[node]]\nname = \"%s\"\nkind = \"%s\"\n", name, end ? "host" : "router"
                printf "position = [\"%d m\", \"%d m\"]\n", 200 * column, 200 * row
                names = names (names ? ", " : "") "\"" name "\""
            }
        print "[[air]]\nname = \"air\"\nrange = \"250 m\"\ncontrol_rate = \"11 Mbit/s\""
        print "stations = [" names "]"
        for (row = 0; row < rows; row++) {
            printf "[[connection]]\nfrom = \"n%d-0\"\nto = \"n%d-%d\"\n", row, row, columns - 1
            print "transfer = \"100 GB\""
        }
    }'
}

# The values of the number $1 in the output of a run.
field() {
    sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$scratch/out"
}

# Runs simulator $1 on case $2 for $3 seconds with seed $4; prints CPU seconds, KB
# and Mbit/s.
measure() {
    local command
    case $1,$2 in
    ns-3,*) command=("$target/peers/wireless" "$2" "$3" "$4") ;;
    netjoule,pair | netjoule,cell) command=("$target/release/air" "$2" "$3") ;;
    netjoule,*)
        scenario "$2" "$3" >"$scratch/$2.toml"
        command=("$target/release/netjoule" run "$scratch/$2.toml" --seed "$4" --json)
        ;;
    esac
    local TIMEFORMAT='%U %S' status=0
    # shellcheck disable=SC2261 # the outer redirection is that of `time` alone
    { time /usr/bin/time -q -f %M -o "$scratch/memory" "${command[@]}" \
        >"$scratch/out" 2>"$scratch/err"; } 2>"$scratch/seconds" || status=$?
    # netjoule says with 1 that the transfers did not complete; they are not meant to.
    if ((status > 1)) || ! grep -q goodput "$scratch/out"; then
        head -n 3 "$scratch/err" >&2
        return 1
    fi
    local user system
    read -r user system <"$scratch/seconds"
    field goodput_bit_per_s | awk -v cpu="$user $system" -v memory="$(tail -n 1 "$scratch/memory")" '
        { goodput += $1 }
        END { split(cpu, used, " "); printf "%.3f %d %.3f\n", used[1] + used[2], memory, goodput / 1e6 }'
}

# The median of column $1 of standard input.
median() {
    awk -v column="$1" '{ print $column }' | sort -n | awk '
        { value[NR] = $1 }
        END { print (NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2) }'
}

# Simulated seconds of case $1: about ten seconds of ns-3.
duration() {
    case $1 in
    pair) echo 300 ;;
    pair-tcp) echo 200 ;;
    chain) echo 200 ;;
    cell) echo 20 ;;
    grid) echo 10 ;;
    esac
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

printf '%-9s %-9s %12s %9s %14s %8s %8s\n' \
    case simulator simulated/s CPU/s simulated/CPU Mbit/s peak/MB
for case in "${cases[@]}"; do
    seconds=${seconds_wanted:-$(duration "$case")}
    for simulator in "${ready[@]}"; do
        results=$scratch/$simulator-$case
        for ((seed = 1; seed <= runs; seed++)); do
            measure "$simulator" "$case" "$seconds" "$seed" >>"$results" || {
                printf '%-9s %-9s failed; its first error lines are above\n' "$case" "$simulator"
                continue 2
            }
        done
        awk -v name="$case" -v simulator="$simulator" -v simulated="$seconds" \
            -v cpu="$(median 1 <"$results")" -v memory="$(median 2 <"$results")" \
            -v goodput="$(median 3 <"$results")" 'BEGIN {
                printf "%-9s %-9s %12d %9.3f %14.1f %8.3f %8.1f\n", name, simulator, simulated,
                    cpu, (cpu > 0) ? simulated / cpu : 0, goodput, memory / 1024
            }'
    done
done
