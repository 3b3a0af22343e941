// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/infra_graph.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/numbers.h"
#include "importers/detail/infra_words.h"

namespace p2::inline importers {
namespace {

/// yaml-cpp keeps some hundred bytes for every value.
constexpr std::size_t kMostInfraBytes = std::size_t{4} << 20;
constexpr std::size_t kMostParts = std::size_t{1} << 16;  // per device
constexpr std::size_t kMostBoxes = std::size_t{1} << 16;
constexpr std::size_t kMostEdges = std::size_t{1} << 21;  // expanded
constexpr int kMostNested = 8;                            // devices inside devices

/// Joins two lists of ends by an edge's scheme.
template <typename End, typename Join>
Result<void> joinByScheme(const std::string& scheme, const std::vector<End>& from, const std::vector<End>& to,
                          const YAML::Node& edge, Join join) {
  if (scheme == "many2many") {
    if (from.size() * to.size() > kMostEdges) return Error{"an edge joins over two million pairs", lineText(edge)};
    for (const End& a : from) {
      for (const End& b : to) join(a, b);
    }
  } else if (scheme == "ring") {
    std::vector<End> all = from;
    std::set<End> known(from.begin(), from.end());
    for (const End& each : to) {
      if (known.insert(each).second) all.push_back(each);
    }
    for (std::size_t i = 0; all.size() > 1 && i + (all.size() == 2 ? 1 : 0) < all.size(); ++i) {
      join(all[i], all[(i + 1) % all.size()]);
    }
  } else if (scheme == "one2one" || scheme.empty()) {
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) join(from[i], to[i]);
  } else {
    return Error{"the scheme is \"" + scheme + "\"; use one2one, many2many or ring", lineText(edge)};
  }
  return {};
}

class InfraReader {
 public:
  Result<InfraGraph> read(const YAML::Node& root) {
    if (!root.IsMap()) return Error{"it is not a table of keys; devices, instances, links and edges are needed"};
    const YAML::Node all = root["infrastructure"] && root["infrastructure"].IsMap() ? root["infrastructure"] : root;
    m_graph.name = scalarAt(all, "name");
    m_definitions = itemsAt(all, "devices");
    if (m_definitions.empty()) m_definitions = itemsAt(root, "devices");
    if (m_definitions.empty()) return Error{"it defines no device; it needs the key devices"};
    if (!itemsAt(all, "connections").empty() && itemsAt(all, "edges").empty()) {
      return Error{"it has connections, as InfraGraph had before its version 0.5; write it with edges of ep1 and ep2"};
    }
    P2_TRY(readLinks(all, m_graph.links, m_linkNames));
    P2_TRY(readInstances(all));
    for (const YAML::Node& edge : itemsAt(all, "edges")) P2_TRY(readCable(edge));
    return std::move(m_graph);
  }

 private:
  static Result<void> readLinks(const YAML::Node& node, std::vector<InfraLink>& links,
                                std::map<std::string, std::size_t>& names) {
    for (const YAML::Node& each : itemsAt(node, "links")) {
      P2_TRY_ASSIGN(auto link, linkFrom(each));
      names.emplace(scalarAt(each, "name"), links.size());
      links.push_back(std::move(link));
    }
    return {};
  }

  Result<void> readInstances(const YAML::Node& all) {
    for (const YAML::Node& instance : itemsAt(all, "instances")) {
      const std::string name = scalarAt(instance, "name");
      const auto count = parseInteger(scalarAt(instance, "count"));
      if (name.empty() || !count || *count < 1 || *count > static_cast<std::int64_t>(kMostBoxes)) {
        return Error{"an instance needs a name and a count of 1 to 65536", lineText(instance)};
      }
      P2_TRY_ASSIGN(const auto device, deviceNamed(scalarAt(instance, "device"), instance));
      m_firstBox[name] = {m_graph.boxes.size(), static_cast<std::size_t>(*count)};
      for (std::int64_t i = 0; i < *count; ++i) m_graph.boxes.push_back({device, name + " " + std::to_string(i)});
      if (m_graph.boxes.size() > kMostBoxes) return Error{"it has over 65536 instances", lineText(instance)};
    }
    return {};
  }

