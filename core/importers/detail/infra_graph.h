// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: documents of the InfraGraph project (infragraph.dev), expanded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline importers {

/// A link of an InfraGraph document.
struct InfraLink {
  std::string text;      ///< its name and description, in lower case: "xpu_fabric nvlink_4"
  double bandwidth = 0;  ///< bytes/s in each direction; 0 where it is not given
  double latency = 0;    ///< seconds
};

/// Kinds of components.
enum class InfraPart { Xpu, Cpu, Nic, Port, Switch, Other };

struct InfraEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t link = 0;
};

/// A device with all of its components, nested devices included.
struct InfraDevice {
  std::string name;
  std::string xpuText;  ///< description of its accelerators: "NVIDIA H100 / H200 SXM5"
  std::vector<InfraPart> parts;
  std::vector<std::size_t> holder;  ///< by part: the outermost device inside this one that holds it, or the part
  std::map<std::string, std::size_t> byName;  ///< "nic.0", "cx5.0.port.1"
  std::vector<InfraLink> links;
  std::vector<InfraEdge> edges;
};

/// One copy of a device.
struct InfraBox {
  std::size_t device = 0;
  std::string name;  ///< "host 3"
};

/// An edge between components of two boxes.
struct InfraCable {
  std::size_t fromBox = 0;
  std::size_t fromPart = 0;
  std::size_t toBox = 0;
  std::size_t toPart = 0;
  std::size_t link = 0;  ///< of InfraGraph::links
};

struct InfraGraph {
  std::string name;
  std::vector<InfraDevice> devices;
  std::vector<InfraBox> boxes;
  std::vector<InfraLink> links;
  std::vector<InfraCable> cables;
};

/// Reads YAML or JSON. Errors: broken text, a name that is not defined, an index out of range (each with its line), too
/// large when expanded. O(text + edges).
[[nodiscard]] Result<InfraGraph> infraGraphFrom(std::string_view text);

}  // namespace p2::inline importers
