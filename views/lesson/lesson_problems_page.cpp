// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_problems_page.h"

#include <QFileInfo>
#include <QListWidget>
#include <QPushButton>

#include "views/common/panel.h"
#include "views/common/text.h"

namespace p2::views {

LessonProblemsPage::LessonProblemsPage(QWidget* parent)
    : QWidget(parent), m_title(panelTitle({})), m_list(new QListWidget) {
  wrapped(named(m_title, "lessonProblemsTitle"));
  named(m_list, "lessonProblems", tr("Problems of the lesson"), tr("Position in the file, and the error there"));
  m_list->setWordWrap(true);
  m_list->setTextElideMode(Qt::ElideNone);
  m_list->setTabKeyNavigation(false);
  m_list->setSelectionMode(QAbstractItemView::SingleSelection);
  auto* again = named(new QPushButton(tr("&Read it again")), "lessonAgainButton", {},
                      tr("Read the file again after you have fixed it"));
  auto* back =
      named(new QPushButton(tr("Back to the &lessons")), "lessonBackButton", {}, tr("Show the list of lessons"));
  auto* row = new QHBoxLayout;
  row->addWidget(again);
  row->addWidget(back);
  row->addStretch();
  auto* layout = panelLayout(this);
  layout->addWidget(m_title);
  layout->addWidget(m_list, 1);
  layout->addLayout(row);
  connect(back, &QPushButton::clicked, this, &LessonProblemsPage::backWanted);
  connect(again, &QPushButton::clicked, this, [this] { emit againWanted(m_path); });
}

void LessonProblemsPage::show(const QString& path, const std::vector<LessonProblem>& problems) {
  m_path = path;
  m_title->setText(tr("%1 has errors").arg(QFileInfo(path).fileName()));
  m_list->clear();
  for (const LessonProblem& each : problems) {
    const QString where = qs(each.where);
    m_list->addItem((where.isEmpty() ? QString() : where + ": ") + qs(each.problem));
  }
  m_list->setCurrentRow(0);
}

}  // namespace p2::views
