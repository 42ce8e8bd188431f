// The bulk transfer of README.md in ns-3.
//
// Usage: base_station SEGMENTS FLOWS SEED
//
// Each of FLOWS flows sends SEGMENTS / FLOWS segments over links of its own.
// Prints one line of JSON.

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SEGMENT_BYTES = 1024;
constexpr uint16_t PORT = 5001;

/// Loses every packet that arrives while its channel is BAD. Both directions
/// of a wireless link share one.
class TwoStateChannel : public ErrorModel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("netjoule::peers::TwoStateChannel").SetParent<ErrorModel>();
        return id;
    }

    TwoStateChannel()
    {
        m_stay[0] = Stay(5.0);
        m_stay[1] = Stay(0.3);
    }

    /// Changes states until the sink has got all bytes.
    void Run(Ptr<PacketSink> sink, uint64_t bytes)
    {
        m_sink = sink;
        m_bytes = bytes;
        Simulator::Schedule(Seconds(m_stay[0]->GetValue()), &TwoStateChannel::Flip, this);
    }

    /// When this channel last looked, which is when the flow was over, at most
    /// one stay too late.
    Time GetEnd() const
    {
        return m_end;
    }

  private:
    static Ptr<ExponentialRandomVariable> Stay(double mean)
    {
        auto stay = CreateObject<ExponentialRandomVariable>();
        stay->SetAttribute("Mean", DoubleValue(mean));
        return stay;
    }

    void Flip()
    {
        m_end = Simulator::Now();
        if (m_sink->GetTotalRx() >= m_bytes)
        {
            m_bad = false;
            return;
        }
        m_bad = !m_bad;
        Simulator::Schedule(Seconds(m_stay[m_bad]->GetValue()), &TwoStateChannel::Flip, this);
    }

    bool DoCorrupt(Ptr<Packet>) override
    {
        return m_bad;
    }

    void DoReset() override
    {
    }

    bool m_bad = false;
    Ptr<ExponentialRandomVariable> m_stay[2];
    Ptr<PacketSink> m_sink;
    uint64_t m_bytes = 0;
    Time m_end;
};

void
Configure()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpLinuxReno"));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpClassicRecovery"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT_BYTES));
    // The send buffer bounds the window: with an advertised window that is
    // smaller than cwnd, the libraries of Debian's ns-3 3.37 crash.
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(32 * SEGMENT_BYTES));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1024 * SEGMENT_BYTES));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    // A connection never gives up.
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(1000));
    Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(1000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(1.0)));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    // Limited Transmit stays on: without it and SACK, an assertion of ns-3 fails
    // ("m_congState != CA_DISORDER" in tcp-socket-base.cc).
    Config::SetDefault("ns3::DropTailQueue<Packet>::MaxSize", StringValue("100000000p"));
}

/// A link without a traffic-control layer above its devices.
NetDeviceContainer
Connect(Ptr<Node> a, Ptr<Node> b, const char* rate, const char* delay)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue(rate));
    link.SetChannelAttribute("Delay", StringValue(delay));
    return link.Install(a, b);
}

Ipv4InterfaceContainer
Number(const NetDeviceContainer& devices, Ipv4AddressHelper& addresses)
{
    auto interfaces = addresses.Assign(devices);
    addresses.NewNetwork();
    TrafficControlHelper().Uninstall(devices);
    return interfaces;
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 4)
    {
        std::fprintf(stderr, "usage: %s SEGMENTS FLOWS SEED\n", argv[0]);
        return 2;
    }
    const uint64_t segments = std::strtoull(argv[1], nullptr, 10);
    const uint64_t flows = std::strtoull(argv[2], nullptr, 10);
    RngSeedManager::SetSeed(std::strtoul(argv[3], nullptr, 10));
    const uint64_t bytes = segments / flows * SEGMENT_BYTES;

    Configure();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    // Routes are set below.
    Ipv4StaticRoutingHelper routing;
    stack.SetRoutingHelper(routing);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");

    std::vector<Ptr<TwoStateChannel>> channels;
    std::vector<Ptr<PacketSink>> sinks;
    for (uint64_t flow = 0; flow < flows; ++flow)
    {
        NodeContainer nodes(3);
        auto source = nodes.Get(0);
        auto base = nodes.Get(1);
        auto receiver = nodes.Get(2);
        stack.Install(nodes);

        auto wired = Connect(source, base, "8Mbps", "100ms");
        auto wireless = Connect(base, receiver, "1Mbps", "1ms");
        auto wiredAt = Number(wired, addresses);
        auto wirelessAt = Number(wireless, addresses);
        routing.GetStaticRouting(source->GetObject<Ipv4>())
            ->SetDefaultRoute(wiredAt.GetAddress(1), wiredAt.Get(0).second);
        routing.GetStaticRouting(receiver->GetObject<Ipv4>())
            ->SetDefaultRoute(wirelessAt.GetAddress(0), wirelessAt.Get(1).second);

        auto channel = CreateObject<TwoStateChannel>();
        for (uint32_t end = 0; end < 2; ++end)
        {
            wireless.Get(end)->SetAttribute("ReceiveErrorModel", PointerValue(channel));
        }

        InetSocketAddress destination(wirelessAt.GetAddress(1), PORT);
        PacketSinkHelper sinkHelper("ns3::TcpSocketFactory",
                                    InetSocketAddress(Ipv4Address::GetAny(), PORT));
        auto sink = DynamicCast<PacketSink>(sinkHelper.Install(receiver).Get(0));
        BulkSendHelper bulk("ns3::TcpSocketFactory", destination);
        bulk.SetAttribute("MaxBytes", UintegerValue(bytes));
        bulk.SetAttribute("SendSize", UintegerValue(SEGMENT_BYTES));
        bulk.Install(source);

        channel->Run(sink, bytes);
        channels.push_back(channel);
        sinks.push_back(sink);
    }

    // Ends by itself: after the last byte the channels stand still.
    Simulator::Run();

    uint64_t received = 0;
    Time end;
    for (uint64_t flow = 0; flow < flows; ++flow)
    {
        received += sinks[flow]->GetTotalRx();
        end = std::max(end, channels[flow]->GetEnd());
    }
    std::printf("{\"simulator\": \"ns-3\", \"segments\": %" PRIu64 ", \"events\": %" PRIu64
                ", \"simulated_time_s\": %.3f}\n",
                received / SEGMENT_BYTES,
                Simulator::GetEventCount(),
                end.GetSeconds());
    Simulator::Destroy();
    return received == bytes * flows ? 0 : 1;
}
