// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "base/result.h"

class QAction;

namespace p2::views {

class Session;

/// The face of a perspective before it is created.
struct PerspectiveFace {
  QString id;     ///< "placements": stable id in settings, pictures and other perspectives
  QString title;  ///< "Placements"
  QString icon;   ///< of resources/icons, without suffix
};

/// Place of a page in the bar, and the keys that lead to it.
struct PagePlace {
  int position = 0;        ///< ascending from the top; every page has another one
  QString group = {};      ///< id of the group whose button it shares; empty for a button of its own
  QString key = {};        ///< its shortcut, "Ctrl+1"; empty for none. Ctrl+0 fits drawings
  bool separated = false;  ///< a line above its button
  QStringList views = {};  ///< names of the actions that lead to its further views
};

/// The group of the pages about one reduction.
inline constexpr QLatin1String kCollectivesGroup("collectives");

// The ids of those that others lead to.
inline constexpr QLatin1String kStartPage("start");
inline constexpr QLatin1String kSystemPage("system");
inline constexpr QLatin1String kPlacementsPage("placements");
inline constexpr QLatin1String kProgramsPage("programs");
inline constexpr QLatin1String kCostsPage("costs");
inline constexpr QLatin1String kWorkloadPage("workload");
inline constexpr QLatin1String kLessonsPage("lessons");
inline constexpr QLatin1String kStrategyPage("strategy");

/// A page of the window, with a static `face()` and `place()`. It reads and edits its Session, knows no other
/// perspective, and asks for actions elsewhere by signal.
class Perspective : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// Actions of this perspective for the menu that has its title, with shortcuts.
  [[nodiscard]] virtual QList<QAction*> viewActions() { return {}; }
  /// The list that F6 leads to; null where there is none.
  [[nodiscard]] virtual QWidget* mainList();
  /// Work that closing the window would abort or lose, in words: "3 runs", "1 unsaved lesson"; empty if none.
  [[nodiscard]] virtual QString unfinished() const { return {}; }
  /// Whether the page itself shows a problem of the document, next to what caused it. The window says it otherwise.
  [[nodiscard]] virtual bool says(const Error& /*problem*/) const { return false; }
  /// Opens a file of a kind that is no document and that this perspective knows.
  virtual void openFile(const QString& path) { Q_UNUSED(path) }
  /// Opens one of the parts of pages.h that another page leads to. Nothing happens for the parts of other pages.
  virtual void openPart(const QString& part) { Q_UNUSED(part) }

 signals:
  /// The user wants to go on in another perspective: double click, Enter.
  void perspectiveWanted(const QString& id);
  /// The user wants a part of another perspective.
  void partWanted(const QString& id, const QString& part);
};

}  // namespace p2::views
