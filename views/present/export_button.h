// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "views/present/shown_run.h"

namespace p2::views {

class Session;

/// A menu of export targets for the shown run, or for both runs of A|B: the moment as a picture; the run as slides, an
/// animation, a web page or a handout; a lecture kit with all of them. Each names its contents. Files are written by
/// jobs.
class ExportButton : public QToolButton {
  Q_OBJECT
 public:
  explicit ExportButton(Session& session, QWidget* parent = nullptr);

  /// Sets the run to export, with its rival in A|B, and the moment; call it when wanted() is emitted.
  void setRun(ShownRun run, int steps, double progress);

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
