// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/mine_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "base/near.h"
#include "text/text_file.h"
#include "training_answer/document_training.h"
#include "training_answer/training_plan_file.h"
#include "views/common/accessible_items.h"
#include "views/common/link_label.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/scrolled_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr int kLines = 2;
constexpr QLatin1String kTakeSettings("settings");

/// A text of several lines as the field shows it.
QString shownText(const QString& text) {
  const qsizetype lines = text.trimmed().count('\n') + 1;
  if (isTrainingPlan(text.toStdString())) {
    return QObject::tr("%1, %2").arg(QLatin1String(kStatedByPlan),
                                     counted(lines, QObject::tr("line"), QObject::tr("lines")));
  }
  if (lines == 1) return text.trimmed();
  return QObject::tr("%1: %2 …")
      .arg(counted(lines, QObject::tr("line"), QObject::tr("lines")), text.trimmed().section('\n', 0, 0));
}

QToolButton* button(const QString& name, const QString& text, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(name);
  made->setText(text);
  made->setToolTip(tip);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

}  // namespace

MinePanel::MinePanel(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_edit(new QLineEdit),
      m_result(new LinkLabel),
      m_clear(button(QStringLiteral("mineClear"), tr("Clear"), tr("Take my configuration away"))),
      m_answer(session.jobs(), evaluateMine),
      m_ranked(session.jobs(), evaluateMine) {
  setObjectName("minePanel");
  m_edit->setObjectName("mineEdit");
  m_edit->setPlaceholderText(tr("tp=8,pp=4, or paste the flags or the file of your run"));
  m_edit->setToolTip(
      tr("Your own configuration: choices as in tp=8,pp=4,microbatch=1, flags of Megatron-LM, TorchTitan, DeepSpeed, "
         "FSDP, MaxText and others, a plan of p2 train -o, or the path of a file with one of these"));
  m_edit->installEventFilter(this);
  auto* label = new QLabel(tr("&Mine"));
  label->setBuddy(m_edit);
  m_result->setObjectName("mineResult");
  m_result->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* paste = button(QStringLiteral("minePaste"), tr("&Paste"), tr("Take the flags or the file in the clipboard"));
  auto* open = button(QStringLiteral("mineOpen"), tr("Open file…"),
                      tr("Take the launch script or configuration file of a run, or a plan of p2 train -o"));
  auto* line = new QHBoxLayout;
  line->addWidget(label);
  line->addWidget(m_edit, 1);
  line->addWidget(paste);
  line->addWidget(open);
  line->addWidget(m_clear);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  layout->addLayout(line);
  m_shown = new ScrolledText(*m_result, kLines);
  layout->addWidget(m_shown);
  connect(m_edit, &QLineEdit::editingFinished, this, [this] {
    if (!m_edit->isModified()) return;
    const QString typed = m_edit->text().trimmed();
    if (QFileInfo(typed).isFile()) return openFile(typed);
    setText(typed);
  });
  connect(m_clear, &QToolButton::clicked, this, [this] { setText({}); });
  connect(paste, &QToolButton::clicked, this, [this] { setText(QApplication::clipboard()->text()); });
  connect(open, &QToolButton::clicked, this, &MinePanel::askForFile);
  connect(m_result, &QLabel::linkActivated, this, &MinePanel::follow);
  connect(&session, &Session::trainingChanged, this, &MinePanel::refresh);
  connect(&m_answer, &DerivedBase::changed, this, &MinePanel::takeAnswer);
  connect(&m_ranked, &DerivedBase::changed, this, &MinePanel::showAnswer);
  refresh();
}

// A field of one line would lose the line breaks of a pasted text.
bool MinePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_edit && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->matches(QKeySequence::Paste)) {
    const QString text = QApplication::clipboard()->text();
    if (text.trimmed().contains('\n')) {
      setText(text);
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

void MinePanel::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  refresh();
}

void MinePanel::setLow(bool low) { m_shown->setMostLines(low ? kLines : 0); }

void MinePanel::setText(const QString& text) {
  m_edit->setModified(false);
  TrainingChoice training = m_session.workspace()->training;
  training.mine = text.trimmed().toStdString();
  m_session.editTraining(tr("Change my configuration"), std::move(training));
  refresh();
}

void MinePanel::askForFile() {
  auto* dialog = new QFileDialog(this, tr("Open my configuration"), {}, tr("All files (*)"));
  dialog->setObjectName("mineFileDialog");
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MinePanel::openFile);
  dialog->open();
}

void MinePanel::openFile(const QString& path) {
  const auto text = readTextFile(path.toStdString());
  if (text.ok()) {
    const auto stated = statedByMine(*text);
    if (!stated.ok()) return setText(qs(*text));
    const QString mine = qs(*text).trimmed();
    m_edit->setModified(false);
    m_session.editTraining(tr("Open my configuration"),
                           statedChoice(m_session.workspace()->training, *stated, mine.toStdString()));
    return refresh();
  }
  m_result->setText(qs(text.error().text()).toHtmlEscaped());
}

