// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QWidget>

#include "views/common/owned.h"
#include "views/workload/model_form_entries.h"
#include "workload/sources.h"

class QDialog;
class QDialogButtonBox;
class QLabel;
class QPushButton;
class QTextBrowser;

namespace p2::views {

class InlineMessage;
class Session;

/// A workload before it is taken over: its communication by axes, its entries with their formulas, notes
/// about its source, and the button that gives it to the document, as one undoable edit of workload and axes. Its
/// parts are named after `name`: modelFinding, modelMessage, modelEntries, modelTold, modelAccept, modelCancel.
class WorkloadList : public QWidget {
  Q_OBJECT
 public:
  WorkloadList(Session& session, const QString& name, QWidget* parent = nullptr);

  /// The message that stands above the entries, to be put where it belongs; it is the dialog's as well.
  [[nodiscard]] InlineMessage& message() { return *m_message; }
  /// Use this workload, and Cancel, which closes the dialog; `accepted` is the dialog's acceptance of it.
  [[nodiscard]] QDialogButtonBox* makeButtons(QDialog& dialog);
  [[nodiscard]] QPushButton& takeButton() { return *m_take; }
  static QString takeText();
  static QString takeToolTip();

  /// Shows a workload, and whether it fits the document's system: only then can it be taken.
  void present(const WorkloadSource& source, const WorkloadNotes& reported);
  void clear();
  void setStale(bool stale) { m_entries.setStale(stale); }
  /// The edit; `unnamed` is what Undo calls it for a workload without a name.
  void takeOver(const WorkloadSource& source, const QString& unnamed);

 private:
  Session& m_session;
  QString m_name;
  ModelFormEntries m_entries;
  InlineMessage* m_message;
  QLabel* m_finding;
  OwnedView<QTableView> m_list;
  QTextBrowser* m_reported;
  QPushButton* m_take = nullptr;
};

}  // namespace p2::views
