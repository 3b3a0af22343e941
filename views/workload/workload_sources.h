// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "views/shell/session.h"

class QAction;
class QWidget;

namespace p2::views {

/// Actions for menus and buttons that load or save a workload: from a model in a form, from a file of any format, and
/// as a file. Each opens a dialog above `parent`.
class WorkloadActions : public QObject {
  Q_OBJECT
 public:
  WorkloadActions(Session& session, QWidget* parent);

  [[nodiscard]] QAction* fromModel() const { return m_fromModel; }
  [[nodiscard]] QAction* open() const { return m_open; }
  /// Enabled while the document has a workload.
  [[nodiscard]] QAction* save() const { return m_save; }

 public slots:
  /// Shows the understood parts of a file, to be accepted; asks for a path if there is none.
  void openFile(const QString& path = {});
  /// The form, for a bundled model or the config.json of that path.
  void startFromModel(const QString& configPath = {});

 signals:
  /// A file was written, or why it was not.
  void saved(const QString& problem, const QString& path);

 private:
  void askForFile();
  void write(const QString& path);

  Session& m_session;
  QWidget* m_parent;
  QAction* m_fromModel;
  QAction* m_open;
  QAction* m_save;
};

}  // namespace p2::views
