// The IEEE 802.11b cases of README.md in ns-3.
//
// Usage: wireless CASE SECONDS SEED
//
// CASE is pair, pair-tcp, chain, cell or grid. Prints one line of JSON.

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/mobility-module.h>
#include <ns3/network-module.h>
#include <ns3/traffic-control-module.h>
#include <ns3/wifi-module.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace ns3;

namespace
{

constexpr uint32_t PACKET_BYTES = 1500;
constexpr uint32_t SEGMENT_BYTES = 1460;
constexpr uint32_t WINDOW_SEGMENTS = 16;
constexpr uint16_t PORT = 5001;
/// Who is nearer decodes, who is not hears nothing.
constexpr double RANGE_M = 250;
constexpr double SPACING_M = 200;
/// Far more than the channel can carry, to be divided among its senders: what
/// the card has no room for is dropped at once and costs next to nothing.
constexpr double OFFERED_BIT_PER_S = 30e6;

/// Payload that has arrived, by its packets' sizes.
uint64_t g_received = 0;

void
Receive(Ptr<const Packet> packet, const Address&)
{
    g_received += packet->GetSize();
}

void
Configure()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpClassicRecovery"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT_BYTES));
    // The send buffer bounds the window, see base_station.cc.
    Config::SetDefault("ns3::TcpSocket::SndBufSize",
                       UintegerValue(WINDOW_SEGMENTS * SEGMENT_BYTES));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1024 * SEGMENT_BYTES));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(1000));
    Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(1000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(1.0)));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    // Packets do not grow old in the card's queue.
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(1000)));
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", StringValue("100p"));
    Config::SetDefault("ns3::WifiRemoteStationManager::MaxSlrc", UintegerValue(4));
}

/// 802.11b in ad hoc mode: 11 Mbit/s, long preambles, no RTS, on a rectangle of
/// `columns` with `spacing` metres between neighbours. Link ACKs are sent at 11
/// Mbit/s: ns-3 wants them of the modulation of what they answer, and 2 Mbit/s
/// is not.
NetDeviceContainer
Install(const NodeContainer& nodes, uint32_t columns, double spacing)
{
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator",
                                  "DeltaX",
                                  DoubleValue(spacing),
                                  "DeltaY",
                                  DoubleValue(spacing),
                                  "GridWidth",
                                  UintegerValue(columns));
    mobility.Install(nodes);

    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    channel.AddPropagationLoss("ns3::RangePropagationLossModel", "MaxRange", DoubleValue(RANGE_M));
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac", "QosSupported", BooleanValue(false));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211b);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue("DsssRate11Mbps"));
    return wifi.Install(phy, mac, nodes);
}

/// Every station sends packets to the next one as fast as it can, below IP.
void
Saturate(const NodeContainer& nodes, const NetDeviceContainer& devices)
{
    PacketSocketHelper().Install(nodes);
    // In a pair, one sends; in a cell, all.
    const uint32_t senders = nodes.GetN() == 2 ? 1 : nodes.GetN();
    const double interval = PACKET_BYTES * 8 / (OFFERED_BIT_PER_S / senders);
    auto start = CreateObject<UniformRandomVariable>();
    for (uint32_t i = 0; i < senders; ++i)
    {
        const uint32_t next = (i + 1) % nodes.GetN();
        PacketSocketAddress address;
        address.SetSingleDevice(devices.Get(i)->GetIfIndex());
        address.SetPhysicalAddress(devices.Get(next)->GetAddress());
        address.SetProtocol(1);
        auto client = CreateObject<PacketSocketClient>();
        client->SetRemote(address);
        client->SetAttribute("PacketSize", UintegerValue(PACKET_BYTES));
        client->SetAttribute("MaxPackets", UintegerValue(0));
        client->SetAttribute("Interval", TimeValue(Seconds(interval)));
        client->SetStartTime(Seconds(start->GetValue(0, interval)));
        nodes.Get(i)->AddApplication(client);

        PacketSocketAddress own;
        own.SetSingleDevice(devices.Get(next)->GetIfIndex());
        own.SetProtocol(1);
        auto server = CreateObject<PacketSocketServer>();
        server->SetLocal(own);
        server->TraceConnectWithoutContext("Rx", MakeCallback(&Receive));
        nodes.Get(next)->AddApplication(server);
    }
}

/// One TCP flow along each row, from its first node to its last, by fixed
/// routes and without ARP.
void
Transfer(const NodeContainer& nodes, const NetDeviceContainer& devices, uint32_t columns)
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    Ipv4StaticRoutingHelper routing;
    stack.SetRoutingHelper(routing);
    stack.Install(nodes);
    auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    TrafficControlHelper().Uninstall(devices);
    NeighborCacheHelper().PopulateNeighborCache(interfaces);

    for (uint32_t first = 0; first < nodes.GetN(); first += columns)
    {
        const uint32_t last = first + columns - 1;
        for (uint32_t i = first; i <= last; ++i)
        {
            auto table = routing.GetStaticRouting(nodes.Get(i)->GetObject<Ipv4>());
            if (i < last)
            {
                table->AddHostRouteTo(interfaces.GetAddress(last), interfaces.GetAddress(i + 1), 1);
            }
            if (i > first)
            {
                table->AddHostRouteTo(interfaces.GetAddress(first),
                                      interfaces.GetAddress(i - 1),
                                      1);
            }
        }
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink.Install(nodes.Get(last)).Get(0)->TraceConnectWithoutContext("Rx",
                                                                         MakeCallback(&Receive));
        BulkSendHelper bulk("ns3::TcpSocketFactory",
                            InetSocketAddress(interfaces.GetAddress(last), PORT));
        bulk.SetAttribute("SendSize", UintegerValue(SEGMENT_BYTES));
        bulk.Install(nodes.Get(first));
    }
}

} // namespace

int
main(int argc, char** argv)
{
    const std::string name = argc == 4 ? argv[1] : "";
    uint32_t columns = 0;
    uint32_t rows = 1;
    if (name == "pair" || name == "pair-tcp")
    {
        columns = 2;
    }
    else if (name == "chain")
    {
        columns = 4;
    }
    else if (name == "cell")
    {
        columns = 50;
    }
    else if (name == "grid")
    {
        columns = 10;
        rows = 10;
    }
    else
    {
        std::fprintf(stderr, "usage: %s pair|pair-tcp|chain|cell|grid SECONDS SEED\n", argv[0]);
        return 2;
    }
    const double seconds = std::strtod(argv[2], nullptr);
    RngSeedManager::SetSeed(std::strtoul(argv[3], nullptr, 10));

    Configure();
    NodeContainer nodes(columns * rows);
    const bool apart = name == "chain" || name == "grid";
    auto devices = Install(nodes, columns, apart ? SPACING_M : 1.0);
    if (name == "pair" || name == "cell")
    {
        Saturate(nodes, devices);
    }
    else
    {
        Transfer(nodes, devices, columns);
    }
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    std::printf("{\"simulator\": \"ns-3\", \"events\": %" PRIu64
                ", \"simulated_time_s\": %.3f, \"goodput_bit_per_s\": %.0f}\n",
                Simulator::GetEventCount(),
                seconds,
                g_received * 8 / seconds);
    Simulator::Destroy();
    return g_received > 0 ? 0 : 1;
}
