// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/use/use_perspective.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "system/level_names.h"
#include "text/host_list.h"
#include "text/text_file.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/accessible_items.h"
#include "views/common/empty_page.h"
#include "views/common/panel.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr double kFindingScale = 1.15;
constexpr int kListCharacters = 34;

QPushButton* buttonOf(QAction& action, const QString& name) {
  auto* button = new QPushButton(action.text());
  button->setObjectName(name);
  button->setToolTip(action.toolTip());
  QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
  QObject::connect(&action, &QAction::changed, button, [button, &action] { button->setEnabled(action.isEnabled()); });
  return button;
}

}  // namespace

UsePerspective::UsePerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_pages(new QStackedWidget),
      m_empty(new EmptyPage),
      m_finding(new QLabel),
      m_hosts(new QLineEdit),
      m_problem(new InlineMessage),
      m_list(new QListWidget),
      m_about(new QLabel),
      m_preview(new QPlainTextEdit),
      m_report(new InlineMessage),
      m_copy(new QAction(tr("&Copy"), this)),
      m_save(new QAction(tr("&Save as…"), this)),
      m_saveAll(new QAction(tr("Save &all…"), this)) {
  setObjectName("usePerspective");
  named(m_copy, "useCopyAction", {}, tr("Copy the shown text (Ctrl+Shift+C)"));
  m_copy->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
  named(m_save, "useSaveAction", {}, tr("Save the shown text as a file (Ctrl+Shift+E)"));
  m_save->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
  named(m_saveAll, "useSaveAllAction", {}, tr("Save all these files in a folder (Ctrl+Alt+E)"));
  m_saveAll->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_E));
  for (QAction* action : viewActions()) action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addActions(viewActions());
  connect(m_copy, &QAction::triggered, this, &UsePerspective::copyFile);
  connect(m_save, &QAction::triggered, this, &UsePerspective::askForFile);
  connect(m_saveAll, &QAction::triggered, this, &UsePerspective::askForFolder);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeContent());
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(m_pages);
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    emit perspectiveWanted(m_session.planner().hasModel() ? QString(kPlanPage) : QString(kModelPage));
  });
  connect(&session, &Session::trainingChanged, this, &UsePerspective::refresh);
  session.planner().follow(*this);
  refresh();
}

QWidget* UsePerspective::makeContent() {
  auto* content = new QWidget;
  wrapped(named(m_finding, "useFinding"));
  QFont large = m_finding->font();
  large.setPointSizeF(large.pointSizeF() * kFindingScale);
  m_finding->setFont(large);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(2 * Theme::kGrid);
  columns->addWidget(makeList(), 2);
  columns->addWidget(makePreview(), 5);
  QVBoxLayout* layout = panelLayout(content);
  auto* head = new QHBoxLayout;
  head->addWidget(m_finding, 1);
  head->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Step), 0, Qt::AlignTop);
  layout->addLayout(head);
  layout->addLayout(columns, 1);
  return content;
}

QWidget* UsePerspective::makeList() {
  auto* panel = new QWidget;
  auto* column = bareLayout<QVBoxLayout>(panel, Theme::kGrid);
  auto* label = new QLabel(tr("&Hosts"));
  label->setBuddy(m_hosts);
  named(m_hosts, "useHosts", {},
        tr("Names of the hosts in the order of the devices, as in node[01-16], rack[1-2]node[1-8] or a b c"));
  connect(m_hosts, &QLineEdit::textEdited, this, &UsePerspective::showFiles);
  m_problem->setObjectName("useProblem");
  m_problem->setWordWrap(true);
  named(m_list, "useList", tr("Files and commands"));
  m_list->setMinimumWidth(m_list->fontMetrics().averageCharWidth() * kListCharacters / 2);
  connect(m_list, &QListWidget::currentRowChanged, this, &UsePerspective::showFile);
  column->addWidget(label);
  column->addWidget(m_hosts);
  // As high as its rows, so that a refusal is near the names.
  m_list->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  column->addWidget(m_list);
  column->addWidget(m_problem);
  column->addStretch();
  return panel;
}

