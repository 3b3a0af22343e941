// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTableView>
#include <QWidget>

#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "views/workload/entries_model.h"
#include "views/workload/entries_shown.h"

class QAction;
class QLabel;

namespace p2::views {

class EntriesSliders;
class EntriesTiming;
class Session;

/// The entries of the document's workload, their times on the selected placement, and the tried figures.
class EntriesPanel : public QWidget {
  Q_OBJECT
 public:
  /// `sources` are in the menu by which the workload is replaced.
  EntriesPanel(Session& session, const QList<QAction*>& sources, QWidget* parent = nullptr);

  /// Whether the rows are the document's: very many entries are put together in a job, after which released().
  [[nodiscard]] bool isReady() const { return m_ready; }
  /// The document's workload as it is shown, with the tried figures.
  [[nodiscard]] Workload workload() const;
  [[nodiscard]] bool isTrying() const { return !m_tried.empty(); }
  /// The shown ranking of that workload, and one placement; null for none.
  void setRanking(std::shared_ptr<const StepRanking> ranking, std::size_t placement);
  void setStale(bool stale) { m_model.setStale(stale); }

 signals:
  void tried();     ///< workload() is another one, with tried figures
  void released();  ///< and it stays for now

 private:
  void makeTable();
  QWidget* makeFields();
  QWidget* makeTitle(const QList<QAction*>& sources);
  void followDocument();
  void takeRows(EntryRows rows);
  void followRows();
  void showTitle();
  [[nodiscard]] const std::optional<Workload>& document() const { return m_document->workload; }
  void showRows();
  void showSelected();
  void noteTried();
  void apply();
  void reset();
  void edit(const QString& text, Workload workload, const QString& mergeKey = {});

  Session& m_session;
  std::shared_ptr<const Workspace> m_document;  // that is followed
  Derived<std::shared_ptr<const Workspace>, EntryRows> m_found;
  bool m_ready = true;  // m_shown shows m_document
  Workload m_shown;
  std::vector<std::int64_t> m_standFor;  // by row
  TriedEntries m_tried;
  EntriesModel m_model;
  OwnedView<QTableView> m_table;
  QLabel* m_title = nullptr;
  EntriesSliders* m_sliders;
  EntriesTiming* m_timing;
};

}  // namespace p2::views
