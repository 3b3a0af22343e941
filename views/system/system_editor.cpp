// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_editor.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>

#include "importers/importers.h"
#include "views/common/empty_page.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/shell/axes_fit.h"
#include "views/shell/session.h"
#include "views/system/accelerator_text.h"
#include "views/system/busiest_list.h"
#include "views/system/kept_sums.h"
#include "views/system/part_inspector.h"
#include "views/system/part_palette.h"
#include "views/system/system_canvas.h"
#include "views/system/system_edits.h"
#include "views/system/system_problems.h"
#include "views/system/system_text.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

/// As wide as the longest label of a form, its margins and a scroll bar.
constexpr int kLeastFormCharacters = 24;
constexpr int kInspectorWidth = 256;

/// The last of a kind that was added to a system.
SystemPart addedPart(const System& before, const System& after) {
  if (after.networks.size() > before.networks.size()) return {Kind::Network, int(after.networks.size()) - 1};
  for (std::size_t i = 0; i < after.levels.size(); ++i) {
    if (i < before.levels.size() && before.levels[i] == after.levels[i]) continue;
    return {after.levels.size() > before.levels.size() ? Kind::Level : Kind::Interconnect, int(i)};
  }
  return {};
}

}  // namespace

SystemEditor::SystemEditor(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  setObjectName(QStringLiteral("systemEditor"));
  m_canvas = new SystemCanvas;
  m_palette = new PartPalette;
  m_inspector = new PartInspector;
  makeEditActions();
  makeViewActions();
  m_scroll = named(new QScrollArea, "partScroll", tr("Properties of the selected part"));
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidget(m_inspector);
  m_scroll->setMinimumWidth(m_scroll->fontMetrics().averageCharWidth() * kLeastFormCharacters);
  auto* splitter = splitterOf(Qt::Horizontal, {{makeDrawing(), 1}, {m_scroll, 0}}, "editorSplitter");
  splitter->setSizes({576, kInspectorWidth});
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(splitter);
  makeEmptyPage();
  connectParts();
  refresh();
  refreshProblems();
}

// On their way out, left to ~QWidget, they would still report to deleted objects.
SystemEditor::~SystemEditor() {
  m_canvas->drawn().disconnect(this);
  m_canvas->disconnect(this);
  m_inspector->disconnect(this);
}

QWidget* SystemEditor::takeForm() {
  m_scroll->hide();
  return m_scroll->takeWidget();
}

bool SystemEditor::unselect() {
  if (chosen().empty()) return false;
  m_canvas->drawn().select({});
  return true;
}

QWidget* SystemEditor::makeDrawing() {
  auto* panel = new QWidget;
  m_hover = named(new QLabel, "systemHover");
  m_hover->setTextFormat(Qt::PlainText);
  m_hover->setMinimumHeight(m_hover->fontMetrics().lineSpacing());
  m_hover->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  m_busiest = new BusiestList;
  m_refusal = named(new InlineMessage, "systemRefusal");
  m_problems = new ProblemList;
  QVBoxLayout* layout = panelLayout(panel);
  layout->addWidget(makeTitle());
  auto* drawing = new QHBoxLayout;
  drawing->setSpacing(Theme::kGrid);
  drawing->addWidget(m_canvas, 1);
  drawing->addWidget(m_busiest);
  layout->addLayout(drawing, 1);
  layout->addWidget(m_hover);
  layout->addWidget(m_refusal);
  layout->addWidget(m_problems);
  return panel;
}

QWidget* SystemEditor::makeTitle() {
  auto* title = new QWidget;
  m_summary = named(new QLabel, "systemSummary");
  auto* tools = new QHBoxLayout;
  tools->setSpacing(Theme::kGrid / 2);
  tools->addWidget(m_palette);
  tools->addStretch();
  for (QAction* action : m_zoomActions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(action->objectName() + QStringLiteral("Button"));
    button->setAccessibleName(action->text());
    tools->addWidget(button);
  }
  auto* layout = bareLayout<QVBoxLayout>(title, Theme::kGrid);
  layout->addWidget(m_summary);
  layout->addLayout(tools);
  return title;
}

