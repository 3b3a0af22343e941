// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_keeper.h"

#include <QStandardPaths>

namespace p2::views {

void RunKeeper::open() {
  const QString path = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/runs.sqlite";
  auto store = RunStore::open(path);
  if (!store.ok()) {
    emit problem(QString::fromStdString(store.error().text()));
    return;
  }
  m_store = std::move(store).value();
  if (!m_store->notice().isEmpty()) emit problem(m_store->notice());
  reload();
}

void RunKeeper::reload() {
  auto rows = m_store->rows();
  if (!rows.ok()) {
    emit problem(QString::fromStdString(rows.error().text()));
    return;
  }
  rows.value().insert(rows.value().begin(), m_waiting.rbegin(), m_waiting.rend());
  m_model.setRows(std::move(rows).value());
  emit changed();
}

void RunKeeper::keep(const std::vector<RunRow>& rows) {
  m_waiting.insert(m_waiting.end(), rows.begin(), rows.end());
  storeWaiting();
  if (m_waiting.empty()) return;
  for (const RunRow& row : rows) m_model.prepend(row);
  emit changed();
}

void RunKeeper::storeWaiting() {
  if (m_waiting.empty()) return;
  if (!m_store) open();
  while (m_store && !m_waiting.empty()) {
    const auto added = m_store->add(m_waiting.front());
    if (!added.ok()) {
      emit problem(tr("%1; the results stay here until the window is closed, and are stored with the next run")
                       .arg(QString::fromStdString(added.error().text())));
      return;
    }
    m_waiting.erase(m_waiting.begin());
  }
  // With their numbers in the store.
  if (m_store) reload();
}

void RunKeeper::setHidden(const std::vector<qint64>& ids, bool hidden) {
  if (!m_store) return;
  if (const auto done = m_store->setHidden(ids, hidden); !done.ok()) {
    emit problem(QString::fromStdString(done.error().text()));
  }
  reload();
}

}  // namespace p2::views
