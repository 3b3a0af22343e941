// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: what hwloc's XML says, without hwloc.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "importers/detail/pci.h"

namespace p2::inline importers {

struct HwlocObject {
  enum class Type { Other, Package, Die, L3Cache, Core, Unit, Bridge, PciDevice, OsDevice };
  Type type = Type::Other;
  int parent = -1;
  int memory = -1;       ///< the only memory node it is near; −1 when they are several or none
  std::uint64_t id = 0;  ///< hwloc's own number; 0 without one
  bool allowed = true;   ///< whether the machine's user may use it
  PciId pci;             ///< of PCI devices and bridges
  double bandwidth = 0;  ///< bytes/s of the PCI link above; 0 if unknown
  std::string name;      ///< a PCI device's product name; an OS device's name: "mlx5_0", "cuda1"
  std::string kind;      ///< class of an OS device: "OpenFabrics", "CUDA"
};

/// A matrix between objects: "NVLinkBandwidth", in MB/s.
struct HwlocDistances {
  std::string name;
  std::vector<std::uint64_t> objects;  ///< by HwlocObject::id
  std::vector<double> values;          ///< row by row
};

/// The objects that matter, every parent before its children.
struct HwlocTree {
  std::vector<HwlocObject> objects;
  std::vector<HwlocDistances> distances;
};

/// Reads <topology> of hwloc 1 to 3. libhwloc itself is not used: it reads only its own and earlier
/// versions, and trusts the file. Errors: no objects, or such as hwloc never writes. O(text).
[[nodiscard]] Result<HwlocTree> hwlocTreeFrom(const pugi::xml_node& topology);

}  // namespace p2::inline importers
