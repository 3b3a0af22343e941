// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/properties.h"

#include <array>

#include "base/figures.h"

namespace p2::inline system {
namespace {

bool isSwitch(const Interconnect& link) { return link.kind == InterconnectKind::Switch; }
bool joinsAnything(const Interconnect& link) { return link.kind != InterconnectKind::None; }
bool hasDirections(const Interconnect& link) { return joinsAnything(link) && link.kind != InterconnectKind::Bus; }
bool hasPassers(const Interconnect& link) {
  return link.kind == InterconnectKind::Ring || link.kind == InterconnectKind::Mesh;
}

constexpr Property<Interconnect> kKind{
    {.key = "kind",
     .kind = PropertyKind::Choice,
     .label = "&Joined by",
     .tip = "How the members are joined; none on a level leaves it to the networks",
     .need = "a kind of interconnect",
     .choices = kInterconnectKinds,
     .always = true},
    [](const Interconnect& link) -> PropertyValue { return std::string(nameOf(link.kind)); },
    [](Interconnect& link, const PropertyValue& value) {
      link.kind = interconnectKindFrom(std::get<std::string>(value)).value();
    }};
constexpr Property<Interconnect> kColour{
    {.key = "colour",
     .kind = PropertyKind::Colour,
     .label = "Colour",
     .tip = "Colour in the drawing, with its letter",
     .need = "a colour is a category from 0, or -1",
     .least = -1,
     .most = 255},
    [](const Interconnect& link) -> PropertyValue { return std::int64_t{link.colour}; },
    [](Interconnect& link, const PropertyValue& value) {
      link.colour = static_cast<int>(std::get<std::int64_t>(value));
    },
    joinsAnything};

constexpr std::array kInterconnect{
    kKind,
    property<&Interconnect::bandwidth>(
        {.key = "bandwidth",
         .kind = PropertyKind::Bandwidth,
         .label = "&Bandwidth",
         .tip = "Per port or link and per direction, as in 270GB/s or 100Gbit/s; for a bus, all messages together",
         .need = "a bandwidth is a positive number of bytes/s",
         .least = kBandwidthRange.least,
         .most = kBandwidthRange.most,
         .always = true},
        joinsAnything),
    property<&Interconnect::latency>({.key = "latency",
                                      .kind = PropertyKind::Seconds,
                                      .label = "&Latency",
                                      .tip = "Time to cross it once, as in 2us",
                                      .need = "a latency is a number of seconds, 0 or more",
                                      .most = kDelayRange.most,
                                      .always = true},
                                     joinsAnything),
    property<&Interconnect::name>({.key = "name",
                                   .label = "N&etwork",
                                   .tip = "Name of this interconnect",
                                   .need = "an interconnect's name is a string",
                                   .always = true},
                                  joinsAnything),
    property<&Interconnect::core>({.key = "core",
                                   .kind = PropertyKind::Bandwidth,
                                   .label = "C&ore",
                                   .tip = "Bandwidth of the whole switch, as in 1TB/s; 0 if it does not block",
                                   .need = "a core is a number of bytes/s, 0 or more",
                                   .least = kBandwidthRange.least,
                                   .most = kBandwidthRange.most,
                                   .none = 0},
                                  isSwitch),
    property<&Interconnect::halfDuplex>({.key = "halfDuplex",
                                         .kind = PropertyKind::Flag,
                                         .label = "&Half duplex",
                                         .tip = "The two directions of a port or link share its bandwidth",
                                         .need = "use true or false"},
                                        hasDirections),
    property<&Interconnect::forwards>({.key = "forwards",
                                       .kind = PropertyKind::Flag,
                                       .label = "&Forwards",
                                       .tip = "Members forward messages for others",
                                       .need = "use true or false",
                                       .whenOff = "members forward nothing"},
                                      hasPassers),
    property<&Interconnect::reduces>({.key = "reduces",
                                      .kind = PropertyKind::Flag,
                                      .label = "&Reduces",
                                      .tip = "The switch reduces messages, as NVLink SHARP and InfiniBand SHARP do",
                                      .need = "use true or false"},
                                     isSwitch),
    property<&Interconnect::shared>(
        {.key = "shared",
         .kind = PropertyKind::Flag,
         .label = "&Shared",
         .tip = "All ports together have the bandwidth of one in each direction, as a CPU's "
                "way to its memory",
         .need = "use true or false"},
        isSwitch),
    property<&Interconnect::ringCap>(
        {.key = "ringCap",
         .kind = PropertyKind::Bandwidth,
         .label = "Ring ca&p",
         .tip = "How fast one ring sends from device to device, as in 8.7GB/s; 0 for the bandwidth",
         .need = "a ring cap is a number of bytes/s, 0 or more",
         .least = kBandwidthRange.least,
         .most = kBandwidthRange.most,
         .none = 0},
        joinsAnything),
    property<&Interconnect::treeCap>(
        {.key = "treeCap",
         .kind = PropertyKind::Bandwidth,
         .label = "&Tree cap",
         .tip = "How fast one tree sends from device to device, as in 6.2GB/s; 0 for the bandwidth",
         .need = "a tree cap is a number of bytes/s, 0 or more",
         .least = kBandwidthRange.least,
         .most = kBandwidthRange.most,
         .none = 0},
        joinsAnything),
    kColour,
    property<&Interconnect::fittedBandwidth>({.key = "fittedBandwidth",
                                              .kind = PropertyKind::Bandwidth,
                                              .label = "Fitted bandwidth",
                                              .tip = "Bandwidth fitted to measurements",
                                              .need = "a fitted bandwidth is a number of bytes/s, 0 or more",
                                              .least = kBandwidthRange.least,
                                              .most = kBandwidthRange.most,
                                              .none = 0,
                                              .inForm = false}),
    property<&Interconnect::fittedLatency>({.key = "fittedLatency",
                                            .kind = PropertyKind::Seconds,
                                            .label = "Fitted latency",
                                            .tip = "Latency fitted to measurements",
                                            .need = "a fitted latency is a number of seconds, 0 or more",
                                            .most = kDelayRange.most,
                                            .none = -1,
                                            .inForm = false}),
    property<&Interconnect::fittedRingCap>({.key = "fittedRingCap",
                                            .kind = PropertyKind::Bandwidth,
                                            .label = "Fitted ring cap",
                                            .tip = "Ring cap fitted to measurements",
                                            .need = "a fitted ring cap is a number of bytes/s, 0 or more",
                                            .least = kBandwidthRange.least,
                                            .most = kBandwidthRange.most,
                                            .none = 0,
                                            .inForm = false}),
    property<&Interconnect::fittedTreeCap>({.key = "fittedTreeCap",
                                            .kind = PropertyKind::Bandwidth,
                                            .label = "Fitted tree cap",
                                            .tip = "Tree cap fitted to measurements",
                                            .need = "a fitted tree cap is a number of bytes/s, 0 or more",
                                            .least = kBandwidthRange.least,
                                            .most = kBandwidthRange.most,
                                            .none = 0,
                                            .inForm = false}),
};

constexpr std::array kLevel{
    property<&Level::name>({.key = "name",
                            .label = "&Name",
                            .tip = "Name of the instances of this level",
                            .need = "a level's name is a string, as in gpu",
                            .always = true}),
    property<&Level::count>({.key = "count",
                             .kind = PropertyKind::Count,
                             .label = "&Count",
                             .tip = "Number of instances in each instance of the level above",
                             .need = "a level needs a count of 1 to 16777216",
                             .least = 1,
                             .most = static_cast<double>(kMostDevices),
                             .always = true}),
};

constexpr Property<Network> kNetworkName{
    {.key = "name",
     .label = "&Name",
     .tip = "Name of this network",
     .need = "a network's name is a string, as in NIC",
     .always = true},
    [](const Network& network) -> PropertyValue { return network.interconnect.name; },
    [](Network& network, const PropertyValue& value) { network.interconnect.name = std::get<std::string>(value); }};
constexpr Property<Network> kAssignment{
    {.key = "deal",
     .kind = PropertyKind::Choice,
     .label = "&Assigned",
     .tip = "How members are assigned to its instances: contiguous blocks, or in turn (round robin)",
     .need = "a way to assign members",
     .choices = kAssignments},
    [](const Network& network) -> PropertyValue { return std::string(nameOf(network.assignment)); },
    [](Network& network, const PropertyValue& value) {
      network.assignment = assignmentFrom(std::get<std::string>(value)).value();
    }};

constexpr std::array kNetwork{
    kNetworkName,
    property<&Network::within>({.key = "within",
                                .label = "&Within",
                                .tip = "Level that has such a network in each of its instances",
                                .need = "\"within\" names a level, or nothing for the system"}),
    property<&Network::instances>({.key = "instances",
                                   .kind = PropertyKind::Count,
                                   .label = "&Instances",
                                   .tip = "Number of such networks in each instance",
                                   .need = "a network needs 1 to 16777216 instances",
                                   .least = 1,
                                   .most = static_cast<double>(kMostDevices),
                                   .always = true}),
    kAssignment,
    property<&Network::members>({.key = "members",
                                 .kind = PropertyKind::Members,
                                 .label = "&Members",
                                 .tip = "Levels and networks that it joins, as in gpu, or gpu 0-3, NIC",
                                 .need = "a network needs a name, an interconnect and members",
                                 .always = true}),
    property<&Network::gateway>({.key = "gateway",
                                 .kind = PropertyKind::Flag,
                                 .label = "&Gateway",
                                 .tip = "Traffic of its enclosure to the outside goes only through it",
                                 .need = "use true or false"}),
};

constexpr std::array kLibrary{
    property<&Library::generation>(
        {.key = "generation",
         .kind = PropertyKind::Choice,
         .label = "&Generation",
         .tip = "Generation of the GPUs: decides which algorithms their collectives library has",
         .need = "a generation of GPUs",
         .choices = kGenerations}),
    property<&Library::version>({.key = "version",
                                 .label = "&Version",
                                 .tip = "Version of NCCL, as in 2.18; empty for the newest known one",
                                 .need = "a version is a string, as in 2.18"}),
    property<&Library::launch>({.key = "launch",
                                .kind = PropertyKind::Seconds,
                                .label = "&Launch",
                                .tip = "Least time of an operation, as in 40us if one process drives eight GPUs",
                                .need = "a launch is a number of seconds, 0 or more",
                                .most = kDelayRange.most}),
    property<&Library::nicShare>({.key = "nicShare",
                                  .kind = PropertyKind::Number,
                                  .label = "N&IC share",
                                  .tip = "Share of the NICs' bandwidth that long messages get at this site, as in "
                                         "0.92; 0 for the default of such a network",
                                  .need = "a NIC share is a number from 0.01 to 1, or 0 for the default",
                                  .least = 0.01,
                                  .most = 1,
                                  .none = 0}),
    property<&Library::congestion>({.key = "congestion",
                                    .kind = PropertyKind::Number,
                                    .label = "C&ongestion",
                                    .tip = "The exponent k of (nodes/2)^-k, by which bandwidth falls between many "
                                           "nodes: 0 on a clean fat tree; -1 for the default of such a network",
                                    .need = "a congestion exponent is a number from 0 to 1, or -1 for the default",
                                    .most = 1,
                                    .none = -1}),
    property<&Library::hop>(
        {.key = "hop",
         .kind = PropertyKind::Seconds,
         .label = "&Hop",
         .tip = "Latency from a GPU to a GPU of another node, as in 5us; 0 for the latencies of NICs and "
                "switches",
         .need = "a hop is a number of seconds, 0 or more",
         .most = kDelayRange.most}),
    property<&Library::pxn>({.key = "pxn",
                             .kind = PropertyKind::Flag,
                             .label = "&PXN",
                             .tip = "NCCL sends by way of the GPU on the receiver's rail; off for NCCL_PXN_DISABLE=1",
                             .need = "use true or false",
                             .whenOff = "without PXN",
                             .inForm = false}),
};

constexpr PropertyInfo speedInfo(std::string_view key, std::string_view label, std::string_view tip) {
  return {.key = key,
          .kind = PropertyKind::Speed,
          .label = label,
          .tip = tip,
          .need = "a speed is a number of FLOP/s, 0 where it is unknown",
          .least = kSpeedRange.least,
          .most = kSpeedRange.most,
          .none = 0};
}

constexpr std::array kAccelerator{
    property<&Accelerator::type>({.key = "type",
                                  .label = "De&vice",
                                  .tip = "Name of the product, as in H100-SXM5-80GB",
                                  .need = "a type is a string, as in H100-SXM5-80GB"}),
    property<&Accelerator::memory>({.key = "memory",
                                    .kind = PropertyKind::Amount,
                                    .label = "&Memory",
                                    .tip = "Memory of one device, as in 80GB; 0 if unknown. Strategies stay within it",
                                    .need = "a memory is a number of bytes, 0 where it is unknown",
                                    .least = kAmountRange.least,
                                    .most = kAmountRange.most,
                                    .none = 0}),
    property<&Accelerator::memoryBandwidth>({.key = "memoryBandwidth",
                                             .kind = PropertyKind::Bandwidth,
                                             .label = "Memory band&width",
                                             .tip = "Bandwidth of one device's memory, as in 3.35TB/s; 0 if unknown",
                                             .need = "a bandwidth is a number of bytes/s, 0 where it is unknown",
                                             .least = kBandwidthRange.least,
                                             .most = kBandwidthRange.most,
                                             .none = 0}),
    property<&Accelerator::fp32>(
        speedInfo("fp32", "FP32", "Peak of numbers of 4 bytes, as in 67TFLOP/s; 0 for unknown")),
    property<&Accelerator::bf16>(
        speedInfo("bf16", "BF16", "Peak of numbers of 2 bytes without sparsity, as in 989TFLOP/s; 0 for unknown")),
    property<&Accelerator::fp8>(
        speedInfo("fp8", "FP8", "Peak of numbers of 1 byte without sparsity, as in 1979TFLOP/s; 0 for unknown")),
    property<&Accelerator::power>({.key = "power",
                                   .kind = PropertyKind::Number,
                                   .label = "Po&wer",
                                   .tip = "Watts of a device while it computes, as in 700; 0 for its board's limit",
                                   .need = "a power is a number of watts up to 100000, 0 for the board's limit",
                                   .least = 0.1,
                                   .most = 1e5,
                                   .none = 0}),
    property<&Accelerator::price>({.key = "price",
                                   .kind = PropertyKind::Number,
                                   .label = "Price per &hour",
                                   .tip = "Price of one device for an hour, as in 2.5, in any currency; 0 if unknown",
                                   .need = "a price is a number up to 1000000, 0 where it is unknown",
                                   .least = 1e-6,
                                   .most = 1e6,
                                   .none = 0}),
};

}  // namespace

std::span<const Property<Interconnect>> interconnectProperties() { return kInterconnect; }
std::span<const Property<Level>> levelProperties() { return kLevel; }
std::span<const Property<Network>> networkProperties() { return kNetwork; }
std::span<const Property<Library>> libraryProperties() { return kLibrary; }
std::span<const Property<Accelerator>> acceleratorProperties() { return kAccelerator; }

}  // namespace p2::inline system
