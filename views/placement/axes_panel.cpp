// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/axes_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "placement/containment.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/row_editor.h"
#include "views/common/text.h"
#include "views/placement/scatter_button.h"
#include "views/shell/axes_fit.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr const char* kFoldSetting = "placements/axesFolded";

}  // namespace

AxesPanel::AxesPanel(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  m_rows = new RowEditor(QStringLiteral("axes"), tr("axis"), m_model, AxesModel::Name);

  m_product = named(new QLabel, "axesProduct");
  auto* title = new QHBoxLayout;
  title->addWidget(makeFold());
  title->addWidget(panelTitle(tr("Axes")));
  title->addWidget(m_folded, 1);
  title->addStretch();
  title->addWidget(m_product);

  m_fit = named(new InlineMessage, "axesFit");
  m_reduction = named(new InlineMessage, "axesReduction");
  m_suggestions = new QHBoxLayout;
  m_suggestions->setSpacing(Theme::kGrid / 2);

  // As high as its buttons, so that the goal below it stays in place.
  auto* fitLine = new QHBoxLayout;
  fitLine->addWidget(m_fit, 1);
  fitLine->addWidget(&m_rows->problem(), 1);
  fitLine->addLayout(m_suggestions);
  fitLine->addStrut(QPushButton(tr("fits")).sizeHint().height());

  m_body = new QWidget;
  auto* body = bareLayout<QVBoxLayout>(m_body, Theme::kGrid);
  body->addWidget(m_rows);
  body->addLayout(fitLine);
  body->addWidget(m_reduction);
  body->addLayout(makeGoal());
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(title);
  layout->addWidget(m_body);
  layout->addStretch();

  connect(&m_model, &AxesModel::edited, this, [this](const QString& what) { editAxes(what, m_model.axes()); });
  connect(&m_model, &AxesModel::draftsChanged, this, &AxesPanel::showFit);
  connect(&session, &Session::workspaceChanged, this, &AxesPanel::refresh);
  refresh();
}

QToolButton* AxesPanel::makeFold() {
  m_folded = named(new QLabel, "axesFolded");
  m_folded->setForegroundRole(QPalette::PlaceholderText);
  m_folded->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_fold = named(new QToolButton, "axesFold");
  m_fold->setAutoRaise(true);
  m_fold->setCheckable(true);
  m_fold->setChecked(QSettings().value(kFoldSetting, false).toBool());
  m_fold->setToolTip(tr("Hide the axes to show more placements (Alt+A)"));
  m_fold->setAccessibleName(tr("Hide the axes"));
  m_fold->setShortcut(Qt::ALT | Qt::Key_A);
  connect(m_fold, &QToolButton::toggled, this, [this](bool folded) {
    QSettings().setValue(kFoldSetting, folded);
    showFold();
  });
  return m_fold;
}

void AxesPanel::setLittleRoom(bool little) {
  if (std::exchange(m_littleRoom, little) == little) return;
  {
    // It is no wish of the user.
    const QSignalBlocker quiet(m_fold);
    m_fold->setChecked(little || QSettings().value(kFoldSetting, false).toBool());
  }
  showFold();
}

std::vector<Error> AxesPanel::problems() const {
  const auto workspace = m_session.workspace();
  std::vector<Error> problems;
  for (const Result<void>& checked :
       {checkAxes(workspace->system, workspace->axes), checkInside(workspace->system, workspace->axes),
        checkReduction(workspace->axes)}) {
    if (!checked.ok()) problems.push_back(checked.error());
  }
  return problems;
}

bool AxesPanel::says(const Error& problem) const {
  return std::ranges::any_of(problems(), [&](const Error& own) { return own.message == problem.message; });
}

// Panels with errors are never folded.
void AxesPanel::showFold() {
  const auto workspace = m_session.workspace();
  const bool folded = m_fold->isChecked() && problems().empty();
  m_fold->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
  m_body->setVisible(!folded);
  QStringList axes;
  for (const Axis& axis : workspace->axes) {
    axes += qs(axis.name) + ' ' + QString::number(axis.size) + (axis.reduce ? QStringLiteral(" Σ") : QString()) +
            (axis.inside.empty() ? QString() : tr(" in %1").arg(qs(axis.inside)));
  }
  m_folded->setText(folded ? axes.join(QStringLiteral(" · ")) : QString());
}

