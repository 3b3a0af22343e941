// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_maker.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/lesson/lesson_place_text.h"
#include "views/lesson/placeholder_button.h"

namespace p2::views {
namespace {

constexpr int kMostDevices = 4096;

/// A whole draft before and after: a lesson is small. Edits of one field in a row are one.
class DraftEdit : public QUndoCommand {
 public:
  DraftEdit(LessonMaker& maker, const QString& what, LessonDraft before, LessonDraft after, int page)
      : QUndoCommand(what), m_maker(maker), m_before(std::move(before)), m_after(std::move(after)), m_page(page) {}

  void undo() override { m_maker.restore(m_before, m_page); }
  void redo() override { m_maker.restore(m_after, m_page); }
  [[nodiscard]] int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const DraftEdit*>(other);
    if (next->text() != text() || next->m_page != m_page || !text().startsWith(QStringLiteral("Type"))) return false;
    m_after = next->m_after;
    return true;
  }

 private:
  LessonMaker& m_maker;
  LessonDraft m_before;
  LessonDraft m_after;
  int m_page;
};

std::vector<std::string> linesOf(const QString& text) {
  std::vector<std::string> lines;
  for (const QString& line : text.split('\n')) {
    if (!line.trimmed().isEmpty()) lines.push_back(line.trimmed().toStdString());
  }
  return lines;
}

QString joined(const std::vector<std::string>& lines) {
  QStringList list;
  for (const std::string& line : lines) list << qs(line);
  return list.join('\n');
}

}  // namespace

LessonMaker::LessonMaker(JobQueue& jobs, LessonDraft draft, QWidget* parent)
    : QDialog(parent),
      m_jobs(jobs),
      m_draft(std::move(draft)),
      m_checked(jobs,
                [](const LessonDraft& asked, std::stop_token stop, const Progress&) -> Result<Checked> {
                  P2_TRY_ASSIGN(std::string json, draftToJson(asked, stop));
                  P2_TRY_ASSIGN(auto problems, lessonProblems(json, stop));
                  P2_TRY_ASSIGN(auto numbers, problems.empty() ? numbersOf(json, stop) : std::vector<PageNumbers>());
                  return Checked{std::move(json), std::move(problems), asked, std::move(numbers)};
                }),
      m_undo(new QUndoStack(this)) {
  setObjectName(QStringLiteral("lessonMaker"));
  setWindowTitle(tr("Make a lesson"));
  auto* columns = new QHBoxLayout;
  columns->addWidget(makePages(), 1);
  columns->addWidget(makeForm(), 3);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(columns, 3);
  layout->addWidget(makeEnd(), 1);
  connect(&m_checked, &DerivedBase::changed, this, &LessonMaker::followCheck);
  connect(new QShortcut(QKeySequence::Undo, this), &QShortcut::activated, m_undo, &QUndoStack::undo);
  connect(new QShortcut(QKeySequence::Redo, this), &QShortcut::activated, m_undo, &QUndoStack::redo);
  resize(980, 680);
  showDraft(0);
}

QWidget* LessonMaker::makePages() {
  auto* side = new QWidget;
  m_title = named(new QLineEdit, "makerTitle", {}, tr("The title of the lesson"));
  m_minutes = named(new QSpinBox, "makerMinutes");
  m_minutes->setRange(1, 60);
  m_minutes->setToolTip(tr("Minutes that a student needs"));
  m_pages = named(new QListWidget, "makerPages", tr("Pages"));
  m_pages->setTabKeyNavigation(false);
  m_pages->setWordWrap(true);
  m_pages->setResizeMode(QListView::Adjust);
  m_pages->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* form = new QFormLayout;
  form->addRow(tr("&Title"), m_title);
  form->addRow(tr("&Minutes"), m_minutes);
  auto* column = panelLayout(side);
  column->addLayout(form);
  column->addWidget(m_pages, 1);
  auto* buttons = new QHBoxLayout;
  const auto add = [&](const char* name, const QString& text, const QString& tip, const std::function<void()>& act) {
    auto* button = makerButton(name, text, tip);
    connect(button, &QPushButton::clicked, this, act);
    buttons->addWidget(button);
  };
  add("makerAdd", tr("&Add"), tr("Add a page like this one after it"), [this] {
    LessonDraft draft = m_draft;
    const auto at = std::size_t(page());
    draft.pages.insert(draft.pages.begin() + std::ptrdiff_t(at) + 1, DraftPage(draft.pages[at]));
    edit(tr("Add a page"), std::move(draft), int(at) + 1);
  });
  add("makerRemove", tr("&Remove"), tr("Remove this page"), [this] {
    if (m_draft.pages.size() < 2) return;
    LessonDraft draft = m_draft;
    draft.pages.erase(draft.pages.begin() + page());
    edit(tr("Remove a page"), std::move(draft), std::max(0, page() - 1));
  });
  add("makerUp", tr("▲"), tr("Move this page up"), [this] { movePage(-1); });
  add("makerDown", tr("▼"), tr("Move this page down"), [this] { movePage(1); });
  column->addLayout(buttons);
  connect(m_title, &QLineEdit::textEdited, this, [this](const QString& text) {
    LessonDraft draft = m_draft;
    draft.title = text.toStdString();
    edit(tr("Type the title"), std::move(draft), page());
  });
  connect(m_minutes, &QSpinBox::valueChanged, this, [this](int minutes) {
    if (m_showing) return;
    LessonDraft draft = m_draft;
    draft.minutes = minutes;
    edit(tr("Type the minutes"), std::move(draft), page());
  });
  connect(m_pages, &QListWidget::currentRowChanged, this, [this] {
    if (!m_showing) showPage();
  });
  return side;
}

