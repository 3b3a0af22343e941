// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "text/text_file.h"
#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

constexpr std::array<const FileFormat*, 6> kFormats{&kMegatronFile, &kTorchTitanFile, &kDeepSpeedFile,
                                                    &kFsdpFile,     &kNanotronFile,   &kMaxTextFile};
constexpr std::string_view kPrimusFramework = "pre_trainer.framework";
constexpr std::string_view kPrimusModel = "pre_trainer.model";

enum class Syntax { Json, Toml, Yaml, Shell, Python, Printed };

/// The settings of a text in one syntax, and the format that knows most of them.
struct Reading {
  Syntax syntax = Syntax::Json;
  Settings settings = {};
  const FileFormat* format = nullptr;
  std::size_t known = 0;
};

const KnownSetting* rowIn(std::span<const KnownSetting> rows, std::string_view key) {
  const KnownSetting* best = nullptr;
  for (const KnownSetting& row : rows) {
    if (endsWithPath(key, row.key) && (best == nullptr || row.key.size() > best->key.size())) best = &row;
  }
  return best;
}

const KnownSetting* rowOf(const FileFormat& format, std::string_view key) {
  if (const KnownSetting* own = rowIn(format.settings, key)) return own;
  return format.also != nullptr ? rowIn(format.also(), key) : nullptr;
}

std::size_t knownIn(const FileFormat& format, const Settings& settings) {
  std::set<const KnownSetting*> rows;
  for (const Setting& each : settings.all) {
    if (const KnownSetting* row = rowOf(format, each.key)) rows.insert(row);
  }
  return rows.size();
}

/// Whether a setting decides the configuration, and not the shape of the model or nothing at all.
bool counts(const KnownSetting& row) {
  StatedTraining probe;
  if (row.read == settings::nothing || !row.read("1", probe)) return row.read != settings::nothing;
  return probe.model == ModelShape{} && probe.modelName.empty();
}

const Setting* settingOf(const Settings& settings, std::string_view key) {
  const auto found = std::find_if(settings.all.rbegin(), settings.all.rend(),
                                  [&](const Setting& each) { return endsWithPath(each.key, key); });
  return found == settings.all.rend() ? nullptr : &*found;
}

/// The format that a Primus file names; null for other files.
const FileFormat* primusFormat(const Settings& settings) {
  const Setting* named = settingOf(settings, kPrimusFramework);
  if (named == nullptr) return nullptr;
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const FileFormat* each) { return each->names == named->value; });
  return found == kFormats.end() ? nullptr : *found;
}

Reading readingOf(Syntax syntax, Settings settings) {
  Reading reading{syntax, std::move(settings)};
  if (const FileFormat* named = primusFormat(reading.settings)) {
    reading.format = named;
    reading.known = 1 + knownIn(*named, reading.settings);
    return reading;
  }
  for (const FileFormat* format : kFormats) {
    const std::size_t known = knownIn(*format, reading.settings);
    if (known > reading.known) {
      reading.known = known;
      reading.format = format;
    }
  }
  return reading;
}

/// Length of the JSON object that a text begins with; options may follow it.
std::size_t objectLength(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (text[i] == '{' || text[i] == '}')) {
      depth += text[i] == '{' ? 1 : -1;
      if (depth == 0) return i + 1;
    }
  }
  return text.size();
}

Result<Settings> jsonThenOptions(std::string_view text) {
  const std::size_t length = objectLength(text);
  P2_TRY_ASSIGN(auto settings, jsonSettings(text.substr(0, length)));
  P2_TRY_ASSIGN(const auto options, shellSettings(text.substr(length)));
  settings.all.insert(settings.all.end(), options.all.begin(), options.all.end());
  return settings;
}

bool hasTomlHead(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t close = line.find(']');
    if (line.starts_with('[') && !line.starts_with("[[ ") && close != std::string_view::npos && close > 1) {
      const std::string_view rest = line.substr(close + 1);
      const std::size_t first = rest.find_first_not_of(" \t\r");
      if (first == std::string_view::npos || rest[first] == '#') return true;
    }
    at = end + 1;
  }
  return false;
}

/// The reading that knows most. Errors: broken syntax of a text that is clearly of it, nothing that is known.
Result<Reading> bestReading(std::string_view text, std::string_view function) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Error{"the file is empty"};
  const bool json = text[first] == '{';
  const bool toml = !json && hasTomlHead(text);
  if (json) {
    P2_TRY_ASSIGN(auto settings, jsonThenOptions(text.substr(first)));
    return readingOf(Syntax::Json, std::move(settings));
  }
  if (toml) {
    P2_TRY_ASSIGN(auto settings, tomlSettings(text));
    return readingOf(Syntax::Toml, std::move(settings));
  }
  Reading best;
  std::optional<Error> problem;
  const auto consider = [&](Syntax syntax, const Result<Settings>& settings) {
    if (!settings.ok()) {
      if (syntax == Syntax::Python) problem = settings.error();
      return;
    }
    Reading reading = readingOf(syntax, settings.value());
    if (reading.known > best.known) best = std::move(reading);
  };
  consider(Syntax::Printed, printedSettings(text));
  consider(Syntax::Yaml, yamlSettings(text));
  consider(Syntax::Shell, shellSettings(text));
  consider(Syntax::Python, pythonSettings(text, function));
  if (problem && (best.known < 2 || !function.empty())) return *problem;
  return best;
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
  }

  Result<StatedTraining> run() {
    P2_TRY_ASSIGN(m_stated.framework, trainingFrameworkFrom(m_format.framework));
    if (m_format.prepare != nullptr) m_format.prepare(m_stated);
    for (const Setting& each : m_reading.settings.all) P2_TRY(read(each));
    for (const OpenSetting& each : m_reading.settings.open) {
      const KnownSetting* row = rowOf(m_format, each.key);
      if (row != nullptr && counts(*row)) m_stated.open.push_back(each.reason);
    }
    if (const Setting* model = settingOf(m_reading.settings, kPrimusModel);
        model != nullptr && m_reading.syntax == Syntax::Yaml) {
      m_stated.modelName = model->value;
    }
    if (m_format.finish != nullptr) m_format.finish(m_stated);
    // A flag that a command line leaves out is off; files of other programs have defaults of their own.
    if (&m_format == &kMegatronFile && !m_stated.overlapsData && isCommandLine()) m_stated.overlapsData = false;
    return std::move(m_stated);
  }

 private:
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
    if (!row->meaning.empty() && !isNone(*value)) {
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
};

std::string formatNames() {
  return "Megatron-LM arguments, a NeMo or Megatron-Bridge recipe, a configuration of TorchTitan, DeepSpeed, FSDP, "
         "nanotron, MaxText or Primus";
}

}  // namespace

std::span<const FileFormat* const> fileFormats() { return kFormats; }

Result<StatedTraining> readTraining(std::string_view text, std::string_view function) {
  P2_TRY_ASSIGN(const auto reading, bestReading(text, function));
  if (reading.format == nullptr) return Error{"the text sets nothing that is known; use " + formatNames()};
  return Statement(reading).run();
}

Result<StatedTraining> readTrainingFile(const std::string& path) {
  const std::size_t colon = path.rfind(".py:");
  const std::string file = colon == std::string::npos ? path : path.substr(0, colon + 3);
  const std::string function = colon == std::string::npos ? std::string() : path.substr(colon + 4);
  P2_TRY_ASSIGN(const auto text, readTextFile(file));
  return readTraining(text, function).within(file);
}

}  // namespace p2::inline training_files
