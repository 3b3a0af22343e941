// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "text/text_file.h"
#include "training_files/detail/reading.h"

namespace p2::inline training_files {
namespace {

/// Whether a setting decides the configuration, and not the shape of the model or nothing at all.
bool counts(const KnownSetting& row) {
  StatedTraining probe;
  if (row.read == settings::nothing || !row.read("1", probe)) return row.read != settings::nothing;
  return probe.model == ModelShape{} && probe.modelName.empty();
}

std::optional<std::string> interpolated(const Settings& settings, const std::string& value, int depth = 0);

/// "4, ${.hidden_size}", as NeMo's resolver multiply has it. No value: a factor that is no whole number.
std::optional<std::string> product(const Settings& settings, std::string_view factors, int depth) {
  std::int64_t product = 1;
  while (!factors.empty()) {
    // A reference has no commas.
    const std::size_t end = std::min(factors.find(','), factors.size());
    std::string_view part = factors.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    const auto value = interpolated(settings, std::string(part), depth + 1);
    const auto factor = value ? wholeOf(*value) : std::nullopt;
    if (!factor || (*factor != 0 && std::abs(product) > (std::int64_t{1} << 40) / std::abs(*factor))) return {};
    product *= *factor;
    factors.remove_prefix(std::min(end + 1, factors.size()));
  }
  return std::to_string(product);
}

/// Puts in ${name:default} of Primus, and ${a.b}, ${.b} and ${multiply:a,b} of OmegaConf. No value: the file does not
/// hold it.
std::optional<std::string> interpolated(const Settings& settings, const std::string& value, int depth) {
  if (!value.starts_with("${") || !value.ends_with('}') || depth > 8) {
    return value.find("${") == std::string::npos ? std::optional<std::string>(value) : std::nullopt;
  }
  std::string inside = value.substr(2, value.size() - 3);
  constexpr std::string_view kMultiply = "multiply:";
  if (inside.starts_with(kMultiply)) return product(settings, std::string_view(inside).substr(kMultiply.size()), depth);
  inside.erase(0, inside.find_first_not_of('.'));
  if (const std::size_t colon = inside.find(':'); colon != std::string::npos) {
    std::string text = inside.substr(colon + 1);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    return text;
  }
  const Setting* named = settingOf(settings, settingKey(inside));
  return named == nullptr || named->value == value ? std::nullopt : interpolated(settings, named->value, depth + 1);
}

/// Reads settings with the rows of a format.
class Statement {
 public:
  explicit Statement(const Reading& reading) : m_reading(reading), m_format(*reading.format) {
    m_stated.format = nameOf(reading);
    m_stated.skipped = reading.settings.skipped;
    if (reading.syntax != Syntax::Python) return;
    for (const Setting& each : reading.settings.all) {
      if (const KnownSetting* row = rowOf(m_format, each.key)) m_last[row] = &each;
    }
  }

  Result<StatedTraining> run() {
    P2_TRY_ASSIGN(m_stated.framework, trainingFrameworkFrom(m_format.framework));
    if (m_format.prepare != nullptr) m_format.prepare(m_stated);
    for (const Setting& each : m_reading.settings.all) {
      if (countsHere(each)) P2_TRY(read(each));
    }
    noteDefaults();
    for (const OpenSetting& each : m_reading.settings.open) {
      const KnownSetting* row = rowOf(m_format, each.key);
      if (row != nullptr && counts(*row)) m_stated.open.push_back(each.reason);
    }
    if (const Setting* model = settingOf(m_reading.settings, "pre_trainer.model");
        model != nullptr && m_reading.syntax == Syntax::Yaml) {
      m_stated.modelName = model->value;
    }
    if (m_format.finish != nullptr) m_format.finish(m_stated);
    // A flag that a command line leaves out is off; files of other programs have defaults of their own.
    if (&m_format == &kMegatronFile && !m_stated.overlapsData && isCommandLine()) m_stated.overlapsData = false;
    return std::move(m_stated);
  }

 private:
  /// A recipe can set a value several times: the last one counts, even where it is None.
  [[nodiscard]] bool countsHere(const Setting& each) const {
    if (m_reading.syntax != Syntax::Python) return true;
    const auto last = m_last.find(rowOf(m_format, each.key));
    return last == m_last.end() || last->second == &each;
  }

