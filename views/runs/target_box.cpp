// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/target_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <iterator>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/private_file.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/runs/target_list.h"

namespace p2::views {
namespace {

/// A line of words as it would be typed: those with blanks in quotes.
QString line(const QStringList& words) {
  QStringList quoted;
  for (const QString& word : words) quoted += word.contains(' ') || word.isEmpty() ? '"' + word + '"' : word;
  return quoted.join(' ');
}

}  // namespace

TargetBox::TargetBox(QWidget* parent) : QGroupBox(tr("Target"), parent) {
  auto* form = new QFormLayout(this);
  form->setSpacing(Theme::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  makeChooser(*form);
  makeFields(*form);
  m_problem = named(new InlineMessage, "targetProblem");
  form->addRow(m_problem);
  load();
}

void TargetBox::makeChooser(QFormLayout& form) {
  m_chooser = named(new QComboBox, "targetChooser", tr("Target"), tr("Where programs are run"));
  const auto button = [this](const char* name, const QString& text, const QString& tip, void (TargetBox::*slot)()) {
    auto* made = new QToolButton;
    made->setObjectName(name);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setFocusPolicy(Qt::TabFocus);
    connect(made, &QToolButton::clicked, this, slot);
    return made;
  };
  auto* row = new QHBoxLayout;
  row->addWidget(m_chooser, 1);
  row->addWidget(button("addTarget", QStringLiteral("+"), tr("Add a target like this one"), &TargetBox::addTarget));
  m_remove = button("removeTarget", QStringLiteral("−"), tr("Remove this target"), &TargetBox::removeTarget);
  row->addWidget(m_remove);
  form.addRow(row);
  connect(m_chooser, &QComboBox::currentIndexChanged, this, &TargetBox::show);
}

QLineEdit* TargetBox::addLine(QFormLayout& form, const char* name, const QString& label, const QString& tip,
                              const QString& placeholder) {
  auto* edit = new QLineEdit;
  edit->setObjectName(name);
  edit->setAccessibleName(QString(label).remove('&'));
  edit->setToolTip(tip);
  edit->setPlaceholderText(placeholder);
  form.addRow(label, edit);
  connect(edit, &QLineEdit::editingFinished, this, &TargetBox::take);
  return edit;
}

void TargetBox::makeFields(QFormLayout& form) {
  m_host = addLine(form, "targetHost", tr("H&ost"), tr("A host for ssh; empty for this machine"), tr("this machine"));
  m_launcher =
      named(new QComboBox, "targetLauncher", tr("Launcher"), tr("Starts one process per device on the target"));
  for (const std::string_view name : kLaunchers) m_launcher->addItem(qs(name));
  form.addRow(tr("&Launcher"), m_launcher);
  connect(m_launcher, &QComboBox::activated, this, &TargetBox::take);
  m_ranks = named(new QSpinBox, "targetRanks", tr("Slots"), tr("Maximum number of processes"));
  m_ranks->setRange(1, 1 << 20);
  m_ranks->setKeyboardTracking(false);
  form.addRow(tr("&Slots"), m_ranks);
  connect(m_ranks, &QSpinBox::valueChanged, this, &TargetBox::take);
  m_byNode = named(new QCheckBox(tr("Roun&d-robin ranks over nodes")), "targetByNode");
  m_byNode->setToolTip(tr("Put consecutive ranks on different nodes; off: fill node by node in device order"));
  form.addRow(m_byNode);
  connect(m_byNode, &QCheckBox::clicked, this, &TargetBox::take);
  m_hostfile = addLine(form, "targetHostfile", tr("Host file"), tr("mpirun's list of hosts, a path on the target"),
                       tr("none (local)"));
  m_environment = addLine(form, "targetEnvironment", tr("Var&iables"),
                          tr("NAME=VALUE for every rank, separated by spaces"), tr("none"));
  m_arguments = addLine(form, "targetArguments", tr("&Arguments"), tr("More arguments for the launcher"), tr("none"));
  m_runner = addLine(form, "targetRunner", tr("Ru&nner"), tr("The runner's name or path on the target"),
                     QStringLiteral("p2-runner"));
}

void TargetBox::load() {
  QSettings settings;
  m_targets = readTargets(settings).targets;
  m_saved = m_targets;
  if (m_targets.empty()) m_targets.emplace_back();
  {
    const QSignalBlocker quiet(m_chooser);
    for (const Target& target : m_targets) m_chooser->addItem(qs(target.name));
  }
  const int chosen = std::clamp(settings.value("target").toInt(), 0, int(m_targets.size()) - 1);
  m_chooser->setCurrentIndex(chosen);
  show(chosen);
}

void TargetBox::save() {
  QSettings settings;
  // The ranks' environment may contain secrets: make the settings file readable by its owner only.
  makePrivate(settings.fileName());
  TargetList list = readTargets(settings);
  {
    const QSignalBlocker quiet(m_chooser);
    for (Target& fresh : newTargets(m_saved, m_targets, list.targets)) {
      m_chooser->addItem(qs(fresh.name));
      m_targets.push_back(std::move(fresh));
    }
  }
  // An incomplete target would be read as another one and kept next to its final version.
  list.targets.clear();
  std::copy_if(m_targets.begin(), m_targets.end(), std::back_inserter(list.targets),
               [](const Target& target) { return validated(target).ok(); });
  m_saved = list.targets;
  writeTargets(settings, list);
  settings.setValue("target", m_chooser->currentIndex());
  m_remove->setEnabled(m_targets.size() > 1);
}

void TargetBox::show(int index) {
  if (index < 0) return;
  const Target& target = m_targets[std::size_t(index)];
  const QSignalBlocker quiet(m_ranks);
  m_host->setText(qs(target.host));
  m_runner->setText(qs(target.runner));
  m_launcher->setCurrentText(qs(target.launch.launcher));
  m_hostfile->setText(qs(target.launch.hostfile));
  m_ranks->setValue(target.launch.mostRanks);
  m_byNode->setChecked(target.launch.byNode);
  m_environment->setText(line(environmentText(target.launch)));
  m_arguments->setText(line(argumentText(target.launch)));
  m_remove->setEnabled(m_targets.size() > 1);
  m_problem->showProblem({});
  save();
  emit changed();
}

void TargetBox::take() {
  Target& target = m_targets[std::size_t(m_chooser->currentIndex())];
  target.host = m_host->text().trimmed().toStdString();
  target.runner = m_runner->text().isEmpty() ? "p2-runner" : m_runner->text().toStdString();
  target.name = target.host.empty() ? "local" : target.host;
  target.launch.launcher = m_launcher->currentText().toStdString();
  target.launch.hostfile = m_hostfile->text().toStdString();
  target.launch.mostRanks = m_ranks->value();
  target.launch.byNode = m_byNode->isChecked();
  setEnvironment(target.launch, QProcess::splitCommand(m_environment->text()));
  setArguments(target.launch, QProcess::splitCommand(m_arguments->text()));
  const auto checked = validated(target);
  m_problem->showProblem(checked.ok() ? QString() : qs(checked.error().message));
  m_chooser->setItemText(m_chooser->currentIndex(), qs(target.name));
  if (checked.ok()) save();
  emit changed();
}

void TargetBox::addTarget() {
  m_targets.push_back(m_targets[std::size_t(m_chooser->currentIndex())]);
  m_chooser->addItem(qs(m_targets.back().name));
  m_chooser->setCurrentIndex(m_chooser->count() - 1);
  m_host->setFocus();
}

void TargetBox::removeTarget() {
  const int index = m_chooser->currentIndex();
  m_targets.erase(m_targets.begin() + index);
  const QSignalBlocker quiet(m_chooser);
  m_chooser->removeItem(index);
  m_chooser->setCurrentIndex(std::min(index, m_chooser->count() - 1));
  show(m_chooser->currentIndex());
}

Result<Target> TargetBox::target() const { return validated(m_targets[std::size_t(m_chooser->currentIndex())]); }

}  // namespace p2::views
