// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/empty_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/common/theme.h"

namespace p2::views {

EmptyPage::EmptyPage(QWidget* parent) : QWidget(parent), m_text(new QLabel), m_button(new QPushButton) {
  m_text->setObjectName("emptyText");
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  m_button->setObjectName("emptyButton");
  m_button->hide();
  connect(m_button, &QPushButton::clicked, this, &EmptyPage::clicked);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(2 * Theme::kGrid);
  layout->addStretch();
  layout->addWidget(m_text);
  layout->addWidget(m_button, 0, Qt::AlignHCenter);
  layout->addStretch();
}

void EmptyPage::say(const QString& text, const QString& buttonText) {
  m_text->setText(text);
  m_button->setText(buttonText);
  m_button->setToolTip(buttonText);
  m_button->setAccessibleName(buttonText);
  m_button->setVisible(!buttonText.isEmpty());
}

}  // namespace p2::views
