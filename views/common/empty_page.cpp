// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/empty_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/common/theme.h"

namespace p2::views {

EmptyPage::EmptyPage(QWidget* parent)
    : QWidget(parent), m_text(new QLabel), m_button(new QPushButton), m_column(new QVBoxLayout(this)) {
  m_text->setObjectName("emptyText");
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  m_button->setObjectName("emptyButton");
  m_button->hide();
  connect(m_button, &QPushButton::clicked, this, &EmptyPage::clicked);
  m_column->setSpacing(2 * Theme::kGrid);
  m_column->addStretch();
  m_column->addWidget(m_text);
  m_column->addWidget(m_button, 0, Qt::AlignHCenter);
  m_column->addStretch();
}

void EmptyPage::addChoice(QWidget* choice) {
  m_column->insertWidget(m_column->indexOf(m_button), choice, 0, Qt::AlignHCenter);
  choice->hide();
}

void EmptyPage::say(const QString& text, const QString& buttonText) {
  m_text->setText(text);
  m_button->setText(buttonText);
  m_button->setToolTip(buttonText);
  m_button->setAccessibleName(buttonText);
  m_button->setVisible(!buttonText.isEmpty());
}

}  // namespace p2::views
