// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/options_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "base/units.h"
#include "cost/cost_model.h"
#include "views/common/inline_message.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "workspace/explore_fields.h"

namespace p2::views {
namespace {

template <class Values>
QStringList namesOf(const Values& values) {
  QStringList names;
  for (const auto value : values) {
    names += qs(nameOf(value));
  }
  return names;
}

}  // namespace

OptionsBox::OptionsBox(Session& session, QWidget* parent)
    : QGroupBox(tr("Cost model of collectives"), parent), m_session(session) {
  m_layout = new QFormLayout(this);
  m_layout->setSpacing(Theme::kGrid);
  makeBytes();
  m_repeat = makeSpin(QStringLiteral("optionRepeat"), "repeat");
  makeModel();
  m_algorithm = makeChoice(QStringLiteral("optionAlgorithm"), "algorithm",
                           tr("; auto chooses for each step, direct uses the kernels for registered buffers inside a "
                              "node"));
  makeOverlap();
  m_rules = makeChoice(QStringLiteral("optionRules"), "rules", {});
  m_limit = makeSpin(QStringLiteral("optionLimit"), "limit");
  connectFields();
  connect(&session, &Session::workspaceChanged, this, &OptionsBox::refresh);
  refresh();
}

void OptionsBox::addField(QWidget* field, const QString& name, std::string_view key, const QString& more) {
  const PropertyInfo& info = exploreField(key).info;
  const QString tip = qs(info.tip) + more;
  field->setObjectName(name);
  field->setToolTip(tip);
  field->setAccessibleName(qs(info.label).remove('&'));
  field->setAccessibleDescription(tip);
  m_layout->addRow(qobject_cast<QCheckBox*>(field) ? QString() : qs(info.label), field);
}

void OptionsBox::makeBytes() {
  m_bytes = new QLineEdit;
  addField(m_bytes, QStringLiteral("optionBytes"), "bytes");
  m_problem = new InlineMessage;
  m_problem->setObjectName(QStringLiteral("optionBytesProblem"));
  m_layout->addRow(m_problem);
}

QSpinBox* OptionsBox::makeSpin(const QString& name, std::string_view key) {
  const PropertyInfo& info = exploreField(key).info;
  auto* spin = new QSpinBox;
  spin->setRange(int(info.least), int(info.most));
  spin->setKeyboardTracking(false);
  addField(spin, name, key);
  return spin;
}

QComboBox* OptionsBox::makeChoice(const QString& name, std::string_view key, const QString& more) {
  auto* box = new QComboBox;
  for (const std::string_view choice : exploreField(key).info.choices) box->addItem(qs(choice));
  addField(box, name, key, more);
  return box;
}

void OptionsBox::makeModel() {
  QString effects;
  for (const CostModel* model : costModels()) {
    effects += tr("\n%1, not modelled: %2.").arg(qs(model->name()), qs(model->unmodelledEffects()));
  }
  m_model = makeChoice(QStringLiteral("optionModel"), "model", effects);
  for (const CostModel* model : costModels()) m_model->addItem(qs(model->name()));
}

void OptionsBox::makeOverlap() {
  m_overlap = new QCheckBox(qs(exploreField("overlap").info.label));
  addField(m_overlap, QStringLiteral("optionOverlap"), "overlap");
}

void OptionsBox::showAlgorithms(const CostOptions& cost) {
  const QStringList names = namesOf(algorithmsOf(modelOf(cost)));
  const QString wanted = qs(nameOf(cost.algorithm));
  m_algorithm->clear();
  m_algorithm->addItems(names);
  if (!names.contains(wanted)) m_algorithm->addItem(wanted);
  m_algorithm->setCurrentText(wanted);
}

void OptionsBox::connectFields() {
  // Once by Enter before the field is finished: a suspicious value is confirmed.
  connect(m_bytes, &QLineEdit::returnPressed, this, [this] {
    if (m_bytes->isModified() && m_bytes->text() == m_doubted) applyBytes(true);
  });
  connect(m_bytes, &QLineEdit::editingFinished, this, [this] {
    if (m_bytes->isModified()) applyBytes(false);
  });
  connect(m_repeat, &QSpinBox::valueChanged, this, [this](int repeat) {
    edit(
        tr("Set repeats to %1").arg(repeat), [=](ExploreOptions& o) { o.cost.repeat = repeat; },
        QStringLiteral("repeat"));
  });
  connect(m_limit, &QSpinBox::valueChanged, this, [this](int limit) {
    edit(
        tr("Set size limit to %1").arg(limit), [=](ExploreOptions& o) { o.sizeLimit = limit; },
        QStringLiteral("limit"));
  });
  connect(m_algorithm, &QComboBox::activated, this, [this](int index) {
    const auto algorithm = algorithmFrom(m_algorithm->itemText(index).toStdString());
    if (!algorithm.ok()) return;
    edit(tr("Choose algorithm %1").arg(m_algorithm->itemText(index)),
         [&](ExploreOptions& o) { o.cost.algorithm = *algorithm; });
  });
  connect(m_model, &QComboBox::activated, this, [this](int index) {
    edit(tr("Choose model %1").arg(m_model->itemText(index)), [&](ExploreOptions& o) {
      const bool own = o.cost.algorithm == defaultAlgorithm(o.cost.model);
      o.cost.model = m_model->itemText(index).toStdString();
      const auto known = algorithmsOf(modelOf(o.cost));
      const bool fits = std::find(known.begin(), known.end(), o.cost.algorithm) != known.end();
      if (own || !fits) o.cost.algorithm = defaultAlgorithm(o.cost.model);
    });
  });
  connect(m_overlap, &QCheckBox::clicked, this, [this](bool overlap) {
    edit(overlap ? tr("Let steps overlap") : tr("Let no steps overlap"),
         [=](ExploreOptions& o) { o.cost.overlap = overlap; });
  });
  connect(m_rules, &QComboBox::activated, this, [this](int index) {
    const QString rules = m_rules->itemText(index);
    edit(tr("Choose rule set %1").arg(rules),
         [&](ExploreOptions& o) { exploreField("rules").set(o, rules.toStdString()); });
  });
}

void OptionsBox::edit(const QString& what, const std::function<void(ExploreOptions&)>& change,
                      const QString& mergeKey) {
  Workspace next = *m_session.workspace();
  change(next.options);
  m_session.edit(what, std::move(next), mergeKey);
}

void OptionsBox::applyBytes(bool confirmed) {
  ExploreOptions options = m_session.workspace()->options;
  const Bytes before = options.cost.bytes;
  const auto bytes = typedBytes(m_bytes->text(), before);
  if (bytes.ok()) options.cost.bytes = *bytes;
  const auto checked = bytes.ok() ? checkOptions(options) : Result<void>(bytes.error());
  if (!checked.ok()) {
    m_problem->showProblem(qs(checked.error().text()));
    return;
  }
  const QString doubt = confirmed ? QString() : doubtOfBytes(before, *bytes);
  m_doubted = doubt.isEmpty() ? QString() : m_bytes->text();
  if (!doubt.isEmpty()) {
    return m_problem->say(InlineMessage::Kind::Note, tr("%1 Press Enter again to keep it.").arg(doubt));
  }
  m_shownBytes = Bytes(0);  // so that the spelling is tidied even when the number stays
  edit(tr("Set bytes per device to %1").arg(m_bytes->text()), [&](ExploreOptions& o) { o.cost.bytes = *bytes; });
  refresh();
}

void OptionsBox::refresh() {
  const ExploreOptions& options = m_session.workspace()->options;
  const QSignalBlocker repeatBlocker(m_repeat);
  const QSignalBlocker limitBlocker(m_limit);
  m_repeat->setValue(options.cost.repeat);
  m_limit->setValue(options.sizeLimit);
  m_model->setCurrentText(qs(options.cost.model));
  showAlgorithms(options.cost);
  m_overlap->setChecked(options.cost.overlap);
  m_rules->setCurrentText(qs(nameOf(options.rules)));
  if (options.cost.bytes == m_shownBytes) return;
  m_shownBytes = options.cost.bytes;
  m_bytes->setText(editableBytes(options.cost.bytes));
  m_problem->showProblem({});
}

}  // namespace p2::views
