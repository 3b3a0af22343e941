// SPDX-License-Identifier: GPL-3.0-or-later
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/pasted_text.h"
#include "base/units.h"
#include "importers/detail/cabling.h"
#include "importers/detail/formats.h"

namespace p2::inline importers {
namespace {

constexpr std::size_t kMostLldpBytes = std::size_t{4} << 20;

/// "100GbaseCR4 - …" and "1000BaseTFD" as bytes/s; 0 for others.
double etherSpeed(std::string_view mau) {
  const std::size_t digits = std::min(mau.find_first_not_of("0123456789"), mau.size());
  const auto number = parseInteger(mau.substr(0, digits));
  if (!number || *number < 1 || *number > 10'000) return 0;
  const bool gigabits = digits < mau.size() && mau[digits] == 'G';
  return static_cast<double>(*number) * (gigabits ? 1e9 : 1e6) / 8;
}

/// The other end of an interface's cable.
struct Neighbour {
  std::string local;  ///< the interface
  std::string name;   ///< the other end's
  bool bridges = false;
  bool reported = false;  ///< whether it says its capabilities
  double bandwidth = 0;
};

struct Listing {
  std::string name;  ///< the listing machine's; may be empty
  std::vector<Neighbour> neighbours;
};

/// A value of lldpctl's JSON: plain, or in a list of one object, as "json0" has it.
std::string valueOf(const YAML::Node& node) {
  if (!node) return {};
  if (node.IsScalar()) return node.Scalar();
  if (node.IsSequence()) return node.size() > 0 ? valueOf(node[0]) : std::string();
  return node.IsMap() && node["value"] ? valueOf(node["value"]) : std::string();
}

/// The object itself, or the first of a list.
YAML::Node firstOf(const YAML::Node& node) {
  return node && node.IsSequence() && node.size() > 0 ? YAML::Node(node[0]) : node;
}

void readCapabilities(const YAML::Node& chassis, Neighbour& neighbour) {
  const YAML::Node list = chassis["capability"];
  const auto take = [&](const YAML::Node& each) {
    if (!each.IsMap()) return;
    neighbour.reported = true;
    const std::string type = valueOf(each["type"]);
    const bool enabled = valueOf(each["enabled"]) == "true";
    neighbour.bridges = neighbour.bridges || (enabled && (type == "Bridge" || type == "Router"));
  };
  if (list && list.IsMap()) take(list);
  for (std::size_t i = 0; list && list.IsSequence() && i < list.size(); ++i) take(list[i]);
}

void readInterface(const std::string& local, const YAML::Node& node, Listing& listing) {
  const YAML::Node body = firstOf(node);
  if (!body || !body.IsMap()) return;
  Neighbour neighbour;
  neighbour.local = local;
  YAML::Node chassis = firstOf(body["chassis"]);
  if (!chassis || !chassis.IsMap()) return;
  neighbour.name = valueOf(chassis["name"]);
  // "json" has the name as the key of the chassis.
  const bool keyed = !chassis["id"] && !chassis["name"] && chassis.size() == 1 && chassis.begin()->second.IsMap();
  if (keyed) {
    neighbour.name = chassis.begin()->first.Scalar();
    chassis.reset(YAML::Node(chassis.begin()->second));
  }
  if (neighbour.name.empty()) neighbour.name = valueOf(chassis["id"]);
  if (neighbour.name.empty()) return;
  readCapabilities(chassis, neighbour);
  const YAML::Node port = firstOf(body["port"]);
  if (port && port.IsMap()) {
    const YAML::Node negotiation = firstOf(port["auto-negotiation"]);
    if (negotiation && negotiation.IsMap()) neighbour.bandwidth = etherSpeed(valueOf(negotiation["current"]));
  }
  listing.neighbours.push_back(std::move(neighbour));
}

/// The interfaces of one "lldp" object.
void readInterfaces(const YAML::Node& node, Listing& listing) {
  const YAML::Node lldp = firstOf(node);
  if (!lldp || !lldp.IsMap()) return;
  const YAML::Node list = lldp["interface"];
  if (list && list.IsMap()) {
    for (const auto& entry : list) readInterface(entry.first.Scalar(), entry.second, listing);
  }
  for (std::size_t i = 0; list && list.IsSequence() && i < list.size(); ++i) {
    const YAML::Node each = list[i];
    if (!each.IsMap()) continue;
    if (each["chassis"]) {
      readInterface(valueOf(each["name"]), each, listing);
    } else {
      for (const auto& entry : each) readInterface(entry.first.Scalar(), entry.second, listing);
    }
  }
}

/// End of the object that begins at `open`; npos where it is not closed.
std::size_t endOfObject(std::string_view text, std::size_t open) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (quoted) {
      i += text[i] == '\\' ? 1 : 0;
      quoted = i >= text.size() || text[i] != '"';
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

/// "node7" of "== node7 ==", "node7:" or "# node7": the last word before an object.
std::string nameBefore(std::string_view text) {
  const auto isName = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  while (!text.empty() && !isName(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && isName(text[begin - 1])) --begin;
  return std::string(text.substr(begin));
}

Result<std::vector<Listing>> listingsInJson(std::string_view text) {
  std::vector<Listing> listings;
  std::size_t before = 0;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', before)) {
    const std::size_t end = endOfObject(text, open);
    if (end == std::string_view::npos) return Error{"an object is not closed; give all that lldpctl -f json prints"};
    const YAML::Node root = YAML::Load(std::string(text.substr(open, end - open)));
    if (root["lldp"]) {
      listings.push_back({nameBefore(text.substr(before, open - before)), {}});
      readInterfaces(root["lldp"], listings.back());
    } else {
      for (const auto& entry : root) {
        if (!entry.second.IsMap() || !entry.second["lldp"]) continue;
        listings.push_back({entry.first.Scalar(), {}});
        readInterfaces(entry.second["lldp"], listings.back());
      }
    }
    before = end;
  }
  return listings;
}

/// The text behind "SysName:" where the line begins so.
std::optional<std::string_view> behind(std::string_view line, std::string_view key) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || !line.substr(begin).starts_with(key)) return std::nullopt;
  const std::string_view rest = line.substr(begin + key.size());
  const std::size_t start = rest.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view() : rest.substr(start);
}

std::vector<Listing> listingsInText(std::string_view text) {
  std::vector<Listing> listings;
  std::string_view last;
  for (const std::string_view line : filledLines(text)) {
    if (behind(line, "LLDP neighbors:")) {
      listings.push_back({nameBefore(last), {}});
    } else if (const auto name = behind(line, "Interface:")) {
      if (listings.empty()) listings.emplace_back();
      listings.back().neighbours.push_back({std::string(name->substr(0, name->find(','))), {}, false, false, 0});
    } else if (line.find("---") == std::string_view::npos && (listings.empty() || listings.back().neighbours.empty())) {
      last = line;
    }
    if (listings.empty() || listings.back().neighbours.empty()) continue;
    Neighbour& neighbour = listings.back().neighbours.back();
    if (const auto id = behind(line, "ChassisID:"); id && neighbour.name.empty()) neighbour.name = std::string(*id);
    if (const auto name = behind(line, "SysName:"); name && !name->empty()) neighbour.name = std::string(*name);
    if (const auto mau = behind(line, "MAU oper type:")) neighbour.bandwidth = etherSpeed(*mau);
    if (const auto capability = behind(line, "Capability:")) {
      neighbour.reported = true;
      const bool bridges = capability->starts_with("Bridge") || capability->starts_with("Router");
      neighbour.bridges = neighbour.bridges || (bridges && capability->ends_with("on"));
    }
    // The name of the next listing may stand between two.
    if (line.find(':') != std::string_view::npos && wordsOfLine(line).size() == 1) last = line;
  }
  return listings;
}

/// Listings as cables: a listing machine is a host unless others see it as a bridge or router.
class LldpCabling {
 public:
  explicit LldpCabling(std::vector<Listing> listings) : m_listings(std::move(listings)) {}

