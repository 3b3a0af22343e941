// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/release_buttons.h"

#include <QPushButton>
#include <QVBoxLayout>

#include "training_answer/document_training.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostButtons = 3;

}  // namespace

ReleaseButtons::ReleaseButtons(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_column(bareLayout<QVBoxLayout>(this, Theme::kGrid)),
      m_freed(
          session.jobs(),
          [](const Question& asked, const std::stop_token& stop, const Progress&) -> Result<std::vector<FreedChoice>> {
            P2_TRY_ASSIGN(const auto input, trainingInputOf(asked.system, asked.training));
            return freedChoices(input.question, stop);
          }) {
  connect(&m_freed, &DerivedBase::changed, this, [this] {
    showButtons();
    emit changed();
  });
}

void ReleaseButtons::setWanted(bool wanted) {
  const auto workspace = m_session.workspace();
  if (wanted && !workspace->training.fixed.empty()) {
    Question question{workspace->system, workspace->training};
    question.training.chosen.reset();
    question.training.mine.clear();
    m_freed.ask(tr("Finding the choice to release"), std::move(question));
  } else {
    m_freed.withdraw();
  }
  setVisible(wanted && offersAny());
}

void ReleaseButtons::showButtons() {
  // The clicked one may be among them.
  for (QPushButton* former : findChildren<QPushButton*>()) {
    former->setObjectName({});
    former->hide();
    former->deleteLater();
  }
  if (!offersAny()) return;
  const auto freed = m_freed.current();
  for (std::size_t i = 0; i < std::min(freed->size(), kMostButtons); ++i) {
    const FreedChoice& each = (*freed)[i];
    const QString released = qs(each.released);
    auto* button = new QPushButton(tr("Release %1: %2 per step").arg(released, secondsText(each.seconds)));
    button->setObjectName(QStringLiteral("planRelease%1").arg(i));
    button->setToolTip(each.left.empty() ? tr("Search without fixed choices")
                                         : tr("%1 stays fixed").arg(qs(each.left)));
    connect(button, &QPushButton::clicked, this, [this, left = each.left, released] {
      TrainingChoice training = m_session.workspace()->training;
      training.fixed = left;
      m_session.editTraining(tr("Release %1").arg(released), std::move(training));
    });
    m_column->addWidget(button, 0, Qt::AlignHCenter);
  }
}

}  // namespace p2::views
