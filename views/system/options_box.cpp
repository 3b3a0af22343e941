// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/options_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <array>

#include "base/units.h"
#include "cost/cost_model.h"
#include "views/common/inline_message.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr std::array kRuleSets{RuleSet::Paper, RuleSet::All};

template <class Values>
QStringList namesOf(const Values& values) {
  QStringList names;
  for (const auto value : values) {
    names += qs(nameOf(value));
  }
  return names;
}

template <class Values, class Value>
int indexIn(const Values& values, Value value) {
  return int(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

OptionsBox::OptionsBox(Session& session, QWidget* parent)
    : QGroupBox(tr("Cost model of collectives"), parent), m_session(session) {
  m_layout = new QFormLayout(this);
  m_layout->setSpacing(Theme::kGrid);
  makeBytes();
  m_repeat = makeSpin(QStringLiteral("optionRepeat"), tr("&Repeat"),
                      tr("Number of runs that the predicted time covers"), kMostRepeat);
  makeModel();
  m_algorithm = makeChoice(QStringLiteral("optionAlgorithm"), tr("&Algorithm"),
                           tr("Algorithm of the collectives; auto chooses for each step, direct stands for the kernels "
                              "for registered buffers inside a node"),
                           {});
  makeOverlap();
  m_rules =
      makeChoice(QStringLiteral("optionRules"), tr("R&ule set"),
                 tr("paper: programs of the paper; all: every program whose conditions hold"), namesOf(kRuleSets));
  m_limit = makeSpin(QStringLiteral("optionLimit"), tr("&Size limit"), tr("Maximum number of steps of a program"),
                     kMostSizeLimit);
  connectFields();
  connect(&session, &Session::workspaceChanged, this, &OptionsBox::refresh);
  refresh();
}

void OptionsBox::addField(QWidget* field, const QString& name, const QString& label, const QString& tip) {
  field->setObjectName(name);
  field->setToolTip(tip);
  field->setAccessibleName(QString(label).remove('&'));
  field->setAccessibleDescription(tip);
  m_layout->addRow(label, field);
}

void OptionsBox::makeBytes() {
  m_bytes = new QLineEdit;
  addField(m_bytes, QStringLiteral("optionBytes"), tr("&Bytes per device"),
           tr("Size of the reduced vector, such as 512MB or 2GiB"));
  m_problem = new InlineMessage;
  m_problem->setObjectName(QStringLiteral("optionBytesProblem"));
  m_layout->addRow(m_problem);
}

QSpinBox* OptionsBox::makeSpin(const QString& name, const QString& label, const QString& tip, int most) {
  auto* spin = new QSpinBox;
  spin->setRange(1, most);
  spin->setKeyboardTracking(false);
  addField(spin, name, label, tip);
  return spin;
}

QComboBox* OptionsBox::makeChoice(const QString& name, const QString& label, const QString& tip,
                                  const QStringList& choices) {
  auto* box = new QComboBox;
  box->addItems(choices);
  addField(box, name, label, tip);
  return box;
}

void OptionsBox::makeModel() {
  QStringList names;
  QString tip = tr("The model that turns traffic into time.");
  for (const CostModel* model : costModels()) {
    names += qs(model->name());
    tip += tr("\n%1, not modelled: %2.").arg(qs(model->name()), qs(model->unmodelledEffects()));
  }
  m_model = makeChoice(QStringLiteral("optionModel"), tr("Mo&del"), tip, names);
}

void OptionsBox::makeOverlap() {
  m_overlap = new QCheckBox(tr("Steps &overlap"));
  addField(m_overlap, QStringLiteral("optionOverlap"), {},
           tr("Rank programs as if the vector were cut into chunks: each step works on one chunk while "
              "the next step works on the chunk before. By default, libraries run one collective after "
              "the other."));
  m_overlap->setAccessibleName(tr("Steps overlap"));
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
    edit(tr("Choose rule set %1").arg(m_rules->itemText(index)),
         [=](ExploreOptions& o) { o.rules = kRuleSets[std::size_t(index)]; });
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
  m_rules->setCurrentIndex(indexIn(kRuleSets, options.rules));
  if (options.cost.bytes == m_shownBytes) return;
  m_shownBytes = options.cost.bytes;
  m_bytes->setText(editableBytes(options.cost.bytes));
  m_problem->showProblem({});
}

}  // namespace p2::views
