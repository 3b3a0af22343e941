// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <functional>
#include <vector>

#include "views/shell/perspective.h"

class QScrollArea;

namespace p2::views {

/// The window's pages. Each is made when it is first shown, so that the window appears at once, and the way back is
/// remembered.
class PerspectiveStack : public QStackedWidget {
  Q_OBJECT
 public:
  using Factory = std::function<Perspective*()>;

  explicit PerspectiveStack(QWidget* parent = nullptr);
  void add(PerspectiveFace face, Factory factory);

  [[nodiscard]] int pageCount() const { return int(m_pages.size()); }
  [[nodiscard]] const PerspectiveFace& faceOf(int page) const { return m_pages[std::size_t(page)].face; }
  /// −1 when there is no such perspective.
  [[nodiscard]] int pageOf(const QString& id) const;
  /// −1 before the first is shown.
  [[nodiscard]] int currentPage() const { return m_current; }
  [[nodiscard]] Perspective* current() const;
  /// The minimum size of the shown page, independent of other pages and at most a small screen. Larger pages are
  /// scrolled.
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// Work in any page that closing would abort, in words; empty if none.
  [[nodiscard]] QString unfinished() const;

 public slots:
  void showPage(int page);
  /// Shows a perspective. Does nothing if there is none with that id.
  void showPerspective(const QString& id);
  void showPart(const QString& id, const QString& part);
  /// The page shown before this one.
  void goBack();

 signals:
  void pageChanged(int page);

 private:
  struct Page {
    PerspectiveFace face;
    Factory factory;
    Perspective* widget = nullptr;
    QScrollArea* frame = nullptr;  ///< around it
  };
  void turnTo(int page);

  std::vector<Page> m_pages;
  std::vector<int> m_history;
  int m_current = -1;
};

}  // namespace p2::views