  Result<Imported> read() {
    m_notes.format = "LLDP";
    nameListings();
    dropSlow();
    for (const Listing& listing : m_listings) (void)m_cabling.end(listing.name);
    std::size_t silent = 0;
    for (const Listing& listing : m_listings) {
      for (const Neighbour& neighbour : listing.neighbours) {
        const std::size_t to = m_cabling.end(neighbour.name);
        if (neighbour.reported ? neighbour.bridges : !m_names.contains(neighbour.name)) m_cabling.makeSwitch(to);
        silent += neighbour.bandwidth > 0 ? 0 : 1;
        m_cabling.join(m_cabling.end(listing.name), to, neighbour.bandwidth > 0 ? neighbour.bandwidth : kNicBandwidth);
      }
    }
    if (m_cabling.size() > kMostCabledEnds) return Error{"it has over 65536 machines"};
    if (silent > 0) {
      m_notes.assumed.push_back(formatBandwidth(kNicBandwidth) + " for " + countedText(silent, "cable") +
                                ": LLDP does not say their speed");
    }
    auto imported = systemOfHosts(m_cabling, std::move(m_notes));
    if (imported.ok()) return imported;
    return Error{
        "it shows fewer than two hosts on switches; put the listings of all hosts into one file, each behind a line "
        "with the host's name"};
  }

 private:
  /// A listing without a name, or with the name of an earlier one, is named by its number.
  void nameListings() {
    for (std::size_t i = 0; i < m_listings.size(); ++i) {
      std::string& name = m_listings[i].name;
      if (!name.empty() && m_names.insert(name).second) continue;
      name = "host " + std::to_string(i + 1);
      m_names.insert(name);
    }
  }

  /// Cables of a tenth of the fastest speed are for management.
  void dropSlow() {
    double most = 0;
    for (const Listing& listing : m_listings) {
      for (const Neighbour& each : listing.neighbours) most = std::max(most, each.bandwidth);
    }
    std::size_t dropped = 0;
    for (Listing& listing : m_listings) {
      dropped += std::erase_if(
          listing.neighbours, [&](const Neighbour& each) { return each.bandwidth > 0 && each.bandwidth <= most / 10; });
    }
    if (dropped == 0) return;
    m_notes.ignored.push_back(countedText(dropped, "cable") + " of a tenth of the fastest speed or less, as for " +
                              "management");
  }

  std::vector<Listing> m_listings;
  std::unordered_set<std::string> m_names;  // names in use
  Cabling m_cabling;
  Imported m_notes;
};

}  // namespace

Result<Imported> importLldp(std::string_view text) {
  if (text.size() > kMostLldpBytes) {
    return Error{
        "it has " + std::to_string(text.size() >> 20) + " MiB; LLDP listings have at most 4", {}, ErrorKind::TooLarge};
  }
  if (text.find("LLDP neighbors:") != std::string_view::npos) return LldpCabling(listingsInText(text)).read();
  try {
    P2_TRY_ASSIGN(auto listings, listingsInJson(text));
    return LldpCabling(std::move(listings)).read();
  } catch (const YAML::Exception& error) {
    return Error{"the JSON is broken (" + error.msg + "); give all that lldpctl -f json prints"};
  }
}

}  // namespace p2::inline importers