  /// The device, expanded when it is first asked for.
  Result<std::size_t> deviceNamed(const std::string& name, const YAML::Node& where) {
    if (const auto found = m_devices.find(name); found != m_devices.end()) return found->second;
    const auto definition = std::find_if(m_definitions.begin(), m_definitions.end(),
                                         [&](const YAML::Node& each) { return scalarAt(each, "name") == name; });
    if (definition == m_definitions.end()) {
      return Error{"there is no device \"" + name + "\"; name one of the devices", lineText(where)};
    }
    InfraDevice device;
    device.name = name;
    P2_TRY(addParts(*definition, "", 0, std::nullopt, device));
    m_graph.devices.push_back(std::move(device));
    return m_devices[name] = m_graph.devices.size() - 1;
  }

  /// The components of a device, of those inside it, and the edges of all.
  Result<void> addParts(const YAML::Node& definition, const std::string& prefix, int depth,
                        std::optional<std::size_t> holder, InfraDevice& device) {
    if (depth > kMostNested) return Error{"devices are nested more than 8 levels deep", lineText(definition)};
    for (const YAML::Node& component : itemsAt(definition, "components")) {
      const std::string name = scalarAt(component, "name");
      const auto count = parseInteger(scalarAt(component, "count"));
      if (name.empty() || !count || *count < 1 || *count > static_cast<std::int64_t>(kMostParts)) {
        return Error{"a component needs a name and a count of 1 to 65536", lineText(component)};
      }
      // Documents written by people also have the kind under "type".
      std::string choice = scalarAt(component, "choice");
      if (choice.empty()) choice = scalarAt(component, "type");
      for (std::int64_t i = 0; i < *count; ++i) {
        const std::string path = prefix + name + "." + std::to_string(i);
        const std::size_t number = device.parts.size();
        if (number >= kMostParts) return Error{"a device has over 65536 components", lineText(component)};
        device.parts.push_back(partOf(choice));
        device.holder.push_back(holder.value_or(number));
        device.byName.emplace(path, number);
        if (choice == "xpu" && device.xpuText.empty()) device.xpuText = scalarAt(component, "description");
        if (choice != "device") continue;
        const auto inner = std::find_if(m_definitions.begin(), m_definitions.end(),
                                        [&](const YAML::Node& each) { return scalarAt(each, "name") == name; });
        if (inner == m_definitions.end()) {
          return Error{"there is no device \"" + name + "\" for the component", lineText(component)};
        }
        P2_TRY(addParts(*inner, path + ".", depth + 1, holder.value_or(number), device));
      }
    }
    std::map<std::string, std::size_t> names;
    P2_TRY(readLinks(definition, device.links, names));
    for (const YAML::Node& edge : itemsAt(definition, "edges")) P2_TRY(addEdge(edge, prefix, names, device));
    return {};
  }

  Result<void> addEdge(const YAML::Node& edge, const std::string& prefix,
                       const std::map<std::string, std::size_t>& names, InfraDevice& device) {
    const auto end = [&](const char* key) -> Result<std::vector<std::size_t>> {
      const YAML::Node point = edge.IsMap() ? edge[key] : YAML::Node();
      if (!point || !point.IsMap()) return Error{"an edge needs ep1 and ep2", lineText(edge)};
      const std::string inner = scalarAt(point, "device");
      return partsAt(device, prefix, (inner.empty() ? "" : inner + ".") + scalarAt(point, "component"), point);
    };
    P2_TRY_ASSIGN(const auto from, end("ep1"));
    P2_TRY_ASSIGN(const auto to, end("ep2"));
    const auto link = names.find(scalarAt(edge, "link"));
    if (link == names.end()) return Error{"there is no link \"" + scalarAt(edge, "link") + "\"", lineText(edge)};
    // "xpu with xpu" names every pair twice.
    const bool same = from == to;
    P2_TRY(joinByScheme(scalarAt(edge, "scheme"), from, to, edge, [&](std::size_t a, std::size_t b) {
      if (a != b && (!same || a < b || scalarAt(edge, "scheme") != "many2many")) {
        device.edges.push_back({a, b, link->second});
      }
    }));
    if (device.edges.size() > kMostEdges) return Error{"a device has over two million edges", lineText(edge)};
    return {};
  }