QWidget* UsePerspective::makePreview() {
  auto* panel = new QWidget;
  auto* column = bareLayout<QVBoxLayout>(panel, Theme::kGrid);
  wrapped(named(m_about, "useAbout"));
  named(m_preview, "usePreview", tr("Preview"));
  m_preview->setReadOnly(true);
  m_preview->setTabChangesFocus(true);
  m_preview->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_preview->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_report->setObjectName("useReport");
  m_report->setWordWrap(false);
  QSizePolicy kept(QSizePolicy::Ignored, QSizePolicy::Preferred);
  kept.setRetainSizeWhenHidden(true);
  m_report->setSizePolicy(kept);
  auto* line = new QHBoxLayout;
  line->addWidget(buttonOf(*m_copy, QStringLiteral("useCopy")));
  line->addWidget(buttonOf(*m_save, QStringLiteral("useSave")));
  line->addWidget(buttonOf(*m_saveAll, QStringLiteral("useSaveAll")));
  line->addWidget(m_report, 1);
  column->addWidget(m_about);
  column->addWidget(m_preview, 1);
  column->addLayout(line);
  return panel;
}

QList<QAction*> UsePerspective::viewActions() { return {m_copy, m_save, m_saveAll}; }
QWidget* UsePerspective::mainList() { return m_pages->currentIndex() == 0 ? nullptr : m_list; }

void UsePerspective::refresh() {
  const StepPlanner& planner = m_session.planner();
  const auto problem = planner.problem();
  const bool shows = planner.shown() != nullptr && !problem;
  if (!planner.hasModel()) {
    m_empty->say(tr("Choose a model first. Its launch flags then appear here."), tr("Choose a model"));
  } else if (problem) {
    m_empty->say(qs(problem->text()), tr("Look at the plan"));
  } else {
    m_empty->say(tr("Comparing configurations …"), {});
  }
  m_pages->setCurrentIndex(shows ? 1 : 0);
  if (!shows) {
    for (QAction* action : viewActions()) action->setEnabled(false);
    return;
  }
  showFiles();
  if (!planner.isCurrent()) m_finding->setText(tr("Comparing configurations …"));
}

// Flags of a question that has changed are not taken along, and neither are files for other hosts than the named ones.
void UsePerspective::enableActions() {
  const bool current = m_session.planner().isCurrent();
  const int row = m_list->currentRow();
  const bool shows = row >= 0 && std::size_t(row) < m_files.size();
  const bool mayTake = current && shows && !waitsForHosts(m_files[std::size_t(row)]);
  m_copy->setEnabled(mayTake);
  m_save->setEnabled(mayTake);
  m_saveAll->setEnabled(current && shows && !m_hostsRefused);
  m_preview->setEnabled(mayTake);
}

void UsePerspective::showFiles() {
  const StepPlanner& planner = m_session.planner();
  const PlannedConfiguration* shown = planner.shown();
  if (shown == nullptr) return;
  const auto answer = planner.answer();
  const TrainingQuestion& question = answer->question;
  const std::vector<std::string>& assumed = answer->answer.assumed;
  const std::int64_t count = question.system.deviceCount() / devicesPerHost(question.system);
  m_hosts->setPlaceholderText(tr("node[0-%1]").arg(std::max<std::int64_t>(1, count - 1)));
  const auto hosts = hostsFromList(m_hosts->text().toStdString());
  auto files =
      hosts.ok() ? launchFiles(question, *shown, *hosts, assumed) : Result<std::vector<LaunchFile>>(hosts.error());
  QString problem = files.ok() ? QString() : qs(files.error().message);
  // Files of another configuration do not stay.
  if (!files.ok()) files = launchFiles(question, *shown, {}, assumed);
  m_hostsRefused = !problem.isEmpty();
  if (m_hostsRefused && files.ok()) problem += tr(". Until then, files with host names cannot be copied or saved");
  m_problem->showProblem(problem);
  m_files = files.ok() ? std::move(files).value() : std::vector<LaunchFile>();
  if (m_files.empty()) return showNoFiles();
  const int row = std::max(0, m_list->currentRow());
  if (m_list->count() != int(m_files.size())) {
    m_list->clear();
    for (const LaunchFile& file : m_files) m_list->addItem(qs(file.label));
  }
  m_list->setCurrentRow(std::min(row, m_list->count() - 1));
  showFile(m_list->currentRow());
  const auto options = std::count(m_files.front().text.begin(), m_files.front().text.end(), '\n');
  const QString finding = tr("These %1 options start %2 with %3: %4 per step, %5 MFU.")
                              .arg(options)
                              .arg(degreesText(shown->configuration), qs(shown->framework->label),
                                   intervalText(shown->estimate), shareText(shown->estimate.mfu));
  if (m_finding->text() == finding) return;
  m_finding->setText(finding);
  m_report->say(InlineMessage::Kind::Note, {});
  announce(*this, finding);
}

