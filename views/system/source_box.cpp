// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/source_box.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <algorithm>

#include "base/counted.h"
#include "system/oversubscription.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/whole_entries.h"
#include "views/shell/examples.h"
#include "views/shell/session.h"
#include "views/system/kept_sums.h"
#include "views/system/system_text.h"
#include "whatif/system_changes.h"
#include "workspace/presets.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr int kMostNodes = 999'999'999;  // more than any system has, so that no typed digit is lost

/// A preset's name in the opened list, followed by its description.
class PresetDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QString about = index.data(Qt::ToolTipRole).toString();
    if (!about.isEmpty()) option->text += QStringLiteral("  –  ") + about;
  }
};

/// Names of interconnects are not part of the text: levels that kept name and kind keep them. A preset brings its own.
System withNetworkNames(System system, const System& before) {
  if (presetOf(system)) return system;
  for (Level& level : system.levels) {
    for (const Level& old : before.levels) {
      if (old.name == level.name && old.interconnect.kind == level.interconnect.kind) {
        level.interconnect.name = old.interconnect.name;
      }
    }
  }
  return system;
}

/// Whether the notes come from a bundled example and describe its machine.
bool areOfAnExample(const std::string& notes) {
  const auto& all = examples();
  return !notes.empty() && std::any_of(all.begin(), all.end(), [&notes](const Example& each) {
    const auto example = readExample(each.name);
    return example.ok() && example->notes == notes;
  });
}

}  // namespace

SourceBox::SourceBox(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  makePresets();
  makeText();
  makeRatio();
  m_problem = named(new InlineMessage(this), "systemTextProblem");
  auto* presetRow = new QHBoxLayout;
  presetRow->setSpacing(Theme::kGrid);
  presetRow->addWidget(m_preset, 1);
  presetRow->addWidget(m_nodes);
  m_form = new QFormLayout(this);
  m_form->setContentsMargins({});
  m_form->setSpacing(Theme::kGrid);
  m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  auto* presetLabel = new QLabel(tr("&Preset"));
  presetLabel->setBuddy(m_preset);
  m_form->addRow(presetLabel, presetRow);
  m_form->addRow(tr("&Text"), m_text);
  m_form->addRow(tr("Oversubs&cription"), m_ratio);
  connect(&session, &Session::workspaceChanged, this, &SourceBox::refresh);
  refresh();
}

void SourceBox::makePresets() {
  m_preset = named(new QComboBox, "systemPreset", tr("Preset"), tr("A machine to start from"));
  for (const Preset& preset : presets()) {
    m_preset->addItem(qs(preset.name), qs(preset.name));
    m_preset->setItemData(m_preset->count() - 1, qs(preset.description), Qt::ToolTipRole);
  }
  m_preset->setItemDelegate(new PresetDelegate(m_preset));
  m_preset->addItem(tr("own system"));
  showWholeEntries(*m_preset);
  m_nodes = named(new QSpinBox, "systemNodes", tr("Number of nodes"));
  m_nodes->setRange(1, kMostNodes);
  // Wide enough for all systems, not for all numbers.
  m_nodes->setFixedWidth(m_nodes->fontMetrics().horizontalAdvance(tr("65536 layers")) + 5 * Theme::kGrid);
  m_nodes->setKeyboardTracking(false);
  connect(m_preset, &QComboBox::activated, this, &SourceBox::applyPreset);
  connect(m_nodes, &QSpinBox::valueChanged, this, &SourceBox::applyNodes);
}

void SourceBox::makeRatio() {
  m_ratio = named(new QLineEdit, "systemOversubscription", tr("Oversubscription"),
                  tr("Ratio of the nodes' bandwidth to the bandwidth of the network above them, such as 2:1; at 1:1 "
                     "nothing blocks"));
  connect(m_ratio, &QLineEdit::editingFinished, this, [this] {
    if (m_ratio->isModified()) applyRatio();
  });
}

void SourceBox::makeText() {
  m_text = named(new QLineEdit, "systemText", tr("System as text"),
                 tr("Levels from the outside in, such as rack:1 server:2 cpu:2 gpu:4@270GB/s,2us (Enter applies)"));
  connect(m_text, &QLineEdit::editingFinished, this, [this] {
    if (m_text->isModified()) applyText();
  });
}

void SourceBox::edit(System system, const QString& mergeKey) {
  const auto before = presetOf(m_session.workspace()->system);
  Workspace next = withSystem(*m_session.workspace(), std::move(system));
  const auto after = presetOf(next.system);
  const bool isOther = after && (!before || before->name != after->name);
  if (isOther && areOfAnExample(next.notes)) next.notes.clear();
  const QString what = tr("Choose system %1").arg(qs(next.system.name));
  m_session.edit(what, std::move(next), mergeKey);
}

