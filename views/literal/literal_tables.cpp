// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_tables.h"

#include <algorithm>

#include "views/literal/literal_table_pane.h"

namespace p2::views {
namespace {

using Kind = LiteralMoment::Kind;

bool isJoin(const LiteralMoment& moment) { return moment.kind == Kind::Join || moment.kind == Kind::Result; }

/// Vertex of the upper table; −1 for none.
int firstVertex(const LiteralTrace& trace, const LiteralMoment& moment, int picked) {
  if (trace.tables.empty()) return -1;
  if (isJoin(moment) && picked >= 0) return picked;
  return moment.kind == Kind::Result ? -1 : int(moment.vertex);
}

/// Whose table is shown next to v_min's: the one that loses rows, the one picked, or some neighbour's.
int secondVertex(const LiteralTrace& trace, const LiteralMoment& moment, int picked) {
  if (isJoin(moment)) return -1;
  if (picked >= 0 && picked != int(moment.vertex)) return picked;
  if (moment.kind == Kind::Restrict) return int(moment.neighbour);
  if (trace.tables.empty()) return -1;
  const auto& scope = trace.tables[moment.vertex].scope;
  return scope.size() > 1 ? int(scope.front()) : -1;
}

}  // namespace

LiteralTables::LiteralTables(QWidget* parent)
    : QSplitter(Qt::Vertical, parent),
      m_firstPane(
          new LiteralTablePane(QStringLiteral("literalTable"),
                               tr("The table of the vertex that is processed; removed rows are struck through"))),
      m_secondPane(
          new LiteralTablePane(QStringLiteral("literalOther"),
                               tr("Table of a neighbour, of the vertex selected in the graph, or of a join"))) {
  setObjectName(QStringLiteral("literalTables"));
  setChildrenCollapsible(false);
  addWidget(m_firstPane);
  addWidget(m_secondPane);
}

void LiteralTables::setTextPixels(int pixels) {
  m_firstPane->setTextPixels(pixels);
  m_secondPane->setTextPixels(pixels);
}

void LiteralTables::show(const std::shared_ptr<const LiteralRun>& run, std::size_t moment, int picked) {
  const LiteralTrace& trace = run->trace();
  const LiteralMoment& now = trace.moments[moment];
  const bool joins = isJoin(now);
  const int first = firstVertex(trace, now, picked);
  const int second = secondVertex(trace, now, picked);
  m_first.show(first >= 0 ? run : nullptr, std::size_t(std::max(first, 0)), moment);
  m_second.show(second >= 0 ? run : nullptr, std::size_t(std::max(second, 0)), moment);
  m_join.show(joins ? run : nullptr, moment);
  m_firstPane->show(&m_first, m_first.title());
  m_firstPane->setVisible(first >= 0);
  if (joins) {
    m_secondPane->show(&m_join, m_join.title());
  } else {
    m_secondPane->show(&m_second, m_second.title());
  }
  m_secondPane->setVisible(joins || second >= 0);
  if (const int row = m_first.firstGoing(); row >= 0) m_firstPane->reveal(row);
  if (const int row = joins ? m_join.bestRow() : m_second.firstGoing(); row >= 0) m_secondPane->reveal(row);
}

}  // namespace p2::views