QWidget* LessonMaker::makeForm() {
  auto* side = new QWidget;
  auto* form = new QFormLayout(side);
  const auto line = [&](const char* name, const QString& label, const QString& tip, auto member,
                        QWidget* next = nullptr) {
    auto* edit = new QLineEdit;
    edit->setObjectName(QLatin1String(name));
    edit->setToolTip(tip);
    auto* row = new QHBoxLayout;
    row->addWidget(edit, 1);
    if (next != nullptr) row->addWidget(next);
    form->addRow(label, row);
    qobject_cast<QLabel*>(form->labelForField(row))->setBuddy(edit);
    connect(edit, &QLineEdit::textEdited, this, [this, label, member](const QString& text) {
      editPage(tr("Type: %1").arg(label), [&](DraftPage& page) { page.*member = text.toStdString(); });
    });
    return edit;
  };
  m_text = named(new QPlainTextEdit, "makerText");
  m_text->setTabChangesFocus(true);
  m_text->setToolTip(tr("The text for the student. {seconds} and other placeholders stand for computed numbers"));
  m_insert =
      new PlaceholderButton("makerInsert", tr("Insert a number"), tr("Insert a number that is computed for this page"));
  connect(m_insert, &PlaceholderButton::chosen, this, [this](const QString& name) {
    m_text->insertPlainText(QStringLiteral("{%1}").arg(name));
    m_text->setFocus();
  });
  auto* text = new QVBoxLayout;
  text->addWidget(m_text, 1);
  text->addWidget(m_insert, 0, Qt::AlignRight);
  form->addRow(tr("Te&xt"), text);
  qobject_cast<QLabel*>(form->labelForField(text))->setBuddy(m_text);
  connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
    if (m_showing) return;
    editPage(tr("Type the text"), [&](DraftPage& page) { page.text = m_text->toPlainText().toStdString(); });
  });
  m_program = line("makerProgram", tr("&Program"),
                   tr("The steps that are shown; in a task to write a program, the solution"), &DraftPage::program);
  m_task = named(new QComboBox, "makerTask", {}, tr("The task of the student"));
  m_task->addItems({tr("Watch the program"), tr("Mark the data of a device after a step"),
                    tr("Choose the result of a step"), tr("Put the steps in order"), tr("Compute a number"),
                    tr("Write the program")});
  form->addRow(tr("Tas&k"), m_task);
  connect(m_task, &QComboBox::activated, this, [this](int task) {
    editPage(tr("Choose a task"), [&](DraftPage& page) { page.task = DraftPage::Task(task); });
  });
  const auto number = [&](const char* name, const QString& label, int least, int DraftPage::*member) {
    auto* spin = new QSpinBox;
    spin->setObjectName(QLatin1String(name));
    spin->setRange(least, kMostDevices);
    spin->setToolTip(label);
    form->addRow(label, spin);
    connect(spin, &QSpinBox::valueChanged, this, [this, label, member](int value) {
      if (m_showing) return;
      editPage(tr("Type: %1").arg(label), [&](DraftPage& page) { page.*member = value; });
    });
    return spin;
  };
  m_device = number("makerDevice", tr("Device, from 0"), 0, &DraftPage::device);
  m_step = number("makerStep", tr("Step, from 1"), 1, &DraftPage::step);
  m_ask = new PlaceholderButton("makerAsk", tr("Choose a number"), tr("Choose the number that is asked for"));
  connect(m_ask, &PlaceholderButton::chosen, this, [this](const QString& name) {
    editPage(tr("Choose a number"), [&](DraftPage& page) { page.fact = name.toStdString(); });
  });
  m_fact =
      line("makerFact", tr("&Number"),
           tr("The placeholder whose value is asked for, as in seconds or step1.link_bytes"), &DraftPage::fact, m_ask);
  m_question = line("makerQuestion", tr("&Question"), tr("The question to the student"), &DraftPage::question);
  m_hints = named(new QPlainTextEdit, "makerHints");
  m_hints->setTabChangesFocus(true);
  m_hints->setToolTip(tr("Hints, one on each line, shown one after another"));
  form->addRow(tr("&Hints"), m_hints);
  connect(m_hints, &QPlainTextEdit::textChanged, this, [this] {
    if (m_showing) return;
    editPage(tr("Type the hints"), [&](DraftPage& page) { page.hints = linesOf(m_hints->toPlainText()); });
  });
  m_done = line("makerDone", tr("When &done"), tr("Text that is shown when the task is solved; may be empty"),
                &DraftPage::done);
  return side;
}

