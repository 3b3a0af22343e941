// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/figures_box.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QToolButton>

#include "system/interconnects.h"
#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/calibration_dialog.h"

namespace p2::views {

FiguresBox::FiguresBox(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  m_fitted = named(new QCheckBox(tr("Use fitted fi&gures")), "useFitted", tr("Use fitted figures"));
  m_calibrate = named(new QAction(tr("&Calibrate from measurements…"), this), "calibrate");
  m_calibrate->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
  m_calibrate->setToolTip(tr("Fit bandwidths, latencies and caps to measured times (%1)")
                              .arg(m_calibrate->shortcut().toString(QKeySequence::NativeText)));
  auto* button = named(new QToolButton, "calibrateButton");
  button->setDefaultAction(m_calibrate);
  button->setText(tr("Calibrate…"));
  button->setAccessibleName(tr("Calibrate from measurements"));
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid);
  layout->addWidget(m_fitted, 1);
  layout->addWidget(button);
  connect(m_calibrate, &QAction::triggered, this, [this] {
    auto* dialog = new CalibrationDialog(m_session, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
  connect(m_fitted, &QCheckBox::clicked, this, [this](bool fitted) {
    Workspace next = *m_session.workspace();
    next.system.calibrated = fitted;
    m_session.edit(fitted ? tr("Use fitted figures") : tr("Use nominal figures"), std::move(next));
  });
  connect(&session, &Session::workspaceChanged, this, &FiguresBox::refresh);
  refresh();
}

void FiguresBox::refresh() {
  const System& system = m_session.workspace()->system;
  const bool any = hasFittedFigures(system);
  m_fitted->setEnabled(any);
  m_fitted->setChecked(any && system.calibrated);
  m_fitted->setToolTip(any ? tr("Predict with fitted figures instead of nominal ones")
                           : tr("No fitted figures yet: calibrate from measurements first"));
}

}  // namespace p2::views