void SourceBox::applyPreset() {
  const std::string name = m_preset->currentData().toString().toStdString();
  if (name.empty()) {
    refresh();
    return;
  }
  auto system = presetSystem(name, m_nodes->value());
  if (system.ok()) {
    edit(std::move(system).value(), QStringLiteral("systemPreset"));
  } else {
    refuse(system.error());
  }
}

/// Preset and number of nodes show the system that stays.
void SourceBox::refuse(const Error& error) {
  refresh();
  showProblem(error);
}

/// Below the fields, over what follows: nothing moves under the mouse.
void SourceBox::showProblem(const Error& error) {
  m_problem->floatBelow(*this);
  // The list above has their names.
  m_problem->showProblem(qs(error.text()).replace(qs(presetNames()), tr("one of the list above")));
}

void SourceBox::applyNodes() {
  if (!m_preset->currentData().toString().isEmpty()) return applyPreset();
  const System& before = m_session.workspace()->system;
  const auto system = withNodeCount(before, m_nodes->value());
  if (!system.ok()) return refuse(system.error());
  const QString stated = followedText(before, *system);
  edit(withDerived(before, *system), QStringLiteral("systemNodes"));
  m_problem->floatBelow(*this);
  m_problem->sayBriefly(InlineMessage::Kind::Note, stated);
}

void SourceBox::applyRatio() {
  const auto ratio = ratioFrom(m_ratio->text().trimmed().toStdString());
  const System& before = m_session.workspace()->system;
  auto system = ratio.ok() ? withOversubscription(before, *ratio) : Result<System>(ratio.error());
  if (!system.ok()) return showProblem(system.error());
  m_ratio->setModified(false);
  m_problem->showProblem({});
  edit(withDerived(before, std::move(system).value()));
  showRatio(m_session.workspace()->system);
}

void SourceBox::applyText() {
  auto system = parseSystem(m_text->text().toStdString());
  if (!system.ok()) return showProblem(system.error());
  m_text->setModified(false);
  m_problem->showProblem({});
  edit(withNetworkNames(std::move(system).value(), m_shown));
}

// A preset may count racks or pods.
void SourceBox::showNodes(const System& system) {
  const bool isPreset = !m_preset->currentData().toString().isEmpty();
  const bool hasNodes = !system.levels.empty() && nodeDepth(system) > 0;
  const std::int64_t nodes = system.levels.empty() ? 0 : nodeCount(system);
  if (!isPreset && hasNodes) {
    m_nodes->setValue(int(nodes));
    m_nodes->setSingleStep(int(std::max<std::int64_t>(1, nodes / system.levels.front().count)));
  } else {
    m_nodes->setSingleStep(1);
  }
  const bool counted = nodes == m_nodes->value() || system.levels.empty();
  const std::string name = counted ? nodeNameOf(system) : system.levels.front().name;
  const QString one = qs(name);
  const QString many = qs(pluralOf(name));
  m_nodes->setSuffix(QLatin1Char(' ') + (m_nodes->value() == 1 ? one : many));
  m_nodes->setToolTip(counted ? tr("Number of %1").arg(many) : tr("Number of %1 of the preset").arg(many));
  m_nodes->setVisible(isPreset || hasNodes);
}

void SourceBox::showRatio(const System& system) {
  const auto part = oversubscribedPart(system);
  m_form->setRowVisible(m_ratio, part.ok());
  if (part.ok()) m_ratio->setText(qs(ratioText(oversubscriptionOf(system, *part))));
  m_ratio->setModified(false);
}

void SourceBox::refresh() {
  const System& system = m_session.workspace()->system;
  const auto preset = presetOf(system);
  const QSignalBlocker presetBlocker(m_preset);
  const bool isNamed = system.name == editedName(system, system) && system.name != shapeOf(system);
  m_preset->setItemText(m_preset->count() - 1, !preset && isNamed ? qs(system.name) : tr("own system"));
  m_preset->setCurrentIndex(preset ? m_preset->findData(qs(preset->name)) : m_preset->count() - 1);
  const QSignalBlocker nodesBlocker(m_nodes);
  if (preset) m_nodes->setValue(int(preset->nodes));
  showNodes(system);
  if (system == m_shown) return;
  m_shown = system;
  showRatio(system);
  const auto text = systemText(system);
  m_text->setText(text.value_or(QString()));
  m_text->setCursorPosition(0);
  m_text->setPlaceholderText(text ? QString() : tr("this system cannot be written as one line"));
  m_problem->showProblem({});
}

}  // namespace p2::views