  /// The parts of a path such as "cx5[0:2].port[1]".
  static Result<std::vector<std::size_t>> partsAt(const InfraDevice& device, const std::string& prefix,
                                                  const std::string& path, const YAML::Node& where) {
    std::vector<std::string> found{prefix};
    for (const std::string_view piece : piecesOf(path)) {
      const auto slice = sliceIn(piece);
      if (!slice) return Error{"\"" + path + "\" is not a component; write it as in xpu[0:8]", lineText(where)};
      std::vector<std::string> next;
      for (const std::string& before : found) {
        for (std::int64_t i = slice->first; slice->end < 0 || i < slice->end; i += slice->step) {
          const std::string name = before + slice->name + "." + std::to_string(i);
          if (device.byName.count(name) == 0) {
            if (slice->end < 0 && i > slice->first) break;
            return Error{"the device " + device.name + " has no component \"" + name.substr(prefix.size()) + "\"",
                         lineText(where)};
          }
          next.push_back(name + ".");
        }
      }
      found = std::move(next);
    }
    std::vector<std::size_t> parts;
    for (std::string& each : found) {
      each.pop_back();
      parts.push_back(device.byName.at(each));
    }
    return parts;
  }

  using BoxPart = std::pair<std::size_t, std::size_t>;

  Result<std::vector<BoxPart>> boxParts(const YAML::Node& edge, const char* key) const {
    const YAML::Node point = edge.IsMap() ? edge[key] : YAML::Node();
    if (!point || !point.IsMap()) return Error{"an edge needs ep1 and ep2", lineText(edge)};
    const std::string text = scalarAt(point, "instance");
    const auto slice = sliceIn(text);
    const auto instance = slice ? m_firstBox.find(slice->name) : m_firstBox.end();
    if (instance == m_firstBox.end()) return Error{"there is no instance \"" + text + "\"", lineText(point)};
    const auto& [first, count] = instance->second;
    const auto end = slice->end < 0 ? static_cast<std::int64_t>(count) : slice->end;
    if (end > static_cast<std::int64_t>(count)) {
      return Error{"\"" + text + "\" is beyond the " + countedText(count, "instance"), lineText(point)};
    }
    std::vector<BoxPart> ends;
    for (std::int64_t i = slice->first; i < end; i += slice->step) {
      const std::size_t box = first + static_cast<std::size_t>(i);
      P2_TRY_ASSIGN(const auto parts,
                    partsAt(m_graph.devices[m_graph.boxes[box].device], "", scalarAt(point, "component"), point));
      for (const std::size_t part : parts) ends.emplace_back(box, part);
      if (ends.size() > kMostEdges) return Error{"an edge has over two million ends", lineText(point)};
    }
    return ends;
  }

  Result<void> readCable(const YAML::Node& edge) {
    P2_TRY_ASSIGN(const auto from, boxParts(edge, "ep1"));
    P2_TRY_ASSIGN(const auto to, boxParts(edge, "ep2"));
    const auto link = m_linkNames.find(scalarAt(edge, "link"));
    if (link == m_linkNames.end()) return Error{"there is no link \"" + scalarAt(edge, "link") + "\"", lineText(edge)};
    P2_TRY(joinByScheme(scalarAt(edge, "scheme"), from, to, edge, [&](const BoxPart& a, const BoxPart& b) {
      if (a != b) m_graph.cables.push_back({a.first, a.second, b.first, b.second, link->second});
    }));
    if (m_graph.cables.size() > kMostEdges) return Error{"it has over two million edges", lineText(edge)};
    return {};
  }

  InfraGraph m_graph;
  std::vector<YAML::Node> m_definitions;
  std::map<std::string, std::size_t> m_devices;
  std::map<std::string, std::size_t> m_linkNames;
  std::map<std::string, std::pair<std::size_t, std::size_t>> m_firstBox;
};

}  // namespace

Result<InfraGraph> infraGraphFrom(std::string_view text) {
  if (text.size() > kMostInfraBytes) {
    return Error{"it has " + std::to_string(text.size() >> 20) + " MiB; InfraGraph documents have at most 4",
                 {},
                 ErrorKind::TooLarge};
  }
  try {
    return InfraReader().read(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    return Error{"the YAML is broken (" + error.msg + "); InfraGraph writes devices, instances, links and edges",
                 "line " + std::to_string(error.mark.line + 1)};
  }
}

}  // namespace p2::inline importers
