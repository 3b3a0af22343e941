// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/course_delegate.h"

#include <QPainter>

#include "views/common/theme.h"
#include "views/lesson/lesson_list_model.h"

namespace p2::views {
namespace {

QString courseOf(const QModelIndex& index) { return index.data(LessonListModel::CourseRole).toString(); }

int headHeight(const QStyleOptionViewItem& option) { return option.fontMetrics.height() + Theme::kGrid; }

}  // namespace

void CourseDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  if (const QString course = courseOf(index); !course.isEmpty()) {
    item.rect.setTop(item.rect.top() + headHeight(option));
    QFont bold = option.font;
    bold.setBold(true);
    painter->save();
    painter->setFont(bold);
    painter->setPen(Theme::text());
    painter->drawText(QRect(option.rect.topLeft(), QSize(option.rect.width(), headHeight(option))),
                      Qt::AlignLeft | Qt::AlignVCenter, course);
    painter->restore();
  }
  QStyledItemDelegate::paint(painter, item, index);
}

QSize CourseDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize item = QStyledItemDelegate::sizeHint(option, index);
  return courseOf(index).isEmpty() ? item : item + QSize(0, headHeight(option));
}

}  // namespace p2::views
