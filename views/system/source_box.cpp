// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/source_box.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include "views/common/inline_message.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/system_text.h"
#include "workspace/presets.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr int kMostNodes = 1 << 20;

/// Names of interconnects are not part of the text: levels that kept name and kind keep them.
System withNetworkNames(System system, const System& before) {
  for (Level& level : system.levels) {
    for (const Level& old : before.levels) {
      if (old.name == level.name && old.interconnect.kind == level.interconnect.kind) {
        level.interconnect.name = old.interconnect.name;
      }
    }
  }
  return system;
}

}  // namespace

SourceBox::SourceBox(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  makePresets();
  makeText();
  m_problem = new InlineMessage;
  m_problem->setObjectName(QStringLiteral("systemTextProblem"));
  auto* presetRow = new QHBoxLayout;
  presetRow->setSpacing(Theme::kGrid);
  presetRow->addWidget(m_preset, 1);
  presetRow->addWidget(m_nodes);
  auto* layout = new QFormLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(Theme::kGrid);
  auto* presetLabel = new QLabel(tr("&Preset"));
  presetLabel->setBuddy(m_preset);
  layout->addRow(presetLabel, presetRow);
  layout->addRow(tr("&Text"), m_text);
  layout->addRow(m_problem);
  connect(&session, &Session::workspaceChanged, this, &SourceBox::refresh);
  refresh();
}

void SourceBox::makePresets() {
  m_preset = new QComboBox;
  m_preset->setObjectName(QStringLiteral("systemPreset"));
  m_preset->setAccessibleName(tr("Preset"));
  m_preset->setToolTip(tr("A machine to start from"));
  for (const Preset& preset : presets()) {
    m_preset->addItem(qs(preset.name), qs(preset.name));
    m_preset->setItemData(m_preset->count() - 1, qs(preset.description), Qt::ToolTipRole);
  }
  m_preset->addItem(tr("own system"));
  m_nodes = new QSpinBox;
  m_nodes->setObjectName(QStringLiteral("systemNodes"));
  m_nodes->setAccessibleName(tr("Nodes of the preset"));
  m_nodes->setToolTip(tr("Number of nodes of the preset"));
  m_nodes->setRange(1, kMostNodes);
  const auto count = [this](int nodes) { m_nodes->setSuffix(nodes == 1 ? tr(" node") : tr(" nodes")); };
  connect(m_nodes, &QSpinBox::valueChanged, this, count);
  count(m_nodes->value());
  m_nodes->setKeyboardTracking(false);
  connect(m_preset, &QComboBox::activated, this, &SourceBox::applyPreset);
  connect(m_nodes, &QSpinBox::valueChanged, this, &SourceBox::applyPreset);
}

void SourceBox::makeText() {
  m_text = new QLineEdit;
  m_text->setObjectName(QStringLiteral("systemText"));
  m_text->setAccessibleName(tr("System as text"));
  m_text->setToolTip(tr("Levels from the outside in, such as rack:1 server:2 cpu:2 gpu:4@270GB/s,2us (Enter applies)"));
  connect(m_text, &QLineEdit::editingFinished, this, [this] {
    if (m_text->isModified()) applyText();
  });
}

void SourceBox::edit(System system, const QString& mergeKey) {
  Workspace next = withSystem(*m_session.workspace(), std::move(system));
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
    m_problem->showProblem(qs(system.error().text()));
  }
}

void SourceBox::applyText() {
  auto system = parseSystem(m_text->text().toStdString());
  if (!system.ok()) {
    m_problem->showProblem(qs(system.error().text()));
    return;
  }
  m_text->setModified(false);
  m_problem->showProblem({});
  edit(withNetworkNames(std::move(system).value(), m_shown));
}

void SourceBox::refresh() {
  const System& system = m_session.workspace()->system;
  const auto preset = presetOf(system);
  const QSignalBlocker presetBlocker(m_preset);
  const QSignalBlocker nodesBlocker(m_nodes);
  m_preset->setCurrentIndex(preset ? m_preset->findData(qs(preset->name)) : m_preset->count() - 1);
  if (preset) {
    m_nodes->setValue(int(preset->nodes));
    m_nodes->setSuffix(preset->nodes == 1 ? tr(" node") : tr(" nodes"));
  }
  m_nodes->setEnabled(preset.has_value());
  m_nodes->setVisible(preset.has_value());
  if (system == m_shown) return;
  m_shown = system;
  const auto text = systemText(system);
  m_text->setText(text.value_or(QString()));
  m_text->setCursorPosition(0);
  m_text->setPlaceholderText(text ? QString() : tr("drawn: cannot be written as one line"));
  m_problem->showProblem({});
}

}  // namespace p2::views
