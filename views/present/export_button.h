// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "views/present/shown_run.h"


namespace p2::views {

class Session;

/// A menu of the files that what is shown can be written to: the moment as a picture, the run as an animation, as a
/// page that plays, or as a handout. Files are written by jobs.
class ExportButton : public QToolButton {
  Q_OBJECT
 public:
  explicit ExportButton(Session& session, QWidget* parent = nullptr);

  /// What is written when the user chooses a file. To be said when wanted() asks for it.
  void setRun(ShownRun run, const Timeline& timeline);

  /// Writes what setRun() said to a file, in a job; the name of a format is the end of its action's.
  void write(const QString& format, const QString& path);

 signals:
  void wanted();
  void written(const QString& path);
  void failed(const QString& sentence);

 private:
  void askForFile(std::size_t format);

  Session& m_session;
  ShownRun m_run;
  int m_steps = 0;
  double m_progress = 0;
};

}  // namespace p2::views
