// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: the readers and the table of all formats.
#pragma once

#include <array>

#include "importers/detail/machine.h"

namespace p2::inline importers {

// One function per format.
[[nodiscard]] Result<Described> readXml(std::string_view text);
[[nodiscard]] Result<Described> readSmiMatrix(std::string_view text);
[[nodiscard]] Result<Described> readRocmTables(std::string_view text);
[[nodiscard]] Result<Described> readNcclLog(std::string_view text);
[[nodiscard]] Result<Imported> importIbCabling(std::string_view text);
[[nodiscard]] Result<Imported> importLldp(std::string_view text);
[[nodiscard]] Result<Imported> importInfraGraph(std::string_view text);
[[nodiscard]] Result<Imported> importAstra(std::string_view text);
/// Links as ns-3, HTSim and SimAI read them: what ASTRA-sim's topology Custom names.
[[nodiscard]] Result<Imported> importAstraLinks(std::string_view text);
[[nodiscard]] bool isAstraLinks(std::string_view text);

[[nodiscard]] inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// One row for every format; a special one before a general one.
inline constexpr std::array kFormats{
    ImportFormat{"lstopo --of xml", "hwloc's XML, of versions 1 to 3", "xml",
                 [](std::string_view text, char first) { return first == '<' && has(text, "<topology"); }, readXml,
                 nullptr},
    ImportFormat{"NCCL_TOPO_DUMP_FILE", "XML that NCCL or RCCL writes, or a provider ships for NCCL_TOPO_FILE", "xml",
                 [](std::string_view, char first) { return first == '<'; }, readXml, nullptr},
    ImportFormat{"NCCL_DEBUG=INFO", "the system and its graphs in a log of NCCL or RCCL", "txt",
                 [](std::string_view text, char) { return has(text, "NCCL INFO") && has(text, "=== System"); },
                 readNcclLog, nullptr},
    ImportFormat{"amd-smi topology", "tables of links between AMD GPUs", "txt",
                 [](std::string_view text, char first) { return first != '{' && has(text, "LINK TYPE TABLE"); },
                 readRocmTables, nullptr},
    ImportFormat{"rocm-smi --showtopo", "tables of links between AMD GPUs", "txt",
                 [](std::string_view text, char first) {
                   return first != '{' &&
                          (has(text, "ROCm System Management") || has(text, "Link Type between two GPUs"));
                 },
                 readRocmTables, nullptr},
    ImportFormat{"nvidia-smi topo -m", "the matrix of connections between NVIDIA GPUs", "txt",
                 [](std::string_view text, char first) {
                   return first != '{' && (has(text, "GPU0") || has(text, "Legend:") || has(text, "CPU Affinity"));
                 },
                 readSmiMatrix, nullptr},
    ImportFormat{"ibnetdiscover", "the cabling of an InfiniBand cluster: hosts, leaves and spines", "txt",
                 [](std::string_view text, char first) {
                   return first != '{' && has(text, "switchguid=") && has(text, "caguid=");
                 },
                 nullptr, importIbCabling},
    ImportFormat{"LLDP", "the cabling of an Ethernet cluster: lldpctl or lldpcli of all hosts, as text or JSON", "txt",
                 [](std::string_view text, char) {
                   return has(text, "LLDP neighbors:") ||
                          (has(text, "\"lldp\"") && has(text, "\"interface\"") && has(text, "\"chassis\""));
                 },
                 nullptr, importLldp},
    ImportFormat{"InfraGraph", "devices, instances, links and edges of infragraph.dev, in YAML or JSON", "yaml",
                 [](std::string_view text, char first) {
                   const std::string_view end = first == '{' ? "\":" : ":";
                   return has(text, "instances" + std::string(end)) && has(text, "devices" + std::string(end)) &&
                          has(text, "components" + std::string(end));
                 },
                 nullptr, importInfraGraph},
    ImportFormat{"ns-3", "links of devices and switches, as ASTRA-sim's topology Custom and SimAI name them", "txt",
                 [](std::string_view text, char) { return isAstraLinks(text); }, nullptr, importAstraLinks},
    ImportFormat{"ASTRA-sim", "the network of a whole cluster, in YAML, or in JSON as older versions have it", "yml",
                 [](std::string_view text, char first) {
                   if (first == '{') return has(text, "\"topologies-per-dim\"");
                   return has(text, "npus_count") || has(text, "topology:");
                 },
                 nullptr, importAstra},
};

}  // namespace p2::inline importers
