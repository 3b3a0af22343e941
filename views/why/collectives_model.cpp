// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/collectives_model.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"

namespace p2::views {
namespace {

QPixmap swatchOf(ExposedAxis axis) {
  constexpr int kSize = 14;
  QPixmap pixmap(kSize, kSize);
  QPainter painter(&pixmap);
  fillSlice(painter, QRectF(0, 0, kSize, kSize), sliceKindOf(axis));
  painter.setPen(inkOn(sliceKindOf(axis)));
  QFont font = painter.font();
  font.setPixelSize(11);
  painter.setFont(font);
  painter.drawText(QRectF(0, 0, kSize, kSize), Qt::AlignCenter, lookOf(sliceKindOf(axis)).letter);
  return pixmap;
}

QString cellOf(const StepCollective& each, int column) {
  switch (column) {
    case CollectivesModel::Axis:
      return qs(describe(each.axis));
    case CollectivesModel::Collective:
      return qs(nameOf(each.entry.kind));
    case CollectivesModel::Purpose:
      return qs(each.entry.name);
    case CollectivesModel::Bytes:
      return bytesText(p2::Bytes(double(each.entry.bytes)));
    case CollectivesModel::Devices:
      return qs(each.span);
    case CollectivesModel::Runs:
      return QString::number(each.entry.count);
    case CollectivesModel::Each:
      return secondsText(each.seconds);
    case CollectivesModel::Step:
      return secondsText(each.seconds * double(each.entry.count));
    case CollectivesModel::Link:
      return qs(each.link);
    default:
      return {};
  }
}

QFont underlined() {
  QFont font = QGuiApplication::font();
  font.setUnderline(true);
  return font;
}

bool isFigureColumn(int column) {
  return column == CollectivesModel::Bytes || column == CollectivesModel::Runs || column == CollectivesModel::Each ||
         column == CollectivesModel::Step;
}

}  // namespace

void CollectivesModel::setStudy(std::shared_ptr<const StepStudy> study) {
  if (m_study == study) return;
  beginResetModel();
  m_study = std::move(study);
  fill();
  endResetModel();
}

void CollectivesModel::setAxis(std::optional<ExposedAxis> axis) {
  if (m_axis == axis) return;
  beginResetModel();
  m_axis = axis;
  fill();
  endResetModel();
}

void CollectivesModel::setStale(bool stale) {
  if (m_stale == stale) return;
  m_stale = stale;
  if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

void CollectivesModel::fill() {
  m_rows.clear();
  if (!m_study) return;
  for (std::size_t i = 0; i < m_study->collectives.size(); ++i) {
    if (!m_axis || m_study->collectives[i].axis == *m_axis) m_rows.push_back(i);
  }
}

int CollectivesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int CollectivesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant CollectivesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return int((isFigureColumn(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    const QString tips[] = {tr("Parallelism axis of the communication"),
                            tr("Collective; a click shows its programs"),
                            tr("Tensor that is sent"),
                            tr("Bytes of one run on each device"),
                            tr("Levels that a group spans, and the number of its devices"),
                            tr("Runs in a step on a device"),
                            tr("Time of one run"),
                            tr("Time of all runs in a step"),
                            tr("Busiest link: the link that is at work for the longest")};
    return tips[section];
  }
  if (role != Qt::DisplayRole) return {};
  const QString titles[] = {tr("axis"), tr("collective"), tr("of"),     tr("bytes"),       tr("devices"),
                            tr("runs"), tr("each"),       tr("a step"), tr("busiest link")};
  return titles[section];
}

bool CollectivesModel::isLink(const QModelIndex& index) const {
  return index.isValid() && index.column() == Collective &&
         m_study->collectives[collectiveOf(index.row())].entry.kind != CommunicationKind::Shift;
}

QVariant CollectivesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const StepCollective& each = m_study->collectives[collectiveOf(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return cellOf(each, index.column());
    case Qt::DecorationRole:
      return index.column() == Axis ? QVariant(swatchOf(each.axis)) : QVariant();
    case Qt::TextAlignmentRole:
      return int((isFigureColumn(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
      if (m_stale) return Theme::mutedText();
      return isLink(index) ? QVariant(QGuiApplication::palette().link()) : QVariant();
    case Qt::FontRole:
      return isLink(index) ? QVariant(underlined()) : QVariant();
    case Qt::ToolTipRole:
      return tr("%1 of %2, hidden or not. Formula: %3. A click on its name shows its programs")
          .arg(qs(nameOf(each.entry.kind)), qs(each.entry.name), qs(each.entry.formula));
    default:
      return {};
  }
}

}  // namespace p2::views
