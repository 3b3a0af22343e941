// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: keys of a config.json, under all names that models have for them.
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "text/json_value.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/model_families.h"

namespace p2::inline workload {

/// Names of one number, the most common first, and its noun: "layers".
struct ConfigKey {
  std::initializer_list<const char*> names;
  const char* noun;
  bool needed = false;
};

/// Reads a config's values and notes the use of each. Values may be lists with one value per layer that are all
/// equal. The JSON must outlive it.
class ConfigFields {
 public:
  ConfigFields(const JsonValue& in, const ModelFamily& family, ConfiguredModel& notes)
      : m_in(in), m_family(family), m_notes(notes) {}

  /// Whether a key has a value other than null.
  [[nodiscard]] bool says(const char* key) const;
  /// The value, or the family's default; empty where neither is there. A needed one is an error then.
  std::optional<std::int64_t> number(const ConfigKey& key);
  std::int64_t numberOr(const ConfigKey& key, std::int64_t otherwise) { return number(key).value_or(otherwise); }
  /// The first of the keys that is there; `what` is noted where it is true.
  bool flag(std::initializer_list<const char*> keys, bool otherwise, const char* what);
  /// A text; empty where it is missing or no text.
  std::string text(const char* key);
  /// A list, or null.
  const Json* list(const char* key);
  /// An object within the config, or null.
  const Json* object(const char* key);
  /// A number inside such an object; 0 where it is missing.
  static std::int64_t numberIn(const Json& object, const char* key);
  /// The base of rotary positions, at the top or in the rope_parameters of the layers with full attention; 0 where it
  /// is missing or no whole number.
  std::int64_t rotaryBase();
  /// Share of a head's dimensions that rotate, below 1; 0 for all of them.
  double rotaryShare();
  /// A number above 0 that need not be whole; 0 where it is missing. `what` is noted where it is there.
  double factor(std::initializer_list<const char*> keys, const char* what);
  /// The stretching of rotary positions.
  struct RopeScaling {
    double factor = 0;     ///< 0 for none, or for another kind
    double magnitude = 0;  ///< mscale and mscale_all_dim where they are equal
  };
  /// `kind`: "llama3" or "yarn"; others are not read.
  RopeScaling ropeScaling(std::string_view kind);

  void use(const char* key) { m_used.insert(key); }
  void understand(std::string sentence) { m_notes.understood.push_back(std::move(sentence)); }
  void assume(std::string sentence) { m_notes.assumed.push_back(std::move(sentence)); }
  void fail(const std::string& message) const { m_in.fail(message); }
  [[nodiscard]] bool failed() const { return m_in.failed(); }
  /// Notes every key that was not used.
  void noteUnused();

 private:
  [[nodiscard]] std::optional<std::int64_t> defaultOf(const ConfigKey& key);
  [[nodiscard]] std::int64_t valueAt(const char* key, const ConfigKey& wanted) const;

  const JsonValue& m_in;
  const ModelFamily& m_family;
  ConfiguredModel& m_notes;
  std::set<std::string, std::less<>> m_used;
};

}  // namespace p2::inline workload
