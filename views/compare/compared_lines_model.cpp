// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compared_lines_model.h"

#include <utility>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {

void ComparedLinesModel::setLines(std::vector<ComparedLine> lines, const QString& a, const QString& b) {
  reset([&] {
    m_lines = std::move(lines);
    m_a = a;
    m_b = b;
  });
}

QString ComparedLinesModel::allText() const {
  QStringList rows{QStringList{QString(), m_a, m_b, tr("difference")}.join('\t')};
  for (int row = 0; row < rowCount(); ++row) rows << lineOf(row);
  return rows.join('\n') + '\n';
}

QString ComparedLinesModel::text(int row, int column) const {
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

QVariant ComparedLinesModel::special(int row, int, int role) const {
  if (role != Qt::FontRole) return {};
  QFont font = Theme::tabularDigits();
  font.setBold(m_lines[std::size_t(row)].kind == ComparedLine::Kind::Total);
  return font;
}

std::vector<TableColumn> ComparedLinesModel::columns() const {
  return {{QString()}, {m_a, {}, true}, {m_b, {}, true}, {tr("difference"), tr("%1 minus %2").arg(m_b, m_a), true}};
}

}  // namespace p2::views
