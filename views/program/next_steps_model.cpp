// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/next_steps_model.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>

#include "collective/rules.h"
#include "synthesis/instruction.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kDevices = 3;
constexpr std::size_t kMostDots = 16;

QPixmap blank(QSize size, double ratio) {
  QPixmap pixmap(size * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  return pixmap;
}

/// What three devices typically hold before a collective.
std::vector<DeviceState> beforeOf(Collective collective) {
  const CollectiveTraits& traits = traitsOf(collective);
  const bool gathers = traits.makes == Makes::Pieces;
  const bool scatters = traits.makes == Makes::RootCopy;
  const Distribution distribution = gathers ? kSumScattered : scatters ? kSumAtRoot : kOwnData;
  std::vector<DeviceState> states;
  for (int member = 0; member < kDevices; ++member) states.push_back(distribution.stateOf(kDevices, member));
  return states;
}

std::vector<DeviceState> afterOf(Collective collective, const std::vector<DeviceState>& before) {
  MemberStates members;
  for (const DeviceState& state : before) members.push_back(&state);
  const auto outcome = applyRule(collective, members, {});
  const auto* after = std::get_if<std::vector<DeviceState>>(&outcome);
  return after != nullptr ? *after : before;
}

/// One device a column, one chunk a row; the more it is summed over, the darker.
void paintStates(QPainter& painter, QRectF room, const std::vector<DeviceState>& states, QColor ink) {
  const double unit = room.width() / kDevices;
  for (int device = 0; device < kDevices; ++device) {
    for (int chunk = 0; chunk < kDevices; ++chunk) {
      const QRectF cell(room.left() + device * unit + 0.5, room.top() + chunk * unit + 0.5, unit - 1.5, unit - 1.5);
      const auto summed = states[std::size_t(device)].columns(chunk).size();
      ink.setAlphaF(summed == 0 ? 0.12F : summed == 1 ? 0.4F : 1.0F);
      painter.fillRect(cell, ink);
    }
  }
}

/// A collective on three devices with three chunks, before → after: filled squares are sums, pale ones the devices'
/// own. `height` in device-independent pixels.
QPixmap collectivePictogram(Collective collective, int height, double ratio, const QColor& ink) {
  const int arrow = height / 2;
  QPixmap pixmap = blank({2 * height + arrow, height}, ratio);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<DeviceState> before = beforeOf(collective);
  paintStates(painter, QRectF(0, 0, height, height), before, ink);
  paintStates(painter, QRectF(height + arrow, 0, height, height), afterOf(collective, before), ink);
  const double middle = height / 2.0;
  const QPointF tip(height + arrow - 2, middle);
  painter.setPen(QPen(ink, 1.2));
  painter.drawLine(QPointF(height + 2, middle), tip);
  painter.drawLine(tip, tip + QPointF(-2.5, -2.5));
  painter.drawLine(tip, tip + QPointF(-2.5, 2.5));
  return pixmap;
}

/// The first devices of a reduction group, devices of one group of the pattern joined by a line; empty circles take no
/// part.
QPixmap groupsPictogram(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, int height, double ratio,
                        const QColor& ink) {
  const auto all = std::size_t(hierarchy.deviceCount());
  const std::size_t dots = std::min(all, kMostDots);
  const double step = height / 2.2;
  const double radius = step * 0.28;
  QPixmap pixmap = blank({int(step * double(dots)) + 2, height}, ratio);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  // Of more devices than there is room for, evenly many, so that every level still shows.
  const auto shownAt = [&](std::size_t dot) { return dot * all / dots; };
  std::vector<int> groupOf(all, -1);
  const std::vector<MemberGroup> groups = hierarchy.memberGroups(pattern);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const MemberId member : groups[group]) groupOf[member.index()] = int(group);
  }
  std::vector<int> known;
  std::vector<double> lastX;
  for (std::size_t dot = 0; dot < dots; ++dot) {
    const QPointF centre(step * (double(dot) + 0.5), height / 2.0);
    const int group = groupOf[shownAt(dot)];
    if (group >= 0) {
      const auto at = std::size_t(std::find(known.begin(), known.end(), group) - known.begin());
      // Each group's line has its own height, so that interleaved groups stay distinct.
      const double lift = height / 2.0 - radius - 1;
      const double y = centre.y() + lift * (0.5 + 0.5 * double(at % 4) / 3.0) * (at % 2 == 0 ? -1 : 1);
      if (at == known.size()) {
        known.push_back(group);
        lastX.push_back(centre.x());
      } else {
        painter.setPen(QPen(ink, 1));
        painter.drawPolyline(QPolygonF{{lastX[at], centre.y()}, {lastX[at], y}, {centre.x(), y}, centre});
        lastX[at] = centre.x();
      }
    }
    painter.setPen(QPen(ink, 1));
    painter.setBrush(group >= 0 ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawEllipse(centre, radius, radius);
  }
  return pixmap;
}

