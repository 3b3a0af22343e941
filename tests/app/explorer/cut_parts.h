// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QWidget>

namespace p2::test {

inline QString placeOf(const QWidget* widget) {
  QStringList names;
  for (; widget != nullptr && !widget->isWindow(); widget = widget->parentWidget()) {
    if (!widget->objectName().isEmpty()) names.prepend(widget->objectName());
  }
  return names.join(QStringLiteral(" / "));
}

inline QString sizeText(QSize size) { return QStringLiteral("%1×%2").arg(size.width()).arg(size.height()); }

/// Why a label is cut; empty if it is not.
inline QString faultOf(const QLabel& label) {
  if (label.text().isEmpty()) return {};
  const QSize wanted =
      label.wordWrap() ? QSize(label.minimumSizeHint().width(), label.heightForWidth(label.width())) : label.sizeHint();
  if (label.width() >= wanted.width() && label.height() >= wanted.height()) return {};
  // A line that takes whatever width there is says all of it in its tooltip.
  const bool reported = QTextDocumentFragment::fromHtml(label.text()).toPlainText() == label.toolTip();
  if (reported && label.sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) return {};
  return QStringLiteral("the label \"%1\" needs %2 and has %3")
      .arg(label.text().left(60), sizeText(wanted), sizeText(label.size()));
}

/// What a button shows, without the mark of its shortcut.
inline QString shownText(const QAbstractButton& button) { return QString(button.text()).remove('&'); }

/// A button that draws its own text cut short says all of it in its tooltip.
inline QString faultOf(const QAbstractButton& button) {
  if (button.text().isEmpty() && button.icon().isNull()) return {};  // an arrow, as large as it is
  const QSize wanted = button.sizeHint();
  const bool fits = button.width() >= wanted.width() && button.height() >= wanted.height();
  const bool reported = !shownText(button).isEmpty() && button.toolTip().contains(shownText(button));
  const bool drawsItself = button.metaObject()->className() == QByteArray("p2::views::ChainLink");
  if (fits || reported || (drawsItself && !button.toolTip().isEmpty())) return {};
  return QStringLiteral("the button \"%1\" needs %2 and has %3")
      .arg(shownText(button), sizeText(wanted), sizeText(button.size()));
}

inline QString faultOf(const QHeaderView& header) {
  for (int section = 0; section < header.count() && header.orientation() == Qt::Horizontal; ++section) {
    if (header.isSectionHidden(section)) continue;
    const QString title = header.model()->headerData(section, Qt::Horizontal).toString();
    const int wanted = header.fontMetrics().horizontalAdvance(title);
    const QString tip = header.model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString();
    const bool elided = header.textElideMode() != Qt::ElideNone && !tip.isEmpty();
    if (header.sectionSize(section) >= wanted || elided) continue;
    return QStringLiteral("the heading \"%1\" needs %2 and has %3")
        .arg(title)
        .arg(wanted)
        .arg(header.sectionSize(section));
  }
  if (header.height() >= header.sizeHint().height() || header.orientation() == Qt::Vertical) return {};
  return QStringLiteral("the headings need %1 and have %2").arg(header.sizeHint().height()).arg(header.height());
}

template <class T>
void collect(const QWidget& window, QStringList& faults) {
  for (const T* widget : window.findChildren<T*>()) {
    if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
    const QString fault = faultOf(*widget);
    if (!fault.isEmpty()) faults += placeOf(widget) + ": " + fault;
  }
}

/// The labels, buttons and headings in sight that are smaller than what they say, a sentence each.
inline QStringList cutParts(const QWidget& window) {
  QStringList faults;
  collect<QLabel>(window, faults);
  collect<QAbstractButton>(window, faults);
  collect<QHeaderView>(window, faults);
  return faults;
}

}  // namespace p2::test
