// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/hwloc_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace p2::inline importers {
namespace {

using Type = HwlocObject::Type;

constexpr std::size_t kMostObjects = std::size_t{1} << 20;
constexpr std::size_t kMostDistances = 4096;  // objects of one matrix

struct TypeName {
  std::string_view name;
  Type type;
};
constexpr std::array<TypeName, 9> kTypes{{{"Package", Type::Package},
                                          {"Socket", Type::Package},
                                          {"Die", Type::Die},
                                          {"L3Cache", Type::L3Cache},
                                          {"Core", Type::Core},
                                          {"PU", Type::Unit},
                                          {"Bridge", Type::Bridge},
                                          {"PCIDev", Type::PciDevice},
                                          {"OSDev", Type::OsDevice}}};

constexpr std::array<std::string_view, 20> kOtherTypes{
    "Machine", "System",   "Group",    "Cluster",  "NUMANode", "Node",     "Cache",  "L1Cache", "L2Cache", "L4Cache",
    "L5Cache", "L1iCache", "L2iCache", "L3iCache", "Misc",     "MemCache", "Module", "Tile",    "Die",     "L1dCache"};

/// A set of processors or memory nodes: "0x00000001,,0x0f", words of 32 bits with the highest first; "0xf...f" before
/// them for all above.
class BitSet {
 public:
  explicit BitSet(std::string_view text) {
    if (text.starts_with("0xf...f")) {
      m_endless = true;
      text.remove_prefix(std::min(text.size(), std::string_view("0xf...f,").size()));
      if (text.empty()) return;
    }
    while (true) {
      const std::size_t comma = std::min(text.find(','), text.size());
      std::string_view word = text.substr(0, comma);
      if (word.starts_with("0x")) word.remove_prefix(2);
      std::uint32_t value = 0;
      std::from_chars(word.data(), word.data() + word.size(), value, 16);
      m_words.push_back(value);
      if (comma == text.size()) break;
      text.remove_prefix(comma + 1);
    }
    std::reverse(m_words.begin(), m_words.end());
  }

  /// The only one in the set, or −1.
  [[nodiscard]] int only() const {
    int result = -1;
    for (std::size_t i = 0; i < m_words.size() && !m_endless; ++i) {
      if (m_words[i] == 0) continue;
      if (result >= 0 || (m_words[i] & (m_words[i] - 1)) != 0) return -1;
      result = static_cast<int>(32 * i) + __builtin_ctz(m_words[i]);
    }
    return m_endless ? -1 : result;
  }

  [[nodiscard]] bool meets(const BitSet& other) const {
    const std::size_t both = std::min(m_words.size(), other.m_words.size());
    for (std::size_t i = 0; i < both; ++i) {
      if ((m_words[i] & other.m_words[i]) != 0) return true;
    }
    const auto reaches = [both](const BitSet& endless, const BitSet& more) {
      return endless.m_endless && (more.m_endless || std::any_of(more.m_words.begin() + std::ptrdiff_t(both),
                                                                 more.m_words.end(), [](auto w) { return w != 0; }));
    };
    return reaches(*this, other) || reaches(other, *this);
  }

 private:
  std::vector<std::uint32_t> m_words;  // lowest first
  bool m_endless = false;
};

std::optional<Type> typeOf(const pugi::xml_node& object) {
  const std::string_view name = object.attribute("type").as_string();
  for (const TypeName& known : kTypes) {
    if (name == known.name) return known.type;
  }
  // Before hwloc 2 all caches were of one type.
  if (name == "Cache") return object.attribute("depth").as_int() == 3 ? Type::L3Cache : Type::Other;
  const bool known = std::find(kOtherTypes.begin(), kOtherTypes.end(), name) != kOtherTypes.end();
  return known ? std::optional(Type::Other) : std::nullopt;
}

/// "0302 [10de:102d] [10de:106c] a1".
PciId pciIdOf(std::string_view text) {
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    if (at < text.size()) std::from_chars(text.data() + at, text.data() + text.size(), value, 16);
    return value;
  };
  return {number(0), number(6), number(11)};
}

class TreeReader {
 public:
  explicit TreeReader(const pugi::xml_node& topology) : m_topology(topology) {
    const std::string_view version = topology.attribute("version").as_string();
    m_complete = !version.empty() && version[0] >= '2' && version[0] <= '9';
  }

  Result<HwlocTree> read() {
    const pugi::xml_node root = m_topology.child("object");
    if (!root) return Error{"it has no <object>; write it with lstopo --of xml"};
    if (const auto allowed = root.attribute("allowed_cpuset")) m_allowed.emplace(allowed.as_string());
    P2_TRY(add(root, -1));
    for (const char* name : {"distances2", "distances2hetero"}) {
      for (const pugi::xml_node& matrix : m_topology.children(name)) addDistances(matrix);
    }
    return std::move(m_tree);
  }

