// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "views/common/text.h"
#include "views/shell/session.h"
#include "workspace/strategy_fields.h"

namespace p2::views {
namespace {

constexpr double kMostSpin = 1 << 24;

void describeField(QWidget& field, const char* name, const QString& label, const QString& toolTip) {
  field.setObjectName(QLatin1String(name));
  field.setToolTip(toolTip);
  field.setAccessibleName(QString(label).remove('&'));
  field.setAccessibleDescription(toolTip);
}

}  // namespace

void StrategyForm::add(QWidget& field, const char* name, const QString& label, const QString& toolTip) {
  describeField(field, name, label, toolTip);
  m_layout.addRow(label, &field);
}

void StrategyForm::add(QWidget& field, const char* name, std::string_view key) {
  const PropertyInfo& info = strategyField(key).info;
  add(field, name, qs(info.label), qs(info.tip));
}

template <class Change>
void StrategyForm::edit(const QString& what, const Change& change, const QString& mergeKey) const {
  Workspace next = *m_session.workspace();
  change(next.strategy);
  m_session.edit(what, std::move(next), mergeKey);
}

QSpinBox* StrategyForm::number(const char* name, std::string_view key, const QString& what) {
  const Property<StrategyChoice>& field = strategyField(key);
  auto* box = new QSpinBox;
  box->setRange(int(field.info.none.value_or(field.info.least)), int(std::min(field.info.most, kMostSpin)));
  box->setKeyboardTracking(false);
  add(*box, name, key);
  QObject::connect(box, &QSpinBox::valueChanged, box, [this, &field, what](int value) {
    edit(
        what.contains(QLatin1String("%1")) ? what.arg(value) : what,
        [&](StrategyChoice& choice) { field.set(choice, std::int64_t{value}); },
        QStringLiteral("strategy-") + qs(field.info.key));
  });
  m_shown.emplace_back([box, &field](const StrategyChoice& choice) {
    const QSignalBlocker blocker(box);
    box->setValue(int(std::min<std::int64_t>(std::get<std::int64_t>(field.get(choice)), std::int64_t(kMostSpin))));
  });
  return box;
}

QComboBox* StrategyForm::words(const char* name, std::string_view key, const QString& what) {
  const Property<StrategyChoice>& field = strategyField(key);
  auto* box = new QComboBox;
  for (const std::string_view choice : field.info.choices) box->addItem(qs(choice));
  add(*box, name, key);
  QObject::connect(box, &QComboBox::activated, box, [this, box, &field, what](int index) {
    edit(what.arg(box->itemText(index)),
         [&](StrategyChoice& choice) { field.set(choice, std::string(field.info.choices[std::size_t(index)])); });
  });
  m_shown.emplace_back([box, &field](const StrategyChoice& choice) {
    box->setCurrentIndex(box->findText(qs(std::get<std::string>(field.get(choice)))));
  });
  return box;
}

QCheckBox* StrategyForm::flag(const char* name, std::string_view key, const QString& editOn, const QString& editOff) {
  const Property<StrategyChoice>& field = strategyField(key);
  auto* box = new QCheckBox(qs(field.info.label));
  describeField(*box, name, qs(field.info.label), qs(field.info.tip));
  m_layout.addRow(QString(), box);
  QObject::connect(box, &QCheckBox::toggled, box, [this, &field, editOn, editOff](bool on) {
    edit(on ? editOn : editOff, [&](StrategyChoice& choice) { field.set(choice, on); });
  });
  m_shown.emplace_back([box, &field](const StrategyChoice& choice) {
    const QSignalBlocker blocker(box);
    box->setChecked(std::get<bool>(field.get(choice)));
  });
  return box;
}

void StrategyForm::show(const StrategyChoice& choice) const {
  for (const auto& show : m_shown) show(choice);
}

}  // namespace p2::views