/// The launch files fail, and m_problem says why.
void UsePerspective::showNoFiles() {
  m_list->clear();
  m_about->clear();
  m_preview->clear();
  enableActions();
  m_report->say(InlineMessage::Kind::Note, {});
  const PlannedConfiguration& shown = *m_session.planner().shown();
  m_finding->setText(tr("%1 with %2: %3 per step, %4 MFU. Its files cannot be made.")
                         .arg(degreesText(shown.configuration), qs(shown.framework->label),
                              intervalText(shown.estimate), shareText(shown.estimate.mfu)));
}

void UsePerspective::showFile(int row) {
  if (row < 0 || std::size_t(row) >= m_files.size()) return;
  const LaunchFile& file = m_files[std::size_t(row)];
  QString about = QStringLiteral("%1.").arg(qs(file.about));
  if (waitsForHosts(file)) {
    about += tr(" Hosts are named %1 until the names on the left are accepted.").arg(m_hosts->placeholderText());
  } else if (file.namesHosts && file.problem.empty() && m_hosts->text().trimmed().isEmpty()) {
    about += tr(" Hosts are named %1: type their real names on the left.").arg(m_hosts->placeholderText());
  }
  m_about->setText(about);
  if (m_preview->toPlainText() != qs(file.text)) m_preview->setPlainText(qs(file.text));
  enableActions();
}

void UsePerspective::copyFile() {
  const int row = m_list->currentRow();
  if (row < 0 || std::size_t(row) >= m_files.size() || m_pages->currentIndex() == 0) return;
  QApplication::clipboard()->setText(qs(m_files[std::size_t(row)].text));
  report(InlineMessage::Kind::Good, tr("Copied: %1").arg(qs(m_files[std::size_t(row)].label)));
}

void UsePerspective::askForFile() {
  const int row = m_list->currentRow();
  if (row < 0 || std::size_t(row) >= m_files.size() || m_pages->currentIndex() == 0) return;
  const LaunchFile file = m_files[std::size_t(row)];
  askWhereToSave(
      this,
      {QStringLiteral("useSaveDialog"), tr("Save: %1").arg(qs(file.label)), {tr("All files (*)")}, qs(file.fileName)},
      [this, file](const QString& path) {
        const auto written = writeTextFile(path.toStdString(), file.text);
        written.ok() ? report(InlineMessage::Kind::Good, tr("Written: %1").arg(path))
                     : report(InlineMessage::Kind::Problem, qs(written.error().text()));
      });
}

void UsePerspective::askForFolder() {
  if (m_files.empty() || m_pages->currentIndex() == 0) return;
  auto* dialog = named(new QFileDialog(this, tr("Save all files in a folder")), "useFolderDialog");
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &UsePerspective::saveAll);
  dialog->open();
}

void UsePerspective::saveAll(const QString& folder) {
  const QDir place(folder);
  QStringList names;
  for (const LaunchFile& file : m_files) {
    if (!file.problem.empty()) continue;
    names << qs(file.fileName);
    if (!place.exists(names.back())) continue;
    return report(InlineMessage::Kind::Problem, tr("%1 exists in %2; choose another folder").arg(names.back(), folder));
  }
  for (const LaunchFile& file : m_files) {
    if (!file.problem.empty()) continue;
    const QString path = place.filePath(qs(file.fileName));
    const auto written = writeTextFile(path.toStdString(), file.text);
    if (!written.ok()) return report(InlineMessage::Kind::Problem, qs(written.error().text()));
    if (!path.endsWith(QLatin1String(".sh"))) continue;
    QFile::setPermissions(path, QFile::permissions(path) | QFileDevice::ExeOwner | QFileDevice::ExeGroup);
  }
  report(InlineMessage::Kind::Good, tr("Written to %1: %2").arg(folder, names.join(QStringLiteral(", "))));
}

void UsePerspective::report(InlineMessage::Kind kind, const QString& sentence) {
  kind == InlineMessage::Kind::Problem ? m_report->say(kind, sentence) : m_report->sayBriefly(kind, sentence);
  m_report->setToolTip(sentence);
  announce(*this, sentence);
}

}  // namespace p2::views
