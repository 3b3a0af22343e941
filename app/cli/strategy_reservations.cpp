// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_reservations.h"

#include "app/cli/output.h"

namespace p2::cli {
namespace {

void writeTexts(JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  json.key(key).beginArray();
  for (const std::string& each : texts) json.text(each);
  json.end();
}

}  // namespace

std::string reservationsText(const ComputationGraph& graph) {
  std::string text;
  for (const std::string& each : graph.unpriced) text += (text.empty() ? "not priced: " : "; ") + oneLine(each);
  if (!text.empty()) text += '\n';
  for (const std::string& each : graph.assumed) text += "assumed: " + oneLine(each) + '\n';
  return text;
}

void writeOptimality(JsonWriter& json, bool proven, const ComputationGraph* graph) {
  const bool all = graph == nullptr || graph->unpriced.empty();
  json.key("optimal").boolean(proven && all);
  if (!all) json.key("optimal_for_priced").boolean(proven);
  if (graph == nullptr) return;
  writeTexts(json, "unpriced", graph->unpriced);
  writeTexts(json, "assumed", graph->assumed);
}

}  // namespace p2::cli
