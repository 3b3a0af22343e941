// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <functional>
#include <string>

#include "base/result.h"

namespace p2::views {

class Session;

/// Writes something to a file of the user's choice: a dialog first, then a job.
class FileButton : public QToolButton {
  Q_OBJECT
 public:
  explicit FileButton(Session& session, QWidget* parent = nullptr);

 signals:
  /// The file is there, or `problem` says why not.
  void written(const QString& problem, const QString& path);

 protected:
  /// The text of the file; called in the job.
  using Contents = std::function<Result<std::string>()>;
  struct Offer {
    QString title;       ///< the dialog's
    QString objectName;  ///< the dialog's, for tests
    QString base;        ///< suggestion for the file's name
    QString extension;
    QString job;  ///< title of the job while it runs
  };
  /// `contents` is called once a file has been chosen; without any nothing is written.
  void askForFile(const Offer& offer, const std::function<Contents()>& contents);

 private:
  void write(const QString& path, const QString& job, const Contents& contents);

  Session& m_session;
};

}  // namespace p2::views
