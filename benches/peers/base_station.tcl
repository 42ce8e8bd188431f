# The bulk transfer of README.md in ns-2.
#
# Usage: ns base_station.tcl SEGMENTS FLOWS SEED
#
# Each of FLOWS flows sends SEGMENTS / FLOWS segments over links of its own.
# Prints one line of JSON.

lassign $argv segments flows seed
set per_flow [expr {$segments / $flows}]
set running $flows

# Only the headers that are used: ns-2 gives each packet room for all of them
# otherwise, which costs it time and memory.
remove-all-packet-headers
add-packet-header IP TCP Flags

ns-random $seed
set ns [new Simulator]
# Routes by hand: computing them for all pairs of nodes would dominate runs
# with many flows.
$ns rtproto Manual

Agent/TCP set packetSize_ 1024
Agent/TCP set window_ 32
Agent/TCP set windowInit_ 1
Agent/TCP set minrto_ 1
Agent/TCP set rtxcur_init_ 1
Agent/TCP set maxrto_ 60
Agent/TCP set tcpTick_ 0.001
Agent/TCP set singledup_ 0
Queue set limit_ 1000000000

# ns-2 calls this when the last segment has been acknowledged.
Agent/TCP/Reno instproc done {} {
    global ns running
    incr running -1
    if {$running == 0} finish
}

proc finish {} {
    global ns flows per_flow tcps
    set retransmitted 0
    foreach tcp $tcps {
        incr retransmitted [$tcp set nrexmitpack_]
    }
    puts -nonewline [format \
        {{"simulator": "ns-2", "segments": %d, "retransmitted": %d, "simulated_time_s": %.3f}} \
        [expr {$flows * $per_flow}] $retransmitted [$ns now]]
    puts ""
    # An event carries a serial number, which only the dump of the queue
    # shows: the newest one's is the count of all events ever scheduled.
    $ns at [expr {[$ns now] + 1}] {}
    flush stdout
    $ns halt
    $ns dumpq
    exit 0
}

# One channel for both directions: the state is drawn in time, and both
# directions' error models take their loss probability from it.
proc flip {state errors good bad} {
    global ns
    foreach error $errors {
        $error set rate_ $state
    }
    set stay [expr {$state ? [$bad value] : [$good value]}]
    $ns at [expr {[$ns now] + $stay}] \
        [list flip [expr {!$state}] $errors $good $bad]
}

proc stay {mean} {
    set variable [new RandomVariable/Exponential]
    $variable set avg_ $mean
    return $variable
}

set tcps {}
for {set flow 0} {$flow < $flows} {incr flow} {
    set source [$ns node]
    set base [$ns node]
    set sink [$ns node]
    $ns duplex-link $source $base 8Mb 100ms DropTail
    $ns duplex-link $base $sink 1Mb 1ms DropTail
    [$source get-module "Manual"] add-route-to-adj-node -default $base
    [$sink get-module "Manual"] add-route-to-adj-node -default $base
    [$base get-module "Manual"] add-route-to-adj-node $source
    [$base get-module "Manual"] add-route-to-adj-node $sink

    set errors {}
    foreach {from to} [list $base $sink $sink $base] {
        set error [new ErrorModel]
        $error unit pkt
        $error set rate_ 0
        $error ranvar [new RandomVariable/Uniform]
        $error drop-target [new Agent/Null]
        $ns link-lossmodel $error $from $to
        lappend errors $error
    }
    flip 0 $errors [stay 5.0] [stay 0.3]

    set tcp [new Agent/TCP/Reno]
    set receiver [new Agent/TCPSink]
    $ns attach-agent $source $tcp
    $ns attach-agent $sink $receiver
    $ns connect $tcp $receiver
    lappend tcps $tcp
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    $ns at 0.0 [list $ftp produce $per_flow]
}

$ns run
