// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_model.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <algorithm>
#include <functional>
#include <iterator>

#include "views/common/quantity_text.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/runs/program_names.h"

namespace p2::views {
namespace {

constexpr int kMostStateChars = 16;

/// No wider than a few words, however long the sentence is that says what went wrong.
QSize sizeOfState(const QString& text) {
  const QFontMetrics metrics(QGuiApplication::font());
  const int most = kMostStateChars * metrics.averageCharWidth();
  return {std::min(most, metrics.horizontalAdvance(text)) + 2 * Theme::kGrid, metrics.lineSpacing()};
}

}  // namespace

QString stateText(const RunRow& row) {
  if (!row.result) return QStringLiteral("✗ ") + row.problem;
  const auto wrong = row.result->wrongElements;
  if (wrong > 0)
    return QStringLiteral("✗ ") + counted(wrong, RunsModel::tr("wrong element"), RunsModel::tr("wrong elements"));
  return RunsModel::tr("✓ correct");
}

int RunsModel::placeOf(qint64 id) const {
  const auto place = std::lower_bound(m_rows.begin(), m_rows.end(), id,
                                      [](const RunRow& row, qint64 other) { return row.id > other; });
  return int(place - m_rows.begin());
}

void RunsModel::insert(std::vector<RunRow>::iterator first, std::vector<RunRow>::iterator last) {
  const int place = placeOf(first->id);
  beginInsertRows({}, place, place + int(last - first) - 1);
  m_rows.insert(m_rows.begin() + place, std::make_move_iterator(first), std::make_move_iterator(last));
  endInsertRows();
}

void RunsModel::add(std::vector<RunRow> rows) {
  std::erase_if(rows, [this](const RunRow& row) {
    const int place = placeOf(row.id);
    return place < int(m_rows.size()) && m_rows[std::size_t(place)].id == row.id;
  });
  std::sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) { return a.id > b.id; });
  // Consecutive insertions are made at once.
  for (auto first = rows.begin(); first != rows.end();) {
    const int place = placeOf(first->id);
    const auto last = std::find_if(first, rows.end(), [&](const RunRow& row) { return placeOf(row.id) != place; });
    insert(first, last);
    first = last;
  }
}

std::vector<RunRow> RunsModel::take(const std::vector<qint64>& ids) {
  std::vector<int> places;
  for (const qint64 id : ids) {
    const int place = placeOf(id);
    if (place < int(m_rows.size()) && m_rows[std::size_t(place)].id == id) places.push_back(place);
  }
  std::sort(places.begin(), places.end(), std::greater<>());
  std::vector<RunRow> taken;
  // From the end, in runs: earlier rows keep their indices.
  for (auto first = places.begin(); first != places.end();) {
    auto last = first + 1;
    while (last != places.end() && *last == *(last - 1) - 1) ++last;
    const auto from = m_rows.begin() + *(last - 1);
    const auto to = m_rows.begin() + *first + 1;
    beginRemoveRows({}, *(last - 1), *first);
    taken.insert(taken.end(), std::make_move_iterator(from), std::make_move_iterator(to));
    m_rows.erase(from, to);
    endRemoveRows();
    first = last;
  }
  return taken;
}

QString RunsModel::text(int number, int column) const {
  const RunRow& row = m_rows[std::size_t(number)];
  const auto& result = row.result;
  switch (column) {
    case When:
      return row.when.toString("yyyy-MM-dd HH:mm");
    case Target:
      return result ? row.target + " · " + qs(result->backend) : row.target;
    case System:
      return row.system;
    case Matrix:
      return row.matrix;
    case Program:
      return shortProgramName(row.program);
    case Bytes:
      if (!result) return {};
      return result->pieces > 1 ? tr("%1 in %2 pieces").arg(shownBytes(result->bytes)).arg(result->pieces)
                                : shownBytes(result->bytes);
    case Predicted:
      return result && row.predicted ? secondsText(*row.predicted) : QString();
    case Measured:
      return result ? secondsText(result->seconds.median) : QString();
    case Difference:
      if (!row.isCompared()) return {};
      return slowerThan(result->seconds.median, *row.predicted);
    case State:
      return stateText(row);
    default:
      return {};
  }
}

QVariant RunsModel::sortKey(const RunRow& row, int column) const {
  const auto& result = row.result;
  switch (column) {
    case When:
      return row.when;
    case Bytes:
      return result ? result->bytes.value() : 0;
    case Predicted:
      return result ? row.predicted.value_or(INFINITY) : INFINITY;
    case Measured:
      return result ? result->seconds.median : INFINITY;
    case Difference:
      return row.isCompared() ? result->seconds.median / *row.predicted : INFINITY;
    default:
      return {};
  }
}

QVariant RunsModel::special(int number, int column, int role) const {
  const RunRow& row = m_rows[std::size_t(number)];
  if (role == kSortRole) {
    const QVariant key = sortKey(row, column);
    return key.isValid() ? key : QVariant(text(number, column));
  }
  if (role == kFilterRole) return column == Program ? text(number, column) + '\n' + row.program : text(number, column);
  if (column != State) return {};
  if (role == Qt::ForegroundRole) return row.failed() ? Theme::bad() : Theme::good();
  return role == Qt::SizeHintRole ? QVariant(sizeOfState(stateText(row))) : QVariant();
}

QString RunsModel::toolTip(int number, int column) const {
  const RunRow& row = m_rows[std::size_t(number)];
  if (column == Program) return QString(row.program).replace("; ", "\n");
  if (column != Measured || !row.result) return text(number, column);
  const Spread& seconds = row.result->seconds;
  return tr("%1 to %2 in %3, by %4")
      .arg(secondsText(seconds.min), secondsText(seconds.max),
           counted(row.result->repeat, tr("repetition"), tr("repetitions")), qs(row.result->library));
}

std::vector<TableColumn> RunsModel::columns() const {
  return {{tr("Result")},
          {tr("When")},
          {tr("Program")},
          {tr("Bytes"), {}, true},
          {tr("Predicted"), {}, true},
          {tr("Measured"), {}, true},
          {tr("vs predicted"), {}, true},
          {tr("Matrix")},
          {tr("System")},
          {tr("Target")}};
}

RunsFilter::RunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setFilterKeyColumn(-1);
  setFilterCaseSensitivity(Qt::CaseInsensitive);
  setFilterRole(RunsModel::kFilterRole);
  setSortRole(RunsModel::kSortRole);
}

}  // namespace p2::views