constexpr int kPictogramHeight = 20;
constexpr double kPictogramRatio = 2;  // sharp on screens of either scale

QColor colourOf(NextStepsModel::Kind kind) {
  switch (kind) {
    case NextStepsModel::Kind::Possible:
      return Theme::text();
    case NextStepsModel::Kind::Goal:
      return Theme::good();
    case NextStepsModel::Kind::DeadEnd:
      return Theme::bad();
    case NextStepsModel::Kind::Forbidden:
    case NextStepsModel::Kind::Unknown:
      break;
  }
  return Theme::mutedText();
}

QString signOf(NextStepsModel::Kind kind) {
  switch (kind) {
    case NextStepsModel::Kind::Possible:
      return "✓";
    case NextStepsModel::Kind::Goal:
      return "⚑";
    case NextStepsModel::Kind::DeadEnd:
      return "⚠";
    case NextStepsModel::Kind::Forbidden:
      return "✗";
    case NextStepsModel::Kind::Unknown:
      break;
  }
  return "?";
}

}  // namespace

void NextStepsModel::show(std::shared_ptr<const Composing> composing) {
  const auto columnsOf = [](const Composing* shown) {
    if (shown == nullptr || shown->all.next.steps.empty()) return 0;
    const auto& steps = shown->all.next.steps;
    int columns = 1;
    while (columns < int(steps.size()) &&
           steps[std::size_t(columns)].instruction.pattern == steps[0].instruction.pattern) {
      ++columns;
    }
    return columns;
  };
  const int columns = columnsOf(composing.get());
  const bool sameShape = m_composing && composing && columns == m_columns &&
                         composing->all.next.steps.size() == m_composing->all.next.steps.size() &&
                         composing->hierarchy == m_composing->hierarchy;
  if (sameShape) {
    m_composing = std::move(composing);
    emit dataChanged(index(0, 0), index(rowCount() - 1, m_columns - 1));
    return;
  }
  beginResetModel();
  m_composing = std::move(composing);
  m_columns = columns;
  endResetModel();
}

std::optional<std::size_t> NextStepsModel::choiceAt(const QModelIndex& index) const {
  if (!m_composing || !index.isValid()) return std::nullopt;
  return std::size_t(index.row() * m_columns + index.column());
}

NextStepsModel::Kind NextStepsModel::kindOf(std::size_t choice) const {
  const NextStep& step = m_composing->all.next.steps[choice];
  if (step.unknown) return Kind::Unknown;
  if (step.failure) return Kind::Forbidden;
  if (step.deadEnd) return Kind::DeadEnd;
  return step.reachesGoal ? Kind::Goal : Kind::Possible;
}

int NextStepsModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || m_columns == 0) return 0;
  return int(m_composing->all.next.steps.size()) / m_columns;
}

int NextStepsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

QVariant NextStepsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::size_t choice = *choiceAt(index);
  const Kind kind = kindOf(choice);
  switch (role) {
    case Qt::DisplayRole:
      return signOf(kind);
    case Qt::DecorationRole:
      return collectivePictogram(m_composing->all.next.steps[choice].instruction.collective, kPictogramHeight,
                                 kPictogramRatio, colourOf(kind));
    case Qt::ForegroundRole:
      return colourOf(kind);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
    case Qt::AccessibleDescriptionRole:
      return choiceText(*m_composing, choice);
    case kKindRole:
      return int(kind);
    default:
      return {};
  }
}

QVariant NextStepsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (!m_composing) return {};
  const bool across = orientation == Qt::Horizontal;
  const Instruction& instruction =
      m_composing->all.next.steps[std::size_t(across ? section : section * m_columns)].instruction;
  if (across) {
    const std::string_view name = nameOf(instruction.collective);
    return role == Qt::DisplayRole ? qs(name) : QVariant();
  }
  if (role == Qt::DecorationRole) {
    return groupsPictogram(*m_composing->hierarchy, instruction.pattern, kPictogramHeight, kPictogramRatio,
                           Theme::text());
  }
  if (role != Qt::DisplayRole) return {};
  return groupsText(*m_composing->hierarchy, instruction.pattern);
}

}  // namespace p2::views
