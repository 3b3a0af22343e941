// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_keeper.h"

#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "views/common/text.h"
#include "views/runs/run_store.h"
#include "views/shell/job_queue.h"

namespace p2::views {
namespace {

constexpr std::size_t kShownAtOnce = 500;  // rows per frame

}  // namespace

RunKeeper::RunKeeper(JobQueue& jobs, QString path, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_path(std::move(path)) {}

RunKeeper::~RunKeeper() {
  // A job may have written these already, or still be at it: adding twice does no harm.
  if (!m_changes.empty()) (void)writeTo(m_path, m_changes);
}

Result<RunKeeper::Content> RunKeeper::read(const QString& path) {
  P2_TRY_ASSIGN(const auto store, RunStore::open(path));
  P2_TRY_ASSIGN(auto rows, store.rows());
  return Content{store.notice(), std::move(rows)};
}

Result<bool> RunKeeper::writeTo(const QString& path, const Changes& changes) {
  P2_TRY_ASSIGN(auto store, RunStore::open(path, RunStore::Check::Layout));
  if (!changes.added.empty()) {
    P2_TRY(store.add(changes.added));
  }
  for (const Hiding& hiding : changes.hidings) {
    P2_TRY(store.setHidden(hiding.ids, hiding.hidden));
  }
  return true;
}

template <class T>
void RunKeeper::start(const QString& title, std::function<Result<T>()> work, void (RunKeeper::*done)(Result<T>)) {
  const QPointer<RunKeeper> self(this);
  m_job = m_jobs.start<T>(
      title, {}, [work = std::move(work)](const std::stop_token&, const Progress&) { return work(); },
      [self, done](Result<T> result) {
        if (!self) return;
        self->m_job = 0;
        (self.data()->*done)(std::move(result));
      },
      [self] {
        if (!self) return;
        self->m_job = 0;
        emit self->changed();
      });
}

void RunKeeper::open() {
  if (m_job != 0 || m_isRead) return;
  start<Content>(
      tr("Read the runs"), [path = m_path] { return read(path); }, &RunKeeper::finishReading);
}

void RunKeeper::finishReading(Result<Content> content) {
  if (!content.ok()) {
    fail(content.error());
    emit changed();
    return;
  }
  m_isRead = true;
  if (!content->notice.isEmpty()) emit problem(content->notice);
  showNext(std::move(content.value().rows));
  write();
}

void RunKeeper::fail(const Error& error) {
  const QString sentence = qs(error.text());
  if (m_changes.empty()) return emit problem(sentence);
  emit problem(
      tr("%1; the results stay here until the window is closed, and are stored with the next run").arg(sentence));
}

void RunKeeper::showNext(std::vector<RunRow> rows) {
  const auto end = rows.begin() + std::ptrdiff_t(std::min(rows.size(), kShownAtOnce));
  m_model.add({std::make_move_iterator(rows.begin()), std::make_move_iterator(end)});
  rows.erase(rows.begin(), end);
  emit changed();
  if (rows.empty()) return;
  QTimer::singleShot(0, this, [this, rows = std::move(rows)]() mutable { showNext(std::move(rows)); });
}

qint64 RunKeeper::newId() {
  // In the order of time, and never the same in two windows: milliseconds, then chance.
  const qint64 id = (QDateTime::currentMSecsSinceEpoch() << 20) | QRandomGenerator::global()->bounded(1 << 20);
  m_lastId = std::max(id, m_lastId + 1);
  return m_lastId;
}

std::vector<RunRow> RunKeeper::lacking(std::vector<RunRow> rows) const {
  std::unordered_multimap<qint64, const RunRow*> shown;
  for (int i = 0; i < m_model.rowCount(); ++i) {
    if (m_model.row(i).when.isValid()) shown.emplace(m_model.row(i).when.toMSecsSinceEpoch(), &m_model.row(i));
  }
  std::erase_if(rows, [&](RunRow row) {
    const auto [first, last] = shown.equal_range(row.when.isValid() ? row.when.toMSecsSinceEpoch() : -1);
    return std::any_of(first, last, [&](const auto& other) {
      row.id = other.second->id;
      return row == *other.second;
    });
  });
  return rows;
}

void RunKeeper::keep(std::vector<RunRow> rows) {
  for (RunRow& row : rows) row.id = newId();
  m_changes.added.insert(m_changes.added.end(), rows.begin(), rows.end());
  m_model.add(std::move(rows));
  emit changed();
  write();
}

void RunKeeper::setHidden(const std::vector<qint64>& ids, bool hidden) {
  if (hidden) {
    auto taken = m_model.take(ids);
    std::move(taken.begin(), taken.end(), std::back_inserter(m_taken));
  } else {
    const std::set<qint64> back(ids.begin(), ids.end());
    const auto first = std::stable_partition(m_taken.begin(), m_taken.end(),
                                             [&back](const RunRow& row) { return !back.contains(row.id); });
    m_model.add({std::make_move_iterator(first), std::make_move_iterator(m_taken.end())});
    m_taken.erase(first, m_taken.end());
  }
  m_changes.hidings.push_back({ids, hidden});
  emit changed();
  write();
}

void RunKeeper::write() {
  if (!m_isRead) return open();
  if (m_job != 0 || m_changes.empty()) return;
  m_underWay = m_changes;
  start<bool>(
      tr("Keep the runs"), [path = m_path, changes = m_underWay] { return writeTo(path, changes); },
      &RunKeeper::finishWriting);
}

void RunKeeper::finishWriting(Result<bool> written) {  // NOLINT: start() hands results on by value
  if (!written.ok()) return fail(written.error());
  const auto forget = [](auto& all, const auto& some) {
    all.erase(all.begin(), all.begin() + std::ptrdiff_t(some.size()));
  };
  forget(m_changes.added, m_underWay.added);
  forget(m_changes.hidings, m_underWay.hidings);
  write();
}

}  // namespace p2::views
