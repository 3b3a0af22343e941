// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "training_answer/launch_files.h"
#include "views/common/inline_message.h"
#include "views/shell/pages.h"
#include "views/shell/perspective.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace p2::views {

class EmptyPage;
class Session;

/// What do I type? The launch flags of the shown configuration, host files with the names of the cluster's hosts and
/// the step's communication, each with a preview, to be copied or saved.
class UsePerspective : public Perspective {
  Q_OBJECT
 public:
  explicit UsePerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {kUsePage, tr("Use"), QStringLiteral("use")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 60, .key = "Ctrl+6"}; }
  [[nodiscard]] QList<QAction*> viewActions() override;
  [[nodiscard]] QWidget* mainList() override;

 private:
  [[nodiscard]] QWidget* makeContent();
  [[nodiscard]] QWidget* makeList();
  [[nodiscard]] QWidget* makePreview();
  void refresh();
  void showFiles();
  void showNoFiles();
  void showFile(int row);
  /// Whether the names of the hosts are refused, and the file depends on them.
  [[nodiscard]] bool waitsForHosts(const LaunchFile& file) const { return m_hostsRefused && file.namesHosts; }
  void enableActions();
  void copyFile();
  void askForFile();
  void askForFolder();
  /// Writes every file that the launcher can use; a script may be executed. Replaces none that exists.
  void saveAll(const QString& folder);
  /// Shows a sentence about a file: briefly, or a problem until the next message.
  void report(InlineMessage::Kind kind, const QString& sentence);

  Session& m_session;
  std::vector<LaunchFile> m_files;
  bool m_hostsRefused = false;
  QStackedWidget* m_pages;
  EmptyPage* m_empty;
  QLabel* m_finding;
  QLineEdit* m_hosts;
  InlineMessage* m_problem;
  QListWidget* m_list;
  QLabel* m_about;
  QPlainTextEdit* m_preview;
  InlineMessage* m_report;
  QAction* m_copy;
  QAction* m_save;
  QAction* m_saveAll;
};

}  // namespace p2::views
