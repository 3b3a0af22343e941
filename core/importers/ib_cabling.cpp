// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>

#include "base/numbers.h"
#include "base/pasted_text.h"
#include "importers/detail/cabling.h"
#include "importers/detail/formats.h"

namespace p2::inline importers {
namespace {

/// "4xHDR" as bytes/s and direction, after line coding; 0 for none.
double infiniBandSpeed(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, double>, 9> kLanes{{{"SDR", 2},
                                                                       {"DDR", 4},
                                                                       {"QDR", 8},
                                                                       {"FDR10", 10},
                                                                       {"FDR", 13.64},
                                                                       {"EDR", 25},
                                                                       {"HDR", 50},
                                                                       {"NDR", 100},
                                                                       {"XDR", 200}}};
  const std::size_t cross = word.find('x');
  const auto width = cross == std::string_view::npos ? std::nullopt : parseInteger(word.substr(0, cross));
  if (!width || *width < 1 || *width > 12) return 0;
  const auto lane = std::find_if(kLanes.begin(), kLanes.end(),
                                 [&](const auto& each) { return word.substr(cross + 1) == each.first; });
  return lane == kLanes.end() ? 0 : static_cast<double>(*width) * lane->second * 1e9 / 8;
}

/// The text between the first two quotation marks from `at` on.
std::string_view quotedText(std::string_view line, std::size_t at = 0) {
  const std::size_t open = line.find('"', at);
  const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

class IbReader {
 public:
  Result<Imported> read(std::string_view text) {
    for (const std::string_view line : filledLines(text)) take(line);
    if (m_cabling.size() > kMostCabledEnds) return Error{"it has over 65536 switches and adapters"};
    for (const Cable& cable : m_cables) {
      const auto from = m_byGuid.find(cable.from);
      const auto to = m_byGuid.find(cable.to);
      if (from != m_byGuid.end() && to != m_byGuid.end()) m_cabling.join(from->second, to->second, cable.bandwidth);
    }
    Imported notes;
    notes.format = "ibnetdiscover";
    return systemOfHosts(m_cabling, std::move(notes));
  }

 private:
  struct Cable {
    std::string from;
    std::string to;
    double bandwidth = 0;
  };

  void take(std::string_view line) {
    const std::vector<std::string_view> words = wordsOfLine(line);
    if (words[0] == "Switch" || words[0] == "Ca") {
      const std::size_t comment = line.find('#');
      m_current = std::string(quotedText(line));
      const bool isSwitch = words[0] == "Switch";
      // Adapters of one host have its name as their first word; switches may share a name.
      const std::string_view name = comment == std::string_view::npos ? m_current : quotedText(line, comment);
      const std::size_t end =
          m_cabling.end(isSwitch ? m_current : "host " + std::string(name.substr(0, name.find(' '))));
      if (isSwitch) m_cabling.makeSwitch(end);
      m_byGuid[m_current] = end;
    } else if (words[0].starts_with('[') && !m_current.empty()) {
      const double bandwidth = infiniBandSpeed(words.back());
      if (bandwidth > 0) m_cables.push_back({m_current, std::string(quotedText(line)), bandwidth});
    }
  }

  Cabling m_cabling;
  std::vector<Cable> m_cables;
  std::map<std::string, std::size_t> m_byGuid;
  std::string m_current;
};

}  // namespace

Result<Imported> importIbCabling(std::string_view text) { return IbReader().read(text); }

}  // namespace p2::inline importers