void SystemEditor::makeEmptyPage() {
  m_empty = named(new EmptyPage(m_canvas->viewport()), "systemEmpty");
  m_empty->say(tr("No system yet. Drag a level here, then a switch, ring, mesh or bus onto it."), tr("Add a level"));
  connect(m_empty, &EmptyPage::clicked, this, [this] { add(std::nullopt, {}); });
  m_canvas->viewport()->installEventFilter(this);
}

bool SystemEditor::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) m_empty->resize(m_canvas->viewport()->size());
  return QWidget::eventFilter(watched, event);
}

void SystemEditor::connectParts() {
  connect(m_palette, &PartPalette::dragged, m_canvas, [this](QPoint at) { m_canvas->showTarget(at); });
  connect(m_palette, &PartPalette::dragCancelled, m_canvas, [this] { m_canvas->showTarget(std::nullopt); });
  connect(m_palette, &PartPalette::dropped, this, [this](std::optional<InterconnectKind> kind, QPoint at) {
    m_canvas->showTarget(std::nullopt);
    if (!m_canvas->holds(at)) return;
    const auto part = m_canvas->partAt(at);
    add(kind, part ? std::vector{*part} : std::vector<SystemPart>());
  });
  connect(m_palette, &PartPalette::wanted, this, [this](std::optional<InterconnectKind> kind) { add(kind, chosen()); });
  connect(m_canvas, &SystemCanvas::shapeHovered, m_hover, &QLabel::setText);
  connect(m_canvas, &SystemCanvas::deviceHovered, &m_session, &Session::setHoveredDevice);
  connect(m_canvas, &SystemCanvas::detailsWanted, m_inspector, &PartInspector::focusName);
  connect(m_canvas, &SystemCanvas::menuWanted, this, &SystemEditor::showMenu);
  connect(m_canvas, &SystemCanvas::connectWanted, this, [this](int network, const SystemPart& member) {
    edit(tr("Connect"), withMember(m_session.workspace()->system, network, member));
  });
  connect(m_canvas, &SystemCanvas::moveWanted, this, [this](int from, int to) {
    edit(tr("Move level"), withLevelMoved(m_session.workspace()->system, from, to));
    m_canvas->drawn().select({{Kind::Level, to}});
  });
  connect(&m_canvas->drawn(), &QGraphicsScene::selectionChanged, this, &SystemEditor::refreshSelection);
  connect(m_inspector, &PartInspector::neededNow, this, &SystemEditor::formWanted);
  connect(m_inspector, &PartInspector::edited, this,
          [this](const QString& what, const System& system) { edit(what, system); });
  connect(m_problems, &ProblemList::placeWanted, this, [this](const SystemPart& part, const QString& property) {
    m_canvas->drawn().select({part});
    if (const ShapeItem* item = m_canvas->drawn().itemOf(part)) m_canvas->ensureVisible(item);
    if (!m_inspector->focusProperty(property)) m_canvas->setFocus();
  });
  connect(m_busiest, &BusiestList::linkWanted, this, [this](const QString& name) {
    if (const ShapeItem* item = m_canvas->drawn().itemOfLink(name)) {
      m_canvas->drawn().select({item->drawn().part});
      m_canvas->ensureVisible(item);
    }
  });
  connect(&m_session, &Session::workspaceChanged, this, &SystemEditor::refresh);
  connect(&m_session, &Session::workspaceChanged, this, &SystemEditor::refreshProblems);
  connect(&m_session, &Session::freshnessChanged, this, &SystemEditor::refreshProblems);
  connect(&m_session, &Session::followed, this, [this](const QString& sentence) {
    note(sentence);
    m_followed = sentence;
  });
  connect(&m_session, &Session::hoverChanged, this,
          [this] { m_canvas->drawn().setHoveredDevice(m_session.hoveredDevice()); });
}

void SystemEditor::refresh() {
  const System& system = m_session.workspace()->system;
  m_followed.clear();
  m_refusal->showProblem({});
  m_canvas->setSystem(system);
  m_empty->setVisible(system.levels.empty() && system.networks.empty());
  m_summary->setText(tr("<b>%1</b> · %2").arg(qs(describe(system)).toHtmlEscaped(), qs(devicesText(system))));
  refreshSelection();
}

