// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace p2::views {
class Banner;
class DocumentController;
class Session;
}  // namespace p2::views

namespace p2::explorer {

/// Messages about the open document, over the top of the pages: unsaved changes from a session that ended unexpectedly,
/// a file that another program changed, trouble with files, and why the document cannot be explored.
class DocumentBanners : public QObject {
  Q_OBJECT
 public:
  DocumentBanners(views::Session& session, views::DocumentController& documents, QWidget& pages);
  /// Whether the shown page depends on the document's axes and their problem.
  void setProblemSeen(bool seen);

 private:
  void addButtons();
  void refresh();

  views::Session& m_session;
  views::DocumentController& m_documents;
  views::Banner* m_problem;
  views::Banner* m_trouble;
  views::Banner* m_recovery;
  views::Banner* m_changed;
  bool m_problemSeen = false;
};

}  // namespace p2::explorer
