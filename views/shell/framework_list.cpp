// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/framework_list.h"

#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>

#include "training/accelerator_data.h"
#include "training_answer/training_request.h"
#include "views/common/text.h"
#include "views/common/whole_entries.h"
#include "views/shell/session.h"

namespace p2::views {

FrameworkList::FrameworkList(Session& session, QWidget* parent) : QComboBox(parent), m_session(session) {
  setAccessibleName(tr("Framework"));
  setSizeAdjustPolicy(AdjustToContents);
  connect(this, &QComboBox::activated, this, &FrameworkList::choose);
  connect(&session, &Session::workspaceChanged, this, &FrameworkList::refresh);
  refresh();
}

void FrameworkList::choose(int index) {
  const auto workspace = m_session.workspace();
  const std::string name = itemData(index).toString().toStdString();
  if (name == frameworkNameOf(workspace->system, workspace->training)) return;
  TrainingChoice training = workspace->training;
  training.framework = name;
  m_session.editTraining(tr("Choose framework"), std::move(training));
}

void FrameworkList::refresh() {
  const auto workspace = m_session.workspace();
  const auto accelerator = trainingAcceleratorOf(workspace->system);
  const auto reasonOf = [&](const TrainingFramework& framework) {
    return accelerator.ok() ? missingPlatform(framework, accelerator->platform) : std::string();
  };
  const QSignalBlocker quiet(this);
  clear();
  const auto frameworks = trainingFrameworks();
  for (const TrainingFramework* each : frameworks) {
    if (reasonOf(*each).empty()) addItem(qs(each->label), qs(each->name));
  }
  addItem(tr("All frameworks"), QStringLiteral("any"));
  for (const TrainingFramework* each : frameworks) {
    const std::string reason = reasonOf(*each);
    if (reason.empty()) continue;
    addItem(tr("%1: not on %2").arg(qs(each->label), qs(devicesOf(accelerator->platform))), qs(each->name));
    setItemData(count() - 1, tr("%1 %2").arg(qs(each->label), qs(reason)), Qt::ToolTipRole);
    if (auto* items = qobject_cast<QStandardItemModel*>(model())) items->item(count() - 1)->setEnabled(false);
  }
  setCurrentIndex(std::max(0, findData(qs(frameworkNameOf(workspace->system, workspace->training)))));
  showWholeEntries(*this);
}

}  // namespace p2::views