void SystemEditor::refreshProblems() {
  const Workspace& workspace = *m_session.workspace();
  std::optional<Error> known = m_session.problem();
  // Sizes of axes are no problem of the system; they stand next to the load.
  if (isMisfit(workspace.system, workspace.axes)) known.reset();
  m_problems->setProblems(problemsOf(workspace.system, known));
}

void SystemEditor::refreshSelection() {
  const std::vector<SystemPart> parts = chosen();
  m_inspector->inspect(m_session.workspace()->system, parts);
  const bool any = !parts.empty();
  emit selected(any);
  for (const char* name : {"systemRemove", "systemToggle", "systemCut", "systemCopy"}) {
    findChild<QAction*>(QLatin1String(name))->setEnabled(any);
  }
}

void SystemEditor::setLoads(ShownLoads loads) {
  m_canvas->drawn().setLoads(std::move(loads));
  m_busiest->show(m_canvas->drawn().busiestLinks());
}

std::vector<SystemPart> SystemEditor::chosen() const { return m_canvas->drawn().selectedParts(); }

void SystemEditor::edit(const QString& what, System next) {
  if (const auto room = checkRoom(next); !room.ok()) {
    m_refusal->showProblem(qs(room.error().text()));
    return;
  }
  Workspace workspace = *m_session.workspace();
  KeptSums kept = withSumsKept(workspace.system, withDerived(workspace.system, std::move(next)));
  const QString device = acceleratorText(workspace.system, kept.system);
  workspace.system = std::move(kept.system);
  m_session.edit(what, std::move(workspace));
  note(QStringList{device, kept.stated}.join(QLatin1Char(' ')).trimmed());
}

void SystemEditor::note(const QString& sentence) {
  if (!sentence.isEmpty())
    m_refusal->say(InlineMessage::Kind::Note, QStringList{sentence, m_followed}.join(QLatin1Char(' ')).trimmed());
}

void SystemEditor::edit(const QString& what, const Result<System>& next) {
  if (next.ok()) {
    edit(what, *next);
  } else {
    m_refusal->showProblem(qs(next.error().text()));
  }
}

void SystemEditor::add(std::optional<InterconnectKind> kind, const std::vector<SystemPart>& at) {
  const System before = m_session.workspace()->system;
  if (kind) {
    edit(tr("Add %1").arg(qs(nameOf(*kind))), withInterconnect(before, *kind, at));
  } else {
    edit(tr("Add level"), withLevel(before, at.empty() ? std::nullopt : std::optional(at.back())));
  }
  if (m_session.workspace()->system != before)
    m_canvas->drawn().select({addedPart(before, m_session.workspace()->system)});
  m_canvas->setFocus();
}

void SystemEditor::removeSelected() {
  if (!chosen().empty()) edit(tr("Remove"), withoutParts(m_session.workspace()->system, chosen()));
}

void SystemEditor::toggleSelected() {
  std::vector<std::string> names;
  for (const SystemPart& part : chosen()) names.insert(names.end(), part.names.begin(), part.names.end());
  if (!names.empty()) edit(tr("Mark as failed"), withToggled(m_session.workspace()->system, names));
}

void SystemEditor::moveSelected(int by) {
  const std::vector<SystemPart> parts = chosen();
  if (parts.empty() || parts.back().kind == Kind::Network) return;
  const int from = parts.back().index;
  const System& system = m_session.workspace()->system;
  if (from + by < 0 || from + by >= int(system.levels.size())) return;
  edit(tr("Move level"), withLevelMoved(system, from, from + by));
  m_canvas->drawn().select({{Kind::Level, from + by}});
}

void SystemEditor::copySelected() {
  if (!chosen().empty()) QApplication::clipboard()->setText(copied(m_session.workspace()->system, chosen()));
}

void SystemEditor::paste() {
  const QString text = QApplication::clipboard()->text();
  if (isImportable(text.toStdString())) return emit importWanted(text);
  edit(tr("Paste"), pasted(m_session.workspace()->system, text));
}

}  // namespace p2::views