  /// Says which settings a recipe leaves to its framework.
  void noteDefaults() {
    std::string names;
    for (const auto& [row, each] : m_last) {
      // It has no effect without experts.
      const bool counts = each->key != "expert_tensor_parallel_size" || m_stated.expert.value_or(1) > 1;
      if (each->isDefault && counts) names += (names.empty() ? "" : ", ") + each->key + " " + each->value;
    }
    if (!names.empty()) m_stated.assumed.push_back("as in recipes of " + m_reading.family + ": " + names);
  }

  [[nodiscard]] bool isCommandLine() const {
    const auto& all = m_reading.settings.all;
    return m_reading.syntax == Syntax::Shell && std::any_of(all.begin(), all.end(), [](const Setting& each) {
             return each.option && each.key.find('.') == std::string::npos;
           });
  }

  static std::string nameOf(const Reading& reading) {
    const bool megatron = reading.format == &kMegatronFile;
    if (primusFormat(reading.settings) != nullptr)
      return "Primus configuration (" + std::string(reading.format->names) + ")";
    if (!reading.family.empty()) return reading.family + " recipe";
    if (megatron && reading.syntax == Syntax::Python) return "NeMo or Megatron-Bridge recipe";
    if (megatron && reading.syntax == Syntax::Yaml && settingOf(reading.settings, "trainer.devices") != nullptr) {
      return "NeMo configuration";
    }
    return std::string(reading.format->name);
  }

  Result<void> read(const Setting& setting) {
    const KnownSetting* row = rowOf(m_format, setting.key);
    if (row == nullptr) row = rowIn(launcherSettings(), setting.key);
    if (row == nullptr) {
      leave(setting);
      return {};
    }
    const auto value = interpolated(m_reading.settings, setting.value);
    if (!value) {
      leaveOpen(setting, *row, ", which the file does not hold");
      return {};
    }
    if (!row->read(*value, m_stated)) return refused(setting, *value, *row);
    if (!row->meaning.empty() && !isNone(*value) && !setting.isDefault) {
      m_stated.understood.push_back({setting.key, *value, std::string(row->meaning)});
    }
    return {};
  }

  void leaveOpen(const Setting& setting, const KnownSetting& row, std::string_view why) {
    if (counts(row)) {
      m_stated.open.push_back(setting.key + " is " + setting.value + std::string(why));
    }
  }

  Result<void> refused(const Setting& setting, const std::string& value, const KnownSetting& row) {
    // A recipe can compute its values.
    if (m_reading.syntax == Syntax::Python && !numberOf(value)) {
      leaveOpen(setting, row, ", which is known when the recipe runs");
      return {};
    }
    return Error{"\"" + value + "\" is not a value of " + setting.key + "; use " + std::string(row.need),
                 setting.line > 0 ? "line " + std::to_string(setting.line) : std::string()};
  }

  void leave(const Setting& setting) {
    if (isLauncherSetting(setting.key) || !m_left.insert(setting.key).second) return;
    const bool listed = m_format.names.empty() || isArgumentName(m_format.names, setting.key) ||
                        isArgumentName("megatron", setting.key);
    // Only an option of a command line is the framework's or a mistake; other syntaxes hold values for other programs
    // as well.
    (setting.option && !listed ? m_stated.unknown : m_stated.ignored).push_back(setting.key);
  }

  const Reading& m_reading;
  const FileFormat& m_format;
  StatedTraining m_stated;
  std::set<std::string> m_left;
  std::map<const KnownSetting*, const Setting*> m_last;  ///< the last setting for each row, in recipes
};

std::string formatNames() {
  return "Megatron-LM arguments, a NeMo or Megatron-Bridge recipe, a configuration of TorchTitan, DeepSpeed, FSDP, "
         "nanotron, MaxText, NxD Training or Primus";
}

}  // namespace

Result<StatedTraining> readTraining(std::string_view text, std::string_view function, const std::string& path) {
  P2_TRY_ASSIGN(const auto reading, bestReading(text, function, path));
  if (reading.format == nullptr) return Error{"the text sets nothing that is known; use " + formatNames()};
  return Statement(reading).run();
}

Result<StatedTraining> readTrainingFile(const std::string& path) {
  const std::size_t colon = path.rfind(".py:");
  const std::string file = colon == std::string::npos ? path : path.substr(0, colon + 3);
  const std::string function = colon == std::string::npos ? std::string() : path.substr(colon + 4);
  P2_TRY_ASSIGN(const auto text, readTextFile(file));
  return readTraining(text, function, file).within(file);
}

}  // namespace p2::inline training_files
