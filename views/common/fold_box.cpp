// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/fold_box.h"

#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {

FoldBox::FoldBox(const QString& name, const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent), m_heading(new QToolButton) {
  m_heading->setObjectName(name);
  m_heading->setText(title);
  m_heading->setAccessibleName(title);
  m_heading->setToolTip(tr("Show or hide"));
  m_heading->setCheckable(true);
  m_heading->setAutoRaise(true);
  m_heading->setArrowType(Qt::RightArrow);
  m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_heading->setFocusPolicy(Qt::StrongFocus);
  m_heading->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  makeBold(*m_heading);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  layout->addWidget(m_heading);
  layout->addWidget(content);
  content->hide();
  connect(m_heading, &QToolButton::toggled, this, [this, content](bool open) {
    m_heading->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    content->setVisible(open);
  });
}

bool FoldBox::isOpen() const { return m_heading->isChecked(); }

void FoldBox::setOpen(bool open) { m_heading->setChecked(open); }

}  // namespace p2::views
