// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/model_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "text/foreign_json.h"
#include "workload/generate/training_recipe.h"

namespace p2::inline training {
namespace {

constexpr std::string_view kHubFolder = "models--";

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string textAt(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// "glm" of "glm4_moe".
std::string familyOf(const Json& config) {
  const std::string type = lower(textAt(config, "model_type"));
  return type.substr(0, type.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
}

/// Whether a word is a size or a version: "34B", "8x22b", "A3B", "v0.1", "4.5".
bool isSizeOrVersion(std::string_view word) {
  while (!word.empty() && !isDigit(word.front())) {
    if (std::string_view("vVaA").find(word.front()) == std::string_view::npos || word.size() < 2 || !isDigit(word[1]))
      return false;
    word.remove_prefix(1);
  }
  if (word.empty()) return false;
  const std::size_t end = std::min(word.find_first_not_of("0123456789.x"), word.size());
  const std::string_view unit = word.substr(end);
  return unit.empty() || (unit.size() == 1 && std::string_view("bBmMkKtT").find(unit) != std::string_view::npos);
}

/// Whether folders are called so that hold any model: "checkpoint-500", "step_1000".
bool isOfARun(std::string_view word) {
  static constexpr std::array<std::string_view, 14> kWords{"checkpoint", "ckpt", "step",     "iter", "epoch",
                                                           "global",     "run",  "snapshot", "tmp",  "temp",
                                                           "test",       "tst",  "download", "model"};
  const std::string own = lower(std::string(word));
  return std::ranges::any_of(kWords, [&](std::string_view each) { return own == each; });
}

bool isLikeARepository(const std::string& name, const std::string& family) {
  if (family.size() > 1 && lower(name).find(family) != std::string::npos) return true;
  std::vector<std::string_view> words;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of("-_"), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  if (words.size() < 2 || words.front().empty() || isDigit(words.front().front()) || isOfARun(words.front()))
    return false;
  return std::any_of(words.begin() + 1, words.end(), isSizeOrVersion);
}

/// "GLM-4.5" where a folder of the path is "models--zai-org--GLM-4.5".
std::string hubName(const std::filesystem::path& path) {
  for (const auto& part : path) {
    const std::string folder = part.string();
    if (folder.starts_with(kHubFolder)) return folder.substr(folder.rfind("--") + 2);
  }
  return {};
}

/// "Glm4Moe" of "Glm4MoeForCausalLM" and "GPT2" of "GPT2LMHeadModel".
std::string withoutTask(const std::string& architecture) {
  for (const std::string_view task : {"For", "LMHead", "Model"}) {
    const std::size_t at = architecture.rfind(task);
    if (at != std::string::npos && at > 0) return architecture.substr(0, at);
  }
  return architecture;
}

std::string architectureOf(const Json& config) {
  const auto found = config.find("architectures");
  if (found == config.end() || !found->is_array() || found->empty() || !found->front().is_string()) return {};
  return withoutTask(found->front().get<std::string>());
}

std::string nameInConfig(const std::filesystem::path& path, const Json& config) {
  const std::string family = familyOf(config);
  if (std::string name = hubName(path); !name.empty()) return name;
  const std::string stated = std::filesystem::path(textAt(config, "_name_or_path")).filename().string();
  const std::string folder = path.parent_path().filename().string();
  for (const std::string& name : {stated, folder}) {
    if (isLikeARepository(name, family)) return name;
  }
  std::string architecture = architectureOf(config);
  return architecture.empty() ? textAt(config, "model_type") : architecture;
}

}  // namespace

std::string modelNameOf(const std::string& path, const std::string& text) {
  if (text.find(kModelFormat) != std::string::npos) {
    const auto recipe = recipeFromJson(text);
    if (recipe.ok() && !recipe->name.empty()) return recipe->name;
  }
  std::error_code ignored;
  const std::filesystem::path file = path.empty() ? std::filesystem::path() : std::filesystem::absolute(path, ignored);
  if (file.extension() == ".json" && file.stem() != "config") return file.stem().string();
  const auto config = parseForeignJson(text);
  if (!config.ok() || !config->is_object()) return {};
  return nameInConfig(file, *config);
}

}  // namespace p2::inline training
