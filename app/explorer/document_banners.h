// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace p2::views {
class Banner;
class DocumentController;
class Perspective;
class Session;
}  // namespace p2::views

namespace p2::explorer {

/// Messages about the open document, over the top of the pages: unsaved changes from a session that ended unexpectedly,
/// a file that another program changed, trouble with files, and why the document cannot be explored, where the page
/// does not say that itself.
class DocumentBanners : public QObject {
  Q_OBJECT
 public:
  DocumentBanners(views::Session& session, views::DocumentController& documents, QWidget& pages);
  /// The shown page, and whether it depends on the document's axes and their problem.
  void setPage(views::Perspective* page, bool dependsOnAxes);

 private:
  void addButtons();
  void refresh();

  views::Session& m_session;
  views::DocumentController& m_documents;
  views::Banner* m_problem;
  views::Banner* m_trouble;
  views::Banner* m_recovery;
  views::Banner* m_changed;
  QPointer<views::Perspective> m_page;
  bool m_dependsOnAxes = false;
};

}  // namespace p2::explorer
