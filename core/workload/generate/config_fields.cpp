// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/config_fields.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"

namespace p2::inline workload {
namespace {

constexpr std::int64_t kMostConfigured = std::int64_t{1} << 32;
constexpr double kMostBase = 1e15;
constexpr double kMostFactor = 1e6;

/// A number above 0 inside an object; 0 for none.
double factorIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return 0;
  const auto value = found->get<double>();
  return value > 0 && value <= kMostFactor ? value : 0;
}

}  // namespace

bool ConfigFields::says(const char* key) const { return m_in.has(key) && !m_in.at(key, {}).json().is_null(); }

/// A list holds the value of each layer: its first is taken.
std::int64_t ConfigFields::valueAt(const char* key, const ConfigKey& wanted) const {
  const std::string need = std::string("it gives the ") + wanted.noun;
  const JsonValue value = m_in.at(key, {});
  if (!value.json().is_array() || value.json().empty())
    return value.whole(wanted.needed ? 1 : 0, kMostConfigured, need);
  const std::vector<JsonValue> items = value.items(need);
  return items.front().whole(wanted.needed ? 1 : 0, kMostConfigured, need);
}

std::optional<std::int64_t> ConfigFields::defaultOf(const ConfigKey& key) {
  for (const ConfigDefault& each : m_family.defaults) {
    if (std::none_of(key.names.begin(), key.names.end(), [&](const char* name) { return name == each.key; })) continue;
    assume(std::string(key.noun) + ": " + std::to_string(each.value) + ", the default of " +
           std::string(m_family.type));
    return each.value;
  }
  return std::nullopt;
}

std::optional<std::int64_t> ConfigFields::number(const ConfigKey& key) {
  const char* present = nullptr;
  bool there = false;
  for (const char* name : key.names) {
    if (!m_in.has(name)) continue;
    use(name);
    there = true;
    if (present == nullptr && says(name)) present = name;
  }
  if (present != nullptr) {
    const std::int64_t value = valueAt(present, key);
    understand(std::string(key.noun) + ": " + std::to_string(value) + " (" + present + ")");
    const Json& json = m_in.at(present, {}).json();
    if (json.is_array() && std::any_of(json.begin(), json.end(), [&](const Json& item) { return item != json[0]; })) {
      assume(std::string(key.noun) + ": the first of " + present + " for all layers");
    }
    return value;
  }
  const char* first = *key.names.begin();
  // Null stands for a size that follows from others; where one is needed it is a slip.
  if (const auto value = there ? std::nullopt : defaultOf(key)) return value;
  if (key.needed) {
    const std::string need = std::string("it gives the ") + key.noun;
    (void)m_in.at(first, need).whole(0, 1, need);
  }
  return std::nullopt;
}

bool ConfigFields::flag(std::initializer_list<const char*> keys, bool otherwise, const char* what) {
  for (const char* key : keys) {
    if (!says(key)) continue;
    use(key);
    const bool value = m_in.at(key, {}).boolean("use true or false");
    if (value) understand(std::string(what) + " (" + key + ")");
    return value;
  }
  return otherwise;
}

std::string ConfigFields::text(const char* key) {
  if (!says(key) || !m_in.at(key, {}).json().is_string()) return {};
  use(key);
  return m_in.at(key, {}).text({});
}

const Json* ConfigFields::list(const char* key) {
  if (!says(key) || !m_in.at(key, {}).json().is_array()) return nullptr;
  use(key);
  return &m_in.at(key, {}).json();
}

const Json* ConfigFields::object(const char* key) {
  if (!says(key) || !m_in.at(key, {}).json().is_object()) return nullptr;
  use(key);
  return &m_in.at(key, {}).json();
}

std::int64_t ConfigFields::numberIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  const auto value = found->get<std::int64_t>();
  return value > 0 && value <= kMostConfigured ? value : 0;
}

std::int64_t ConfigFields::rotaryBase() {
  const auto baseIn = [](const Json& object, const char* key) -> std::int64_t {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) return 0;
    const auto value = found->get<double>();
    return value >= 1 && value <= kMostBase && value == std::floor(value) ? static_cast<std::int64_t>(value) : 0;
  };
  const auto taken = [this](std::int64_t base, const char* key) {
    use(key);
    understand("base of rotary positions: " + std::to_string(base) + " (" + key + ")");
    return base;
  };
  for (const char* key : {"rope_theta", "rotary_emb_base"}) {
    if (!says(key)) continue;
    if (const std::int64_t base = baseIn(m_in.json(), key); base > 0) return taken(base, key);
  }
  constexpr const char* kParameters = "rope_parameters";
  if (!says(kParameters) || !m_in.at(kParameters, {}).json().is_object()) return 0;
  const Json& parameters = m_in.at(kParameters, {}).json();
  const auto full = parameters.find("full_attention");
  const bool byKind = full != parameters.end() && full->is_object();
  const std::int64_t base = baseIn(byKind ? *full : parameters, "rope_theta");
  return base > 0 ? taken(base, kParameters) : 0;
}

double ConfigFields::rotaryShare() {
  const auto taken = [this](const Json& object, const char* inside, const char* key) {
    const double share = factorIn(object, inside);
    if (share == 0 || share >= 1) return 0.0;
    use(key);
    understand("share of a head that rotates: " + exactNumber(share) + " (" + key + ")");
    return share;
  };
  for (const char* key : {"partial_rotary_factor", "rotary_pct"}) {
    if (says(key)) return taken(m_in.json(), key, key);
  }
  constexpr const char* kParameters = "rope_parameters";
  if (!says(kParameters) || !m_in.at(kParameters, {}).json().is_object()) return 0;
  return taken(m_in.at(kParameters, {}).json(), "partial_rotary_factor", kParameters);
}

double ConfigFields::factor(std::initializer_list<const char*> keys, const char* what) {
  for (const char* key : keys) {
    const double value = says(key) ? factorIn(m_in.json(), key) : 0;
    if (value == 0) continue;
    use(key);
    understand(std::string(what) + ": " + exactNumber(value) + " (" + key + ")");
    return value;
  }
  return 0;
}

ConfigFields::RopeScaling ConfigFields::ropeScaling(std::string_view kind) {
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (!says(key) || !m_in.at(key, {}).json().is_object()) continue;
    const Json& object = m_in.at(key, {}).json();
    const auto isKind = [&](const char* name) {
      const auto found = object.find(name);
      return found != object.end() && found->is_string() && found->get<std::string>() == kind;
    };
    RopeScaling made{factorIn(object, "factor")};
    if ((!isKind("rope_type") && !isKind("type")) || made.factor <= 1) continue;
    const double all = factorIn(object, "mscale_all_dim");
    if (all == factorIn(object, "mscale")) made.magnitude = all;
    use(key);
    understand("rotary positions stretched by " + exactNumber(made.factor) + " (" + key + ")");
    return made;
  }
  return {};
}

void ConfigFields::noteUnused() {
  for (const auto& [key, value] : m_in.members({})) {
    if (m_used.count(key) == 0) m_notes.ignored.push_back(key);
  }
}

}  // namespace p2::inline workload
