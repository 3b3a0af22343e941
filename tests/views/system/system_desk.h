// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/levels_model.h"
#include "views/system/system_perspective.h"
#include "views/system/system_text.h"
#include "views/widget_driver.h"

namespace p2::test {

/// The system perspective in a window of its own, with all that can be folded open.
class SystemDesk {
 protected:
  void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }
  void open() {
    failOnWarnings();
    m_session = std::make_unique<views::Session>();
    m_perspective = std::make_unique<views::SystemPerspective>(*m_session);
    m_session->reset(workspaceOf("node:2 gpu:4", "data=8", "data"));
    m_perspective->resize(1200, 800);
    m_perspective->show();
    m_perspective->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_perspective.get()));
    for (const char* fold : {"modelFold", "notesFold"}) {
      QTest::mouseClick(&childOf<QToolButton>(*m_perspective, fold), Qt::LeftButton);
    }
  }
  void close() {
    m_perspective.reset();
    m_session.reset();
  }
  [[nodiscard]] QString system() const { return *views::systemText(m_session->workspace()->system); }
  [[nodiscard]] QTableView& table() const { return childOf<QTableView>(*m_perspective, "levelsTable"); }
  [[nodiscard]] QLabel& label(const char* name) const { return childOf<QLabel>(*m_perspective, name); }

  std::unique_ptr<views::Session> m_session;
  std::unique_ptr<views::SystemPerspective> m_perspective;
};

}  // namespace p2::test
