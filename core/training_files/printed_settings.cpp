// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>

#include "training_files/detail/setting.h"

namespace p2::inline training_files {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kEnd = " end of arguments ";

bool isArgument(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// "p2p,a2a" of "['p2p', 'a2a']"; other texts as they are.
std::string withoutBrackets(std::string_view value) {
  if (!value.starts_with('[') || !value.ends_with(']')) return std::string(value);
  std::string joined(value.substr(1, value.size() - 2));
  std::erase_if(joined, [](char c) { return c == '\'' || c == '"' || c == ' '; });
  return joined;
}

/// The argument of "  seq_length ........ 2048", also behind the mark of a launcher; nothing in other lines.
std::optional<Setting> printedArgument(std::string_view line) {
  const std::size_t dots = line.find(" ...");
  if (dots == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.substr(0, dots);
  const std::size_t blank = before.find_last_of(kBlanks);
  const std::string_view word = before.substr(blank == std::string_view::npos ? 0 : blank + 1);
  const std::size_t end = line.find_first_not_of('.', dots + 1);
  if (!isArgument(word) || end == std::string_view::npos || line[end] != ' ') return std::nullopt;
  const std::size_t from = line.find_first_not_of(kBlanks, end);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t last = line.find_last_not_of(kBlanks);
  return Setting{settingKey(word), withoutBrackets(line.substr(from, last + 1 - from))};
}

/// Arguments that have a default value for models that do not use them.
struct Conditional {
  std::string_view argument;
  std::string_view condition;  ///< argument that is true or a number where the model uses it
};
constexpr std::array kConditional{Conditional{"num_query_groups", "group_query_attention"},
                                  Conditional{"kv_lora_rank", "multi_latent_attention"},
                                  Conditional{"q_lora_rank", "multi_latent_attention"},
                                  Conditional{"qk_head_dim", "multi_latent_attention"},
                                  Conditional{"qk_pos_emb_head_dim", "multi_latent_attention"},
                                  Conditional{"v_head_dim", "multi_latent_attention"},
                                  Conditional{"expert_tensor_parallel_size", "num_experts"},
                                  Conditional{"overlap_moe_expert_parallel_comm", "num_experts"}};

bool isUsed(const Setting& setting, const std::vector<Setting>& all) {
  if (isNone(setting.value)) return false;
  const auto rule = std::ranges::find(kConditional, std::string_view(setting.key), &Conditional::argument);
  if (rule == kConditional.end()) return true;
  const auto condition = std::ranges::find(all, rule->condition, &Setting::key);
  return condition == all.end() || (!isNone(condition->value) && flagOf(condition->value) != false);
}

}  // namespace

Settings printedSettings(std::string_view text) {
  std::vector<Setting> all;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    if (!all.empty() && line.find(kEnd) != std::string_view::npos) break;
    auto argument = printedArgument(line);
    if (!argument) continue;
    argument->line = number;
    all.push_back(std::move(*argument));
  }
  Settings settings;
  for (const Setting& each : all) {
    if (isUsed(each, all)) settings.all.push_back(each);
  }
  // The tokenizer gives the vocabulary, and only its padded size is printed.
  constexpr std::string_view kVocabulary = "vocab_size";
  const auto padded = std::ranges::find(settings.all, std::string_view("padded_vocab_size"), &Setting::key);
  if (padded != settings.all.end() && std::ranges::find(settings.all, kVocabulary, &Setting::key) == settings.all.end())
    settings.all.push_back({std::string(kVocabulary), padded->value, padded->line});
  return settings;
}

}  // namespace p2::inline training_files
