// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/model_draft.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "views/common/text.h"
#include "workload/generate/fields.h"

namespace p2::views {
namespace {

constexpr std::string_view kDevicesKey = "devices";
constexpr std::string_view kDataKey = "dp";

/// Fields that nearly every model and plan sets.
constexpr std::array<std::string_view, 27> kDefaultKeys{"name",        "layers",       "hidden",
                                                        "ffn",         "heads",        "kv_heads",
                                                        "vocabulary",  "experts",      "experts_per_token",
                                                        "dp",          "replicas",     "tp",
                                                        "cp",          "pp",           "vpp",
                                                        "ep",          "etp",          "sequence",
                                                        "microbatch",  "microbatches", "global_batch",
                                                        "activations", "gradients",    "zero",
                                                        "sp",          "cp_kind",      "recompute"};

template <class T>
void addRows(std::span<const Property<T>> fields, bool ofModel, std::vector<ModelDraft::Row>& rows) {
  for (const Property<T>& field : fields) {
    const PropertyInfo& info = field.info;
    if (info.key == kDevicesKey) continue;
    ModelDraft::Row row{qs(info.key), qs(info.label), qs(info.tip), {}, ofModel, false};
    for (const std::string_view choice : info.choices) row.choices += qs(choice);
    if (info.kind == PropertyKind::Flag) row.choices = {QStringLiteral("yes"), QStringLiteral("no")};
    row.isCommon = std::find(kDefaultKeys.begin(), kDefaultKeys.end(), info.key) != kDefaultKeys.end();
    rows.push_back(std::move(row));
  }
}

template <class T>
QString textOf(std::span<const Property<T>> fields, const QString& key, const T& owner) {
  const Property<T>& field = *propertyOf(fields, key.toStdString());
  return qs(propertyText(field.info, field.get(owner)));
}

template <class T>
Result<void> setText(std::span<const Property<T>> fields, const QString& key, T& owner, const std::string& text) {
  return setProperty(*propertyOf(fields, key.toStdString()), owner, text);
}

}  // namespace

const std::vector<ModelDraft::Row>& ModelDraft::rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> rows;
    addRows(modelFields(), true, rows);
    addRows(planFields(), false, rows);
    return rows;
  }();
  return kRows;
}

std::optional<std::size_t> ModelDraft::rowOf(const Error& error) {
  const std::string& position = error.where.position;
  const QString key = qs(position == kDevicesKey ? kDataKey : std::string_view(position));
  const auto found = std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return row.key == key; });
  if (found == rows().end()) return std::nullopt;
  return std::size_t(found - rows().begin());
}

void ModelDraft::setValues(TrainedModel values) {
  m_values = std::move(values);
  m_unfit.clear();
}

void ModelDraft::type(std::size_t row, const QString& text) {
  const QString& key = rows()[row].key;
  const std::string typed = text.trimmed().toStdString();
  const Result<void> taken = rows()[row].ofModel ? setText(modelFields(), key, m_values.model, typed)
                                                 : setText(planFields(), key, m_values.plan, typed);
  m_unfit.erase(row);
  if (!taken.ok()) m_unfit[row] = {text, qs(taken.error().message)};
}

QString ModelDraft::text(std::size_t row) const {
  const auto unfit = m_unfit.find(row);
  if (unfit != m_unfit.end()) return unfit->second.text;
  const QString& key = rows()[row].key;
  return rows()[row].ofModel ? textOf(modelFields(), key, m_values.model) : textOf(planFields(), key, m_values.plan);
}

QString ModelDraft::problem(std::size_t row) const {
  const auto unfit = m_unfit.find(row);
  return unfit == m_unfit.end() ? QString() : unfit->second.problem;
}

}  // namespace p2::views
