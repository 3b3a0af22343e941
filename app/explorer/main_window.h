// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <span>

#include "app/explorer/perspectives.h"

class QDockWidget;
class QLabel;
class QMenu;
class QSettings;

namespace p2::views {
class Appearance;
class ChainBar;
class DocumentController;
class JobsIndicator;
class PerspectiveBar;
class PerspectiveStack;
class PlanLine;
class Session;
class SummaryLine;
class WorkloadActions;
}  // namespace p2::views

namespace p2::explorer {

class DocumentBanners;
class FileOpener;
class ManualPanel;

/// The one window: perspectives on the left, the chain of choices on top, the summary at the bottom. It puts the parts
/// together and does nothing itself.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  struct Parts {
    views::Session& session;
    views::DocumentController& documents;
    views::Appearance& appearance;
    QSettings& settings;
    std::span<const PerspectiveRow> pages = explorer::perspectives();
  };
  explicit MainWindow(const Parts& parts);
  ~MainWindow() override;

  [[nodiscard]] views::PerspectiveStack& perspectives() { return *m_stack; }
  /// Opens a file by its kind, as if it were dropped.
  void open(const QString& file);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildPages();
  QWidget* buildTopBar();
  void buildDropArea();
  void buildFileMenu();
  void buildWorkloadMenu(QMenu& menu);
  void buildRecentMenu(QMenu& menu);
  void buildEditMenu();
  void buildViewMenu();
  void buildExploreMenu();
  void buildHelpMenu();
  void connectParts();
  void restoreState();

  [[nodiscard]] bool mayEnd();
  /// Whether the page belongs to the way to a training job, so that the chain and the summary are about that.
  [[nodiscard]] bool isOnTheWay() const;
  [[nodiscard]] bool isOfReduction() const;
  /// A lesson has a system of its own, so the document's figures are hidden.
  [[nodiscard]] bool isLesson() const;
  void pasteAnything();
  void showPage(int page);
  void connectStart();
  void refreshTitle();
  /// Shows chain, summary and banners for the current page.
  void chooseSubject();

  Parts m_parts;
  views::PerspectiveStack* m_stack;
  views::PerspectiveBar* m_bar;
  views::ChainBar* m_chain = nullptr;
  views::JobsIndicator* m_jobs = nullptr;
  views::PlanLine* m_planLine = nullptr;
  DocumentBanners* m_banners = nullptr;
  views::WorkloadActions* m_workloads = nullptr;
  FileOpener* m_opener = nullptr;
  QMenu* m_pageMenu = nullptr;
  QDockWidget* m_help;
  ManualPanel* m_manual;
  views::SummaryLine* m_summary;
  QLabel* m_saveNote;
  bool m_mayClose = false;
};

}  // namespace p2::explorer
