// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_table_model.h"

#include <QBrush>
#include <QFont>
#include <algorithm>

#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/literal/literal_text.h"

namespace p2::views {

void LiteralTableModel::show(std::shared_ptr<const LiteralRun> run, std::size_t vertex, std::size_t moment) {
  if (run && run == m_run && vertex == m_vertex) {
    m_moment = moment;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  m_run = std::move(run);
  m_vertex = vertex;
  m_moment = moment;
  resetRows();
  endResetModel();
}

QString LiteralTableModel::title() const {
  if (!m_run) return {};
  const auto& fates = m_run->trace().fates[m_vertex];
  const auto alive =
      std::count_if(fates.begin(), fates.end(), [this](const RowFate& fate) { return fate.moment > m_moment; });
  return tr("Table of %1: %2 of %3")
      .arg(qs(m_run->problem->vertices[m_vertex].name), QString::number(alive),
           counted(std::int64_t(table().rows), tr("row"), tr("rows")));
}

int LiteralTableModel::firstGoing() const {
  if (!m_run) return -1;
  const auto& fates = m_run->trace().fates[m_vertex];
  const auto going =
      std::find_if(fates.begin(), fates.end(), [this](const RowFate& fate) { return fate.moment == m_moment; });
  return going == fates.end() ? -1 : int(going - fates.begin());
}

int LiteralTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_run ? 0 : costColumn() + 2;
}

QVariant LiteralTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const bool alive = isAlive(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return cellText(index.row(), index.column());
    case Qt::ToolTipRole:
      return cellText(index.row(), costColumn() + 1);
    case Qt::ForegroundRole:
      return alive ? QVariant() : QVariant(goesNow(index.row()) ? Theme::bad() : Theme::mutedText());
    case Qt::BackgroundRole:
      return background(index.row());
    case Qt::FontRole: {
      QFont font = Theme::tabularDigits();
      font.setStrikeOut(!alive && index.column() <= costColumn());
      return font;
    }
    case Qt::TextAlignmentRole:
      return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::AccessibleTextRole:
      return alive ? QVariant() : QVariant(tr("%1, gone").arg(cellText(index.row(), index.column())));
    default:
      return {};
  }
}

QVariant LiteralTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !m_run) return PiecewiseModel::headerData(section, orientation, role);
  const bool own = section + 1 == costColumn();
  if (role == Qt::TextAlignmentRole) {
    return QVariant((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole) {
    if (section == RowColumn) return tr("Rows are numbered from 1 in the full table");
    if (section == SetColumn) return tr("Rows of one set have the same neighbours' configurations");
    if (section == costColumn()) return tr("t_V of all its vertices and t_E of the edges at the table's own vertex");
    if (section > costColumn()) return tr("Why the row was removed");
    return own ? tr("Configurations of the vertex itself") : tr("Configurations of a neighbour");
  }
  if (role != Qt::DisplayRole) return {};
  if (section == RowColumn) return tr("Row");
  if (section == SetColumn) return tr("Set");
  if (section == costColumn()) return tr("Cost");
  if (section > costColumn()) return tr("Removed because");
  const std::size_t vertex = table().scope[std::size_t(section - FirstVertexColumn)];
  const QString name = qs(m_run->problem->vertices[vertex].name);
  return own ? tr("%1 (own)").arg(name) : name;
}

std::size_t LiteralTableModel::allRows() const { return m_run ? table().rows : 0; }

bool LiteralTableModel::isAlive(int row) const {
  return m_run->trace().isAlive(m_vertex, std::uint64_t(row), m_moment);
}

bool LiteralTableModel::goesNow(int row) const {
  return m_run->trace().fates[m_vertex][std::size_t(row)].moment == m_moment;
}

bool LiteralTableModel::showsSets() const {
  const LiteralMoment& moment = m_run->trace().moments[m_moment];
  return p2::views::showsSets(moment) && moment.vertex == m_vertex;
}

QString LiteralTableModel::cellText(int row, int column) const {
  const auto number = std::uint64_t(row);
  if (column == RowColumn) return QString::number(number + 1);
  if (column == SetColumn) {
    const QString letter = Theme::categoryLetter(int(table().setOf(number)));
    const bool best = m_run->trace().moments[m_moment].kind == LiteralMoment::Kind::Best && showsSets();
    return best && isAlive(row) ? letter + QStringLiteral(" ★") : letter;
  }
  if (column == costColumn()) return literalCostText(rowCost(*m_run->problem, table(), number));
  if (column > costColumn()) return fateText(*m_run, m_vertex, number, m_moment);
  const auto place = std::size_t(column - FirstVertexColumn);
  return configurationText(*m_run->problem, table().scope[place], table().choice(number, place));
}

QVariant LiteralTableModel::background(int row) const {
  if (goesNow(row)) return QBrush(Theme::line(), Qt::BDiagPattern);
  // Bands: every other set, so that a row's set is seen without reading its letter.
  return showsSets() && table().setOf(std::uint64_t(row)) % 2 == 0 ? QVariant(QBrush(Theme::tint())) : QVariant();
}

}  // namespace p2::views
