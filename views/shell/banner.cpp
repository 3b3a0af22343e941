// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "views/common/theme.h"

namespace p2::views {

Banner::Banner(const QString& objectName, QWidget* parent)
    : QFrame(parent), m_text(new QLabel), m_layout(new QHBoxLayout(this)) {
  setObjectName(objectName);
  setProperty("role", "banner");
  auto* sign = new QLabel(QStringLiteral("⚠"));
  m_text->setObjectName(objectName + "Text");
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_layout->setContentsMargins(2 * Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  m_layout->setSpacing(Theme::kGrid);
  m_layout->addWidget(sign);
  m_layout->addWidget(m_text, 1);
  hide();
}

void Banner::say(const QString& sentence) {
  m_text->setText(sentence);
  setAccessibleName(sentence);
  setVisible(!sentence.isEmpty());
}

QPushButton* Banner::addButton(const QString& objectName, const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(text);
  button->setObjectName(objectName);
  button->setToolTip(toolTip);
  m_layout->addWidget(button);
  return button;
}

}  // namespace p2::views
