// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "workload/sources.h"

class QPushButton;

namespace p2::views {

class FileField;
class Session;
class WorkloadList;

/// Takes the workload from a file of any format that workloads are read from, after a look at its understood, assumed
/// and ignored facts. Reading is a job that can be stopped; taking it over is one undoable edit of workload and
/// axes.
class WorkloadSourcesDialog : public QDialog {
  Q_OBJECT
 public:
  explicit WorkloadSourcesDialog(Session& session, QWidget* parent = nullptr);

  void read(const QString& path);

 signals:
  /// The file is a model without degrees of parallelism, and the user wants to give them.
  void modelFound(const QString& path);

 private:
  struct Found {
    bool isModel = false;  ///< what follows is not there: degrees are to be given first
    WorkloadSource source;
  };
  [[nodiscard]] static Result<Found> found(const std::string& path, const std::stop_token& stop);

  void ask();
  void present();
  void goOn();

  FileField* m_file = nullptr;
  QPushButton* m_stop = nullptr;
  WorkloadList* m_list = nullptr;
  Derived<std::string, Found> m_found;
  HiddenFirst m_hidden{*this};
};

}  // namespace p2::views