int LessonMaker::page() const { return std::clamp(m_pages->currentRow(), 0, int(m_draft.pages.size()) - 1); }

void LessonMaker::edit(const QString& what, LessonDraft draft, int page) {
  if (draft == m_draft) return;
  m_undo->push(new DraftEdit(*this, what, m_draft, std::move(draft), page));
}

void LessonMaker::editPage(const QString& what, const std::function<void(DraftPage&)>& change) {
  LessonDraft draft = m_draft;
  DraftPage& edited = draft.pages[std::size_t(page())];
  const std::string question = edited.question;
  const bool isDefault = question == defaultQuestion(edited);
  change(edited);
  if (isDefault && edited.question == question) edited.question = defaultQuestion(edited);
  edit(what, std::move(draft), page());
}

void LessonMaker::movePage(int by) {
  const int from = page();
  const int to = from + by;
  if (to < 0 || to >= int(m_draft.pages.size())) return;
  LessonDraft draft = m_draft;
  std::swap(draft.pages[std::size_t(from)], draft.pages[std::size_t(to)]);
  edit(tr("Move a page"), std::move(draft), to);
}

bool LessonMaker::isSaved() const { return m_undo->isClean(); }

void LessonMaker::startFrom(LessonDraft draft) { edit(tr("Start again"), std::move(draft), 0); }

void LessonMaker::showProblem(const QString& sentence) { m_problems->addItem(sentence); }

void LessonMaker::restore(const LessonDraft& draft, int page) {
  m_draft = draft;
  showDraft(page);
}

void LessonMaker::showDraft(int page) {
  m_showing = true;
  if (m_title->text() != qs(m_draft.title)) m_title->setText(qs(m_draft.title));
  m_minutes->setValue(m_draft.minutes);
  m_pages->clear();
  for (std::size_t i = 0; i < m_draft.pages.size(); ++i) {
    m_pages->addItem(tr("%1. %2").arg(i + 1).arg(qs(m_draft.pages[i].question)));
  }
  m_pages->setCurrentRow(std::clamp(page, 0, int(m_draft.pages.size()) - 1));
  m_showing = false;
  showPage();
  m_checked.ask(tr("Checking the lesson"), m_draft);
}

void LessonMaker::showPage() {
  const DraftPage& shown = m_draft.pages[std::size_t(page())];
  m_showing = true;
  const auto fill = [](auto* field, const QString& now, const QString& text, auto set) {
    // A field that says this already keeps its cursor.
    if (now != text) (field->*set)(text);
  };
  fill(m_text, m_text->toPlainText(), qs(shown.text), &QPlainTextEdit::setPlainText);
  if (linesOf(m_hints->toPlainText()) != shown.hints) m_hints->setPlainText(joined(shown.hints));
  fill(m_program, m_program->text(), qs(shown.program), &QLineEdit::setText);
  fill(m_fact, m_fact->text(), qs(shown.fact), &QLineEdit::setText);
  fill(m_question, m_question->text(), qs(shown.question), &QLineEdit::setText);
  fill(m_done, m_done->text(), qs(shown.done), &QLineEdit::setText);
  m_task->setCurrentIndex(int(shown.task));
  m_device->setValue(shown.device);
  m_step->setValue(shown.step);
  m_device->setEnabled(shown.task == DraftPage::Task::Mark);
  m_step->setEnabled(shown.task == DraftPage::Task::Mark || shown.task == DraftPage::Task::Outcome);
  for (QWidget* each : std::initializer_list<QWidget*>{m_fact, m_ask}) {
    each->setEnabled(shown.task == DraftPage::Task::Compute);
  }
  offerNumbers();
  m_showing = false;
}

void LessonMaker::followCheck() {
  const auto checked = m_checked.current();
  showReady();
  if (!checked) return offerNumbers();
  if (checked->problems.empty()) m_numbered = checked;
  offerNumbers();
  m_problems->clear();
  for (const LessonProblem& each : checked->problems) {
    auto* item = new QListWidgetItem(lessonPlaceText(qs(each.where)) + ": " + qs(each.problem));
    item->setToolTip(qs(each.where));
    item->setData(Qt::UserRole, qs(each.where));
    m_problems->addItem(item);
  }
  if (checked->problems.empty()) m_problems->addItem(tr("✓ The lesson can be completed."));
}

}  // namespace p2::views