/// " It is 1.08× slower than the best in the table. By its time it would be row 12 there." The first sentence is left
/// out where both read the same; empty where it does not run.
QString MinePanel::inTable(const MineAnswer& answer) const {
  const auto found = m_session.planner().answer();
  if (!found || !m_session.planner().isCurrent() || found->answer.configurations.empty() || answer.evaluation.refused ||
      !answer.evaluation.fits) {
    return {};
  }
  const PlannedConfiguration& mine = answer.evaluation.mine;
  const auto& rows = found->answer.configurations;
  const double own = mine.estimate.seconds;
  const double best = rows.front().estimate.seconds;
  QString text;
  if (definitelyLess(best, own, kDisplayTolerance)) {
    text = ' ' + tr("It is %1 than the best in the table.").arg(slowerThan(own, best));
  }
  if (!found->isComplete) return text;
  if (!passes(found->filter, mine, found->question.system, found->answer.reserve, found->answer.memory)) {
    return text + ' ' + tr("The filters leave it out of the table.");
  }
  if (const auto row = placeOf(chosenFrom(mine), found->answer)) {
    return text + ' ' + tr("It is row %1 of the table.").arg(countText(std::int64_t(*row) + 1));
  }
  if (const auto row = variantIn(rows, mine)) {
    return text + ' ' +
           tr("Row %1 of the table has its degrees, in %2.")
               .arg(countText(std::int64_t(*row) + 1), secondsText(rows[*row].estimate.seconds));
  }
  const auto before = std::count_if(rows.begin(), rows.end(),
                                    [own](const PlannedConfiguration& each) { return each.listedSeconds < own; });
  return text + ' ' + tr("By its time it would be row %1 of the table.").arg(countText(std::int64_t(before) + 1));
}

/// " ▲ It was given for llama3-8b, and is priced for mixtral-8x7b."; empty for the model that it was given for.
QString MinePanel::otherModel() const {
  const std::string& model = m_session.workspace()->training.model;
  if (m_text.isEmpty() || m_model.empty() || model == m_model) return {};
  return ' ' + tr("▲ It was given for %1, and is priced for %2.").arg(qs(m_model), qs(model));
}

const PlannedConfiguration* MinePanel::mine() const {
  const auto answer = m_answer.current();
  return answer && !answer->evaluation.refused ? &answer->evaluation.mine : nullptr;
}

void MinePanel::refresh() {
  const auto workspace = m_session.workspace();
  const QString text = qs(workspace->training.mine);
  if (!m_edit->isModified() && m_edit->text() != shownText(text)) m_edit->setText(shownText(text));
  if (std::exchange(m_text, text) != text) m_model = workspace->training.model;
  // Several lines are shown by their first, and a plan by its kind; they are replaced, not edited.
  m_edit->setReadOnly(shownText(text) != text.trimmed());
  m_clear->setEnabled(!text.isEmpty());
  if (text.isEmpty() || !m_session.planner().hasModel()) {
    m_ranked.forget();
    m_answer.forget();
  } else if (isVisible()) {
    MineQuestion question{workspace->system, workspace->training};
    question.training.chosen.reset();
    question.extent = EvaluationExtent::WithoutRank;
    m_answer.ask(tr("Pricing my configuration"), std::move(question));
  }
  showAnswer();
}

/// Asks for the rank of a configuration that runs and fits, and shows the rest at once.
void MinePanel::takeAnswer() {
  const auto found = m_answer.current();
  if (found && !found->evaluation.refused && found->evaluation.fits) {
    MineQuestion question = *m_answer.question();
    question.extent = EvaluationExtent::WithRank;
    m_ranked.ask(tr("Comparing my configuration"), std::move(question));
  } else {
    m_ranked.withdraw();
  }
  showAnswer();
  emit changed();
}

std::shared_ptr<const MineAnswer> MinePanel::answer() const {
  auto ranked = m_answer.current() ? m_ranked.current() : nullptr;
  return ranked ? ranked : m_answer.current();
}

void MinePanel::showAnswer() {
  const auto answer = this->answer();
  QString html;
  if (const auto& problem = m_answer.problem()) {
    html = QStringLiteral("✗ %1").arg((qs(problem->text()) + otherModel()).toHtmlEscaped());
    if (settingsOfMine()) {
      html += QStringLiteral(" <a href=\"%1\">%2</a>")
                  .arg(kTakeSettings, tr("Train with the batch and sequence of my configuration"));
    }
  } else if (answer) {
    html = (mineText(*answer) + inTable(*answer) + otherModel()).toHtmlEscaped();
    html += ' ' + changesText(*answer, [](std::size_t place, const QString& text) {
              return QStringLiteral("<a href=\"%1\">%2</a>").arg(place).arg(text.toHtmlEscaped());
            });
    if (m_ranked.isRunning()) html += ' ' + tr("Counting its place among all …");
  } else if (m_answer.isRunning()) {
    html = tr("Pricing …");
  }
  QStringList notes;
  for (std::size_t i = 0; answer && i < answer->notes.size(); ++i) notes << qs(answer->notes[i]);
  m_result->setToolTip(notes.join('\n'));
  if (m_result->text() == html) return;
  m_result->setText(html);
  m_shown->updateGeometry();
  if (answer) announce(*this, mineText(*answer));
}

/// The document's training with the batch and the sequence of the user's flags, where these differ.
std::optional<TrainingChoice> MinePanel::settingsOfMine() const {
  const TrainingChoice& training = m_session.workspace()->training;
  const auto stated = statedByMine(training.mine);
  if (!stated.ok()) return std::nullopt;
  const TrainingChoice typed = statedChoice(training, *stated, training.mine);
  if (typed.batch == training.batch && typed.sequence == training.sequence) return std::nullopt;
  TrainingChoice taken = training;
  taken.batch = typed.batch;
  taken.sequence = typed.sequence;
  return taken;
}

void MinePanel::follow(const QString& link) {
  if (link == kTakeSettings) {
    if (auto taken = settingsOfMine())
      m_session.editTraining(tr("Take the batch and sequence of my configuration"), std::move(*taken));
    return;
  }
  const auto answer = this->answer();
  const auto place = std::size_t(link.toInt());
  if (!answer || place >= answer->evaluation.changes.size()) return;
  m_session.chooseConfiguration(&answer->evaluation.changes[place].planned);
}

}  // namespace p2::views