 private:
  Result<void> add(const pugi::xml_node& node, int parent) {
    const auto type = typeOf(node);
    if (!type) {
      return Error{"it has an object of type \"" + std::string(node.attribute("type").as_string()) +
                   "\", which hwloc never writes; write it with lstopo --of xml"};
    }
    if (m_tree.objects.size() == kMostObjects) {
      return Error{"it has over " + std::to_string(kMostObjects) + " objects; no machine does"};
    }
    if (m_complete && node.attribute("cpuset") && !node.attribute("complete_cpuset")) {
      return Error{"its " + std::string(node.attribute("type").as_string()) + " " +
                   node.attribute("os_index").as_string() +
                   " has a cpuset but no complete_cpuset, which hwloc writes for every one; write it again with lstopo "
                   "--of xml"};
    }
    const int own = static_cast<int>(m_tree.objects.size());
    m_tree.objects.push_back(objectOf(node, *type, parent));
    for (const pugi::xml_node& child : node.children("object")) {
      P2_TRY(add(child, own));
    }
    return {};
  }

  [[nodiscard]] HwlocObject objectOf(const pugi::xml_node& node, Type type, int parent) const {
    HwlocObject object;
    object.type = type;
    object.parent = parent;
    object.id = node.attribute("gp_index").as_ullong();
    if (const auto nodeset = node.attribute("nodeset")) object.memory = BitSet(nodeset.as_string()).only();
    if (const auto cpuset = node.attribute("cpuset");
        cpuset && m_allowed && (type == Type::Core || type == Type::Unit)) {
      object.allowed = BitSet(cpuset.as_string()).meets(*m_allowed);
    }
    if (type == Type::PciDevice || type == Type::Bridge) readPci(node, object);
    if (type == Type::OsDevice) {
      object.name = node.attribute("name").as_string();
      object.kind = node.attribute("subtype").as_string();
      if (object.kind.empty()) object.kind = infoOf(node, "CoProcType");
    }
    return object;
  }

  static void readPci(const pugi::xml_node& node, HwlocObject& object) {
    object.pci = pciIdOf(node.attribute("pci_type").as_string());
    object.name = infoOf(node, "PCIDevice");
    const double gigabytes = node.attribute("pci_link_speed").as_double();
    if (std::isfinite(gigabytes) && gigabytes > 0 && gigabytes < 1e4) object.bandwidth = gigabytes * 1e9;
  }

  static std::string infoOf(const pugi::xml_node& node, const char* name) {
    for (const pugi::xml_node& info : node.children("info")) {
      if (std::strcmp(info.attribute("name").as_string(), name) == 0) return info.attribute("value").as_string();
    }
    return {};
  }

  /// Numbers between blanks, over all elements of that name; a type may stand before each: "OSDev:332".
  static std::vector<double> numbersIn(const pugi::xml_node& matrix, const char* name, std::size_t most) {
    std::vector<double> numbers;
    for (const pugi::xml_node& part : matrix.children(name)) {
      std::string_view text = part.text().as_string();
      while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (text.empty() || numbers.size() > most) break;
        const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
        std::string_view word = text.substr(0, end);
        if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) word.remove_prefix(colon + 1);
        double value = 0;
        std::from_chars(word.data(), word.data() + word.size(), value);
        numbers.push_back(value >= 0 && value < 1e15 ? value : 0);
        text.remove_prefix(end);
      }
    }
    return numbers;
  }

  void addDistances(const pugi::xml_node& matrix) {
    HwlocDistances distances;
    distances.name = matrix.attribute("name").as_string();
    const bool byId = std::string_view(matrix.attribute("indexing").as_string("gp")) == "gp";
    if (distances.name.find("Bandwidth") == std::string::npos || !byId) return;
    for (const double id : numbersIn(matrix, "indexes", kMostDistances)) {
      distances.objects.push_back(static_cast<std::uint64_t>(id));
    }
    const std::size_t count = distances.objects.size();
    if (count > kMostDistances) return;
    distances.values = numbersIn(matrix, "u64values", count * count);
    if (distances.values.size() == count * count) m_tree.distances.push_back(std::move(distances));
  }

  pugi::xml_node m_topology;
  std::optional<BitSet> m_allowed;
  bool m_complete = false;
  HwlocTree m_tree;
};

}  // namespace

Result<HwlocTree> hwlocTreeFrom(const pugi::xml_node& topology) { return TreeReader(topology).read(); }

}  // namespace p2::inline importers