QHBoxLayout* AxesPanel::makeGoal() {
  m_goal = named(new QComboBox, "goal", tr("Goal"), tr("What programs must achieve over the ticked axes"));
  for (const Goal& goal : goals()) {
    m_goal->addItem(qs(goal.name));
    m_goal->setItemData(m_goal->count() - 1, tr("At the end, %1").arg(qs(goal.achieved)), Qt::ToolTipRole);
  }
  auto* label = new QLabel(tr("&Goal"));
  label->setBuddy(m_goal);
  auto* row = new QHBoxLayout;
  row->addWidget(label);
  row->addWidget(m_goal, 1);
  m_scatter = new ScatterButton;
  row->addWidget(m_scatter);
  connect(m_scatter, &ScatterButton::chosen, this, [this](const QString& what, const std::vector<Axis>& axes) {
    Workspace next = *m_session.workspace();
    next.axes = axes;
    next.program.clear();
    m_session.edit(what, std::move(next));
  });
  connect(m_goal, &QComboBox::activated, this, [this](int index) {
    Workspace next = withGoal(*m_session.workspace(), goals()[std::size_t(index)]);
    next.program.clear();
    m_session.edit(tr("Choose goal %1").arg(m_goal->itemText(index)), std::move(next));
  });
  return row;
}

QList<QAction*> AxesPanel::rowActions() const { return m_rows->rowActions(); }

void AxesPanel::takeFocus() {
  m_fold->setChecked(false);
  QTableView& table = m_rows->table();
  if (!table.currentIndex().isValid()) table.setCurrentIndex(m_model.index(0, AxesModel::Size));
  table.setFocus();
}

void AxesPanel::editAxes(const QString& what, std::vector<Axis> axes) {
  Workspace next = *m_session.workspace();
  // An axis that is gone, or no longer reduced over, cannot be one to scatter over.
  next.axes = checkReplicas(axes).ok() ? std::move(axes) : withoutReplicas(std::move(axes));
  m_session.edit(what, std::move(next));
}

void AxesPanel::refresh() {
  const auto workspace = m_session.workspace();
  m_model.show(workspace->system, workspace->axes);
  m_goal->setCurrentText(qs(workspace->options.goal.name));
  // Without levels above the devices there is nothing to stay inside.
  m_rows->table().setColumnHidden(AxesModel::Inside, workspace->system.levels.size() < 2);
  m_scatter->showAxes(workspace->options.goal == kReduceScatterGoal ? workspace->axes : std::vector<Axis>());
  showFit();
  showReduction();
  showFold();
}

void AxesPanel::showFit() {
  const auto workspace = m_session.workspace();
  const AxesFit fit = fitOf(workspace->system, workspace->axes);
  m_product->setText(qs(devicesText(workspace->system)));
  // The error of a cell has this place.
  const QString sentence = m_model.firstProblem().isEmpty() ? fit.sentence : QString();
  m_fit->say(fit.fits ? InlineMessage::Kind::Good : InlineMessage::Kind::Problem, sentence);
  while (QLayoutItem* item = m_suggestions->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  for (const auto& [axis, size] : fit.suggestions) {
    const QString name = qs(workspace->axes[axis].name);
    auto* button = new QPushButton(tr("%1 = %2").arg(name, QString::number(size)));
    button->setObjectName(QStringLiteral("applyFit_%1").arg(axis));
    button->setToolTip(tr("Set %1 to %2").arg(name, QString::number(size)));
    button->setAccessibleName(button->toolTip());
    connect(button, &QPushButton::clicked, this, [this, axis = axis, size = size, tip = button->toolTip()] {
      std::vector<Axis> axes = m_session.workspace()->axes;
      axes[axis].size = size;
      editAxes(tip, std::move(axes));
    });
    m_suggestions->addWidget(button);
  }
}

void AxesPanel::showReduction() {
  const auto workspace = m_session.workspace();
  const auto reduction = checkReduction(workspace->axes);
  const auto sentence = [](const Result<void>& checked) {
    return checked.ok() ? QString() : qs(checked.error().text());
  };
  const bool fits = checkAxes(workspace->system, workspace->axes).ok();
  m_reduction->showProblem(reduction.ok() && fits ? sentence(checkInside(workspace->system, workspace->axes))
                                                  : sentence(reduction));
}

}  // namespace p2::views
