// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "support/warnings.h"
#include "tests/views/strategy/strategy_desk.h"
#include "tests/views/widget_driver.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/configurations_model.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/strategy_perspective.h"

namespace p2::test {

/// The strategy perspective on a session, and what tests do with it by mouse and keys.
class StrategyWindow {
 public:
  static void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }
  void setUp() {
    failOnWarnings();
    session = std::make_unique<views::Session>();
    session->reset(strategyWorkspace());
    view = shown<views::StrategyPerspective>(*session, {1440, 840});
    QVERIFY(view);
    QTRY_VERIFY(settled());
  }
  void clearAway() {
    view.reset();
    session.reset();
  }

  template <class T>
  T* find(const char* name) const {
    return &childOf<T>(*view, name);
  }
  views::GraphView* graph() const { return find<views::GraphView>("strategyGraph"); }
  QTableView* table() const { return find<QTableView>("strategyConfigurations"); }
  bool settled() const { return session->jobs().running().empty() && graph()->vertexCount() > 0; }
  const std::vector<StrategyPin>& pins() const { return session->workspace()->strategy.pins; }
  QString headline() const { return find<QLabel>("strategyHeadline")->text(); }
  QModelIndex chosenRow() {
    for (int row = 0; row < table()->model()->rowCount(); ++row) {
      const QModelIndex index = table()->model()->index(row, views::ConfigurationsModel::SplitColumn);
      if (index.data().toString().startsWith("★ ")) return index;
    }
    return {};
  }
  /// The button of the empty page that is seen, if one is.
  QPushButton* wayOut() {
    for (QPushButton* button : view->findChildren<QPushButton*>("emptyButton")) {
      if (button->isVisible()) return button;
    }
    return nullptr;
  }
  void exportTo(const char* action, const QString& path) {
    find<QAction>(action)->trigger();
    auto* dialog = find<QFileDialog>("strategyExportDialog");
    QTRY_VERIFY(dialog->isVisible());
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(find<QLabel>("strategyWritten")->isVisible());
  }

  std::unique_ptr<views::Session> session;
  std::unique_ptr<views::StrategyPerspective> view;
};

}  // namespace p2::test
