// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/compared_lines_model.h"

#include <utility>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {

void ComparedLinesModel::setLines(std::vector<ComparedLine> lines, const QString& a, const QString& b) {
  beginResetModel();
  m_lines = std::move(lines);
  m_a = a;
  m_b = b;
  endResetModel();
}

QString ComparedLinesModel::text() const {
  QStringList rows{QStringList{QString(), m_a, m_b, tr("difference")}.join('\t')};
  for (int row = 0; row < rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < ColumnCount; ++column) cells << textAt(row, column);
    rows << cells.join('\t');
  }
  return rows.join('\n') + '\n';
}

int ComparedLinesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_lines.size()); }
int ComparedLinesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ComparedLinesModel::textAt(int row, int column) const {
  const ComparedLine& line = m_lines[std::size_t(row)];
  switch (column) {
    case What:
      return (line.isPart() ? QStringLiteral("    ") : QString()) + qs(line.what);
    case A:
      return qs(line.a.text());
    case B:
      return qs(line.b.text());
    default:
      return qs(line.difference.text());
  }
}

QVariant ComparedLinesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ComparedLine& line = m_lines[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return textAt(index.row(), index.column());
    case Qt::ToolTipRole:
      return textAt(index.row(), index.column()).trimmed();
    case Qt::TextAlignmentRole:
      return int((index.column() == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: {
      QFont font = Theme::tabularDigits();
      font.setBold(line.kind == ComparedLine::Kind::Total);
      return font;
    }
    default:
      return {};
  }
}

QVariant ComparedLinesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == Difference) return tr("%1 minus %2").arg(m_b, m_a);
  if (role != Qt::DisplayRole) return {};
  return QStringList{QString(), m_a, m_b, tr("difference")}.value(section);
}

}  // namespace p2::views
