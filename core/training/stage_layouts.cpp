// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/stage_layouts.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/numbers.h"

namespace p2::inline training {
namespace {

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Takes layers from the chunks of the last stage, the last chunk first. Whether there were as many.
bool takeFromLastStage(StageLayout& layout, std::int64_t stages, std::int64_t count) {
  if (count < 0) {
    layout.back() -= count;
    return true;
  }
  for (auto at = static_cast<std::int64_t>(layout.size()) - 1; at >= 0 && count > 0; at -= stages) {
    const std::int64_t taken = std::min(count, layout[index(at)]);
    layout[index(at)] -= taken;
    count -= taken;
  }
  return count == 0;
}

/// Runs of equal numbers, in order.
std::vector<std::pair<std::int64_t, std::int64_t>> runsOf(const StageLayout& layout) {
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  for (const std::int64_t layers : layout) {
    if (runs.empty() || runs.back().first != layers) runs.emplace_back(layers, 0);
    ++runs.back().second;
  }
  return runs;
}

constexpr std::int64_t kMostLayers = 1 << 20;

}  // namespace

StageLayout balancedLayout(std::int64_t layers, std::int64_t stages, std::int64_t chunks, std::int64_t firstLess,
                           std::int64_t lastLess) {
  const std::int64_t all = stages * chunks;
  const std::int64_t units = layers + firstLess + lastLess;
  const std::int64_t each = units / all;
  std::int64_t extra = units % all;
  if (each < 1) return {};
  StageLayout layout(index(all), each);
  // A stage before the last one takes the remaining layers, late chunks first.
  for (std::int64_t row = chunks - 1; row >= 0 && extra > 0; --row) {
    for (std::int64_t i = 0; i < stages && extra > 0; ++i, --extra) {
      const std::int64_t stage = stages == 1 ? 0 : (2 * stages - 2 - i) % stages;
      ++layout[index(row * stages + stage)];
    }
  }
  layout.front() -= firstLess;
  if (layout.front() < 0 || !takeFromLastStage(layout, stages, lastLess)) return {};
  return layout;
}

StageLayout leadingLayout(std::int64_t layers, std::int64_t virtualStages, std::int64_t firstLess,
                          std::int64_t lastLess) {
  const std::int64_t units = layers + firstLess + lastLess;
  const std::int64_t each = units / virtualStages;
  if (each < 1 || firstLess > each || lastLess > each) return {};
  StageLayout layout(index(virtualStages), each);
  for (std::int64_t stage = 0; stage < units % virtualStages; ++stage) ++layout[index(stage)];
  layout.front() -= firstLess;
  layout.back() -= lastLess;
  return layout;
}

// The table of partial sums keeps the last of equal cuts: the smaller part comes last, at every cut. Parts of the least
// difference are rounded up and down.
StageLayout partitionedLayout(std::int64_t layers, std::int64_t stages) { return leadingLayout(layers, stages, 0, 0); }

StageLayout cumulativeLayout(const ModelShape& model, std::int64_t stages) {
  const auto hidden = static_cast<double>(model.hidden);
  const double layer = 4 * hidden * hidden + 3 * static_cast<double>(model.ffn) * hidden;
  const double all = layer * static_cast<double>(model.layers) + static_cast<double>(model.vocabulary) * hidden;
  StageLayout layout(index(stages), 0);
  std::int64_t stage = 0;
  double sum = 0;
  for (std::int64_t i = 0; i < model.layers; ++i) {
    ++layout[index(stage)];
    sum += layer;
    if (sum > all * (static_cast<double>(stage + 1) / static_cast<double>(stages)) && stage + 1 < stages) ++stage;
  }
  return layout;
}

std::vector<std::int64_t> layersByStage(const StageLayout& layout, std::int64_t stages, bool returns) {
  std::vector<std::int64_t> layers(index(stages), 0);
  for (std::size_t at = 0; at < layout.size(); ++at) {
    const std::int64_t within = static_cast<std::int64_t>(at) % stages;
    const bool back = returns && static_cast<std::int64_t>(at) / stages % 2 == 1;
    layers[index(back ? stages - 1 - within : within)] += layout[at];
  }
  return layers;
}

std::string stageLayoutText(const StageLayout& layout) {
  if (layout.empty()) return "even";
  std::string text;
  for (const auto& [layers, count] : runsOf(layout)) {
    text +=
        (text.empty() ? "" : "+") + (count > 1 ? std::to_string(count) + "*" : std::string()) + std::to_string(layers);
  }
  return text;
}

Result<StageLayout> stageLayoutFrom(std::string_view text) {
  if (text == "even") return StageLayout{};
  const Error wrong{
      "\"" + std::string(text) +
      "\" does not list the layers of stages; write even, or numbers in the order of the model, as in 3+14*4+2"};
  if (text.empty() || text.back() == '+') return wrong;
  StageLayout layout;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('+'), text.size());
    std::string_view part = text.substr(0, end);
    const std::size_t star = part.find('*');
    const auto count =
        star == std::string_view::npos ? std::optional<std::int64_t>(1) : parseInteger(part.substr(0, star));
    if (star != std::string_view::npos) part.remove_prefix(star + 1);
    const auto layers = parseInteger(part);
    if (!count || !layers || *count < 1 || *layers < 0 || *layers > kMostLayers) return wrong;
    if (*count > kMostLayers - static_cast<std::int64_t>(layout.size())) return wrong;
    layout.insert(layout.end(), index(*count), *layers);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return layout;
}

std::string describeStageLayout(const std::vector<std::int64_t>& layers) {
  if (layers.empty()) return {};
  std::map<std::int64_t, std::int64_t> counts;
  for (std::size_t at = 1; at + 1 < layers.size(); ++at) ++counts[layers[at]];
  if (layers.size() < 3) counts[layers.front()] = 1;
  const std::int64_t common = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                                return a.second < b.second;
                              })->first;
  if (layers.size() == 2 && layers.back() != common) {
    return "first " + std::to_string(common) + ", last " + std::to_string(layers.back());
  }
  std::string text = std::to_string(common) + " each";
  if (layers.front() != common) text += ", first " + std::to_string(layers.front());
  for (const auto& [number, count] : counts) {
    if (number != common) text += ", " + countedText(count, "other") + " " + std::to_string(number);
  }
  if (layers.back() != common) text += ", last " + std::to_string(layers.back());
  return text;
}

std::vector<std::int64_t> chunkCounts(std::int64_t layers, std::int64_t stages) {
  std::set<std::int64_t> counts{1};
  for (const std::int64_t all : {layers, layers + 2}) {
    const std::int64_t most = (all + stages - 1) / stages;
    for (std::int64_t each = 1; each <= most; ++each) {
      const std::int64_t chunks = (all + stages * each - 1) / (stages * each);
      if (chunks * stages <= all) counts.insert(chunks);
    }
  }
  return {counts.begin(), counts.end()};
}

}  // namespace p2::inline training
