// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/workload/entries_sliders.h"
#include "views/workload/entries_timing.h"
#include "views/workload/workload_edits.h"

namespace p2::views {
namespace {

/// Whether changes tried in one workload still apply to equal entries of the other.
bool haveSameAmounts(const Workload& a, const Workload& b) {
  return std::equal(a.collectives.begin(), a.collectives.end(), b.collectives.begin(), b.collectives.end(),
                    [](const WorkloadEntry& x, const WorkloadEntry& y) {
                      return x.bytes == y.bytes && x.count == y.count && x.name == y.name;
                    });
}

/// Scrolls vertically only: it is never narrower than its contents.
class FieldsArea : public QScrollArea {
 public:
  FieldsArea() {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  }
  [[nodiscard]] QSize minimumSizeHint() const override {
    const int width = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {std::max(width, kLeastCharacters * fontMetrics().averageCharWidth()), kLeastLines * fontMetrics().height()};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
  }

 private:
  static constexpr int kLeastCharacters = 44;  // with which the list above names its entries
  static constexpr int kLeastLines = 5;
};

}  // namespace

EntriesPanel::EntriesPanel(Session& session, const QList<QAction*>& sources, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_document(std::make_shared<const Workspace>()),
      m_found(session.jobs(),
              [](const std::shared_ptr<const Workspace>& document, const std::stop_token&,
                 const Progress&) -> Result<EntryRows> { return entryRows(*document->workload); }),
      m_table(new QTableView),
      m_sliders(new EntriesSliders),
      m_timing(new EntriesTiming) {
  makeTable();
  QVBoxLayout* layout = panelLayout(this);
  layout->setContentsMargins(0, 0, Theme::kGrid, 0);
  layout->setSpacing(Theme::kGrid / 2);
  layout->addWidget(makeTitle(sources));
  layout->addWidget(m_table, 1);
  layout->addWidget(makeFields());
  forwardFocus(*this, *m_table);
  connect(m_sliders, &EntriesSliders::moved, this, &EntriesPanel::noteTried);
  connect(m_sliders, &EntriesSliders::released, this, &EntriesPanel::released);
  connect(m_sliders, &EntriesSliders::resetWanted, this, &EntriesPanel::reset);
  connect(m_sliders, &EntriesSliders::applyWanted, this, &EntriesPanel::apply);
  connect(m_sliders, &EntriesSliders::overlapChosen, this, [this](const CommunicationOverlap& overlap) {
    const int row = m_table->currentIndex().row();
    if (row < 0 || !document() || !m_ready) return;
    edit(tr("Change overlap"), withOverlap(*document(), m_shown, std::size_t(row), overlap),
         QStringLiteral("overlap %1").arg(row));
  });
  connect(m_timing, &EntriesTiming::chosen, this, [this](const StepOptions& timing, const QString& what) {
    if (document()) edit(what, withTiming(*document(), timing), what);
  });
  connect(&m_found, &DerivedBase::changed, this, &EntriesPanel::followRows);
  connect(&session, &Session::workspaceChanged, this, &EntriesPanel::followDocument);
  followDocument();
}

void EntriesPanel::makeTable() {
  m_table->setModel(&m_model);
  TableSetup setup;
  setup.name = QStringLiteral("entriesTable");
  setup.accessible = tr("Communication of a training step");
  setup.linesPerRow = 2;
  setup.stretched = EntriesModel::Entry;
  setUpTable(*m_table, setup);
  m_table->setTextElideMode(Qt::ElideRight);
  m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const int column : {EntriesModel::Data, EntriesModel::Program, EntriesModel::Time}) {
    m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EntriesPanel::showSelected);
}

QWidget* EntriesPanel::makeTitle(const QList<QAction*>& sources) {
  auto* row = new QWidget;
  m_title = panelTitle({});
  wrapped(named(m_title, "workloadTitle"));
  auto* change = named(new QToolButton, "changeWorkload");
  change->setText(tr("&Workload"));
  change->setToolTip(tr("Replace or remove the workload (Alt+W)"));
  change->setAccessibleName(tr("Replace the workload"));
  change->setPopupMode(QToolButton::InstantPopup);
  change->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(change);
  menu->addActions(sources);
  menu->addSeparator();
  auto* remove = menu->addAction(tr("Remove the workload"));
  remove->setObjectName("removeWorkload");
  connect(remove, &QAction::triggered, this, [this] {
    Workspace next = *m_session.workspace();
    next.workload.reset();
    m_session.edit(tr("Remove the workload"), std::move(next));
  });
  change->setMenu(menu);
  auto* layout = bareLayout<QHBoxLayout>(row);
  layout->addWidget(m_title, 1);
  layout->addWidget(change);
  return row;
}

/// Below the list; where there is little room they are scrolled rather than squeezed.
QWidget* EntriesPanel::makeFields() {
  auto* fields = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(fields, Theme::kGrid / 2);
  layout->addWidget(m_sliders);
  layout->addWidget(m_timing);
  auto* area = named(new FieldsArea, "entryFields");
  area->setWidget(fields);
  return area;
}

void EntriesPanel::followDocument() {
  const auto before = std::exchange(m_document, m_session.workspace());
  if (before->workload == document()) return;
  m_timing->setTiming(document() ? timingOf(*document()) : StepOptions{});
  m_ready = !document() || document()->collectives.size() <= kMostEntryRows;
  if (m_ready) {
    m_found.forget();
    return takeRows(document() ? entryRows(*document()) : EntryRows{});
  }
  m_model.setStale(true);
  m_found.ask(tr("Grouping equal entries"), m_document);
  showTitle();
}

void EntriesPanel::followRows() {
  const auto found = m_found.current();
  if (!found || m_ready) return showTitle();
  m_ready = true;
  m_model.setStale(false);
  takeRows(*found);
  emit released();
}

void EntriesPanel::takeRows(EntryRows rows) {
  if (!haveSameAmounts(rows.shown, m_shown)) m_tried.clear();
  m_shown = std::move(rows.shown);
  m_standFor = std::move(rows.standFor);
  showTitle();
  showRows();
  if (m_table->currentIndex().row() < 0 && m_model.rowCount() > 0) m_table->selectRow(0);
  showSelected();
}

void EntriesPanel::showTitle() {
  QString title = document() && !document()->name.empty() ? qs(document()->name) : tr("Workload");
  const std::size_t all = document() ? document()->collectives.size() : 0;
  if (!m_ready) {
    title += m_found.isRunning() ? tr(": preparing %1 …").arg(counted(std::int64_t(all), tr("entry"), tr("entries")))
                                 : tr(": stopped; undo, or open the workload again");
  } else if (m_shown.collectives.size() < all) {
    title += tr(": %1 as %L2")
                 .arg(counted(std::int64_t(all), tr("entry"), tr("entries")))
                 .arg(qulonglong(m_shown.collectives.size()));
  }
  m_title->setText(title);
}

Workload EntriesPanel::workload() const { return withTried(m_shown, m_tried); }

void EntriesPanel::setRanking(std::shared_ptr<const StepRanking> ranking, std::size_t placement) {
  m_model.setRanking(std::move(ranking), placement);
}

void EntriesPanel::showRows() {
  std::vector<bool> changed(m_shown.collectives.size(), false);
  for (const auto& [row, figures] : m_tried) {
    if (row < changed.size()) changed[row] = true;
  }
  m_model.setEntries(workload().collectives, std::move(changed));
  m_sliders->setAnyTried(!m_tried.empty());
}

void EntriesPanel::showSelected() {
  const int row = m_table->currentIndex().row();
  if (row < 0 || std::size_t(row) >= m_shown.collectives.size() || !document()) return m_sliders->clear();
  const WorkloadEntry& entry = m_shown.collectives[std::size_t(row)];
  const auto tried = m_tried.find(std::size_t(row));
  m_sliders->setEntry(std::size_t(row), entry, tried == m_tried.end() ? TriedEntry{} : tried->second,
                      std::size_t(m_standFor[std::size_t(row)]));
}

void EntriesPanel::noteTried() {
  const int row = m_table->currentIndex().row();
  if (row < 0) return;
  const TriedEntry now = m_sliders->tried();
  if (now == TriedEntry{}) {
    m_tried.erase(std::size_t(row));
  } else {
    m_tried[std::size_t(row)] = now;
  }
  showRows();
  emit this->tried();
}

void EntriesPanel::reset() {
  m_tried.clear();
  showRows();
  showSelected();
  emit tried();
}

void EntriesPanel::apply() {
  if (document() && m_ready) edit(tr("Change entries"), withApplied(*document(), m_shown, m_tried));
}

void EntriesPanel::edit(const QString& text, Workload workload, const QString& mergeKey) {
  Workspace next = *m_session.workspace();
  next.workload = std::move(workload);
  m_session.edit(text, std::move(next), mergeKey);
}

}  // namespace p2::views
