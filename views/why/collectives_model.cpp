// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/collectives_model.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

#include "views/common/text.h"
#include "views/timeline/slice_look.h"

namespace p2::views {
namespace {

QPixmap swatchOf(ExposedAxis axis) {
  constexpr int kSize = 14;
  const double ratio = qApp->devicePixelRatio();
  QPixmap pixmap(QSize(kSize, kSize) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  QPainter painter(&pixmap);
  fillSlice(painter, QRectF(0, 0, kSize, kSize), sliceKindOf(axis));
  painter.setPen(inkOn(sliceKindOf(axis)));
  QFont font = painter.font();
  font.setPixelSize(11);
  painter.setFont(font);
  painter.drawText(QRectF(0, 0, kSize, kSize), Qt::AlignCenter, lookOf(sliceKindOf(axis)).letter);
  return pixmap;
}

QFont underlined() {
  QFont font = QGuiApplication::font();
  font.setUnderline(true);
  return font;
}

}  // namespace

void CollectivesModel::setStudy(std::shared_ptr<const StepStudy> study) {
  if (m_study == study) return;
  reset([&] {
    m_study = std::move(study);
    fill();
  });
}

void CollectivesModel::setAxis(std::optional<ExposedAxis> axis) {
  if (m_axis == axis) return;
  reset([&] {
    m_axis = axis;
    fill();
  });
}

void CollectivesModel::fill() {
  m_rows.clear();
  if (!m_study) return;
  for (std::size_t i = 0; i < m_study->collectives.size(); ++i) {
    if (!m_axis || m_study->collectives[i].axis == *m_axis) m_rows.push_back(i);
  }
}

std::vector<TableColumn> CollectivesModel::columns() const {
  return {{tr("axis"), tr("Parallelism axis of the communication")},
          {tr("collective"), tr("Collective; a click shows its programs")},
          {tr("of"), tr("Tensor that is sent")},
          {tr("bytes"), tr("Bytes of one run on each device"), true},
          {tr("devices"), tr("Levels that a group spans, and the number of its devices")},
          {tr("runs"), tr("Runs in a step on a device"), true},
          {tr("each"), tr("Time of one run"), true},
          {tr("a step"), tr("Time of all runs in a step"), true},
          {tr("busiest link"), tr("Busiest link: the link that is at work for the longest")}};
}

bool CollectivesModel::isLink(const QModelIndex& index) const {
  return index.isValid() && index.column() == Collective &&
         m_study->collectives[collectiveOf(index.row())].entry.kind != CommunicationKind::Shift;
}

QString CollectivesModel::text(int row, int column) const {
  const StepCollective& each = at(row);
  switch (column) {
    case Axis:
      return qs(describe(each.axis));
    case Collective:
      return qs(nameOf(each.entry.kind));
    case Purpose:
      return qs(each.entry.name);
    case Bytes:
      return bytesText(p2::Bytes(double(each.entry.bytes)));
    case Devices:
      return qs(each.span);
    case Runs:
      return QString::number(each.entry.count);
    case Each:
      return secondsText(each.seconds);
    case Step:
      return secondsText(each.seconds * double(each.entry.count));
    case Link:
      return qs(each.link);
    default:
      return {};
  }
}

QString CollectivesModel::toolTip(int row, int) const {
  const WorkloadEntry& entry = at(row).entry;
  return tr("%1 of %2, hidden or not. Formula: %3. A click on its name shows its programs")
      .arg(qs(nameOf(entry.kind)), qs(entry.name), qs(entry.formula));
}

QVariant CollectivesModel::special(int row, int column, int role) const {
  if (role == Qt::DecorationRole && column == Axis) return swatchOf(at(row).axis);
  if (!isLink(index(row, column))) return {};
  if (role == Qt::ForegroundRole) return QGuiApplication::palette().link();
  return role == Qt::FontRole ? QVariant(underlined()) : QVariant();
}

}  // namespace p2::views
