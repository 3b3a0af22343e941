// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_list.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/taken_workload.h"

namespace p2::views {
namespace {

constexpr int kListLines = 2;

}  // namespace

WorkloadList::WorkloadList(Session& session, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_name(name),
      m_message(new InlineMessage),
      m_finding(new QLabel),
      m_list(new QTableView),
      m_reported(new QTextBrowser) {
  m_message->setObjectName(name + QStringLiteral("Message"));
  m_finding->setObjectName(name + QStringLiteral("Finding"));
  m_finding->setWordWrap(true);
  m_list->setModel(&m_entries);
  TableSetup setup;
  setup.name = name + QStringLiteral("Entries");
  setup.accessible = tr("Communication of a step");
  setup.linesPerRow = kListLines;
  setup.stretched = ModelFormEntries::Formula;
  setup.fitted = true;
  setUpTable(*m_list, setup);
  m_reported->setObjectName(name + QStringLiteral("Told"));
  m_reported->setAccessibleName(tr("Facts understood, assumed and ignored"));
  m_reported->document()->setDocumentMargin(Theme::kGrid);
  QVBoxLayout* layout = panelLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(m_message);
  layout->addWidget(m_finding);
  layout->addWidget(m_list, 3);
  layout->addWidget(m_reported, 2);
}

QString WorkloadList::takeText() { return tr("&Use this workload"); }
QString WorkloadList::takeToolTip() { return tr("Replace the document's workload and axes; Undo restores them"); }

QDialogButtonBox* WorkloadList::makeButtons(QDialog& dialog) {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_take = buttons->addButton(takeText(), QDialogButtonBox::AcceptRole);
  m_take->setObjectName(m_name + QStringLiteral("Accept"));
  m_take->setToolTip(takeToolTip());
  m_take->setDefault(true);
  buttons->button(QDialogButtonBox::Cancel)->setObjectName(m_name + QStringLiteral("Cancel"));
  connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  return buttons;
}

void WorkloadList::present(const WorkloadSource& source, const WorkloadNotes& reported) {
  m_entries.setEntries(source.workload.collectives);
  m_finding->setText(bytesByAxes(source.workload));
  m_reported->setHtml(htmlOf(reported));
  const auto fits = checkWorkspace(withWorkload(*m_session.workspace(), source.workload));
  m_take->setEnabled(fits.ok());
  if (!fits.ok()) m_message->showProblem(qs(fits.error().text()));
}

void WorkloadList::clear() {
  m_entries.setEntries({});
  m_finding->clear();
  m_reported->clear();
}

void WorkloadList::takeOver(const WorkloadSource& source, const QString& unnamed) {
  const QString name = qs(source.workload.name);
  m_session.edit(name.isEmpty() ? unnamed : tr("Workload of %1").arg(name),
                 withWorkload(*m_session.workspace(), source.workload));
}

}  // namespace p2::views
