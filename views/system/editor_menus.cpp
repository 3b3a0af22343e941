// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of the editor with their keys, and menus.
#include <QAction>
#include <QMenu>

#include "views/common/inline_message.h"
#include "views/common/plot_export.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/drawing_export.h"
#include "views/system/interconnect_kinds.h"
#include "views/system/part_inspector.h"
#include "views/system/system_canvas.h"
#include "views/system/system_editor.h"
#include "views/system/system_edits.h"

namespace p2::views {

QAction* SystemEditor::addAction(const QString& name, const QString& text, const QString& tip, const QKeySequence& key,
                                 std::function<void()> run) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, std::move(run));
  m_canvas->addAction(action);
  m_actions.append(action);
  return action;
}

void SystemEditor::makeEditActions() {
  addAction("systemNew", tr("&New system"), tr("Start with an empty canvas"), {},
            [this] { edit(tr("New system"), System()); });
  addAction("systemInsert", tr("&Add…"), tr("Add a level or an interconnect at the selection"), Qt::Key_Insert, [this] {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("insertMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillAddMenu(*menu);
    menu->popup(m_canvas->mapToGlobal(QPoint(Theme::kGrid, Theme::kGrid)));
  });
  addAction("systemRename", tr("&Edit"), tr("Edit the selected part"), Qt::Key_F2,
            [this] { m_inspector->focusName(); });
  addAction("systemRemove", tr("&Remove"), tr("Remove the selected levels and interconnects"), Qt::Key_Delete,
            [this] { removeSelected(); });
  addAction("systemToggle", tr("&Failed / disabled"),
            tr("Mark the selected instances and links as failed, or working again"), Qt::CTRL | Qt::Key_D,
            [this] { toggleSelected(); });
  addAction("systemOutwards", tr("Move level o&utwards"), tr("Move the selected level outwards"), Qt::ALT | Qt::Key_Up,
            [this] { moveSelected(-1); });
  addAction("systemInwards", tr("Move level &inwards"), tr("Move the selected level inwards"), Qt::ALT | Qt::Key_Down,
            [this] { moveSelected(1); });
  addAction("systemCut", tr("Cu&t"), tr("Cut the selected part"), QKeySequence(QKeySequence::Cut), [this] {
    copySelected();
    removeSelected();
  });
  addAction("systemCopy", tr("&Copy"), tr("Copy the selected part as a system file"), QKeySequence(QKeySequence::Copy),
            [this] { copySelected(); });
  addAction("systemPaste", tr("&Paste"), tr("Add the levels and networks of a copied system"),
            QKeySequence(QKeySequence::Paste), [this] { paste(); });
  addAction("systemSelectAll", tr("&Select all"), tr("Select everything that is drawn"),
            QKeySequence(QKeySequence::SelectAll), [this] {
              for (QGraphicsItem* item : m_canvas->drawn().items()) item->setSelected(true);
            });
}

void SystemEditor::makeViewActions() {
  const auto zoom = [this](const QString& name, const QString& icon, const QString& text, const QKeySequence& key,
                           void (SystemCanvas::*slot)()) {
    auto* action = new QAction(Theme::icon(icon), text, this);
    action->setObjectName(name);
    // The drawing takes these keys itself while it has the focus; elsewhere they zoom the window's text.
    action->setToolTip(QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, m_canvas, slot);
    m_zoomActions.append(action);
  };
  zoom("systemZoomOut", "zoom-out", tr("Zoom out"), Qt::CTRL | Qt::Key_Minus, &SystemCanvas::zoomOut);
  zoom("systemZoomIn", "zoom-in", tr("Zoom in"), Qt::CTRL | Qt::Key_Plus, &SystemCanvas::zoomIn);
  zoom("systemFit", "zoom-fit", tr("Fit"), Qt::CTRL | Qt::Key_0, &SystemCanvas::fit);
  QAction* save = addAction("systemExport", tr("E&xport drawing…"), tr("Write the drawing as PNG, SVG, PDF or text"),
                            {}, [this] { exportDrawing(); });
  save->setIcon(Theme::icon("export"));
  addAction("drawing-figure", tr("&Figure for print…"),
            tr("Write the drawing as a figure for print, 85 or 180 mm wide, with text of 7 to 9 pt"), {},
            [this] { exportFigure(); });
  m_actions += m_zoomActions;
  m_zoomActions.append(save);
}

void SystemEditor::fillAddMenu(QMenu& menu) {
  const auto entry = [&](const QString& name, const QString& text, std::optional<InterconnectKind> kind) {
    QAction* action = menu.addAction(text, this, [this, kind] { add(kind, chosen()); });
    action->setObjectName(name);
  };
  entry("addLevel", tr("&Level"), std::nullopt);
  for (const InterconnectKind kind : joiningKinds()) {
    QString name = qs(nameOf(kind));
    name[0] = name[0].toUpper();
    entry("add" + name, '&' + name, kind);
  }
}

void SystemEditor::fillConnectMenu(QMenu& menu) {
  const std::vector<SystemPart> parts = chosen();
  const bool network = !parts.empty() && parts.back().kind == SystemPart::Kind::Network;
  menu.setEnabled(network);
  if (!network) return;
  const int own = parts.back().index;
  const System& system = m_session.workspace()->system;
  const auto entry = [&](const SystemPart& part) {
    menu.addAction(partName(system, part), this,
                   [this, own, part] { edit(tr("Connect"), withMember(m_session.workspace()->system, own, part)); });
  };
  for (int i = 0; i < int(system.levels.size()); ++i) entry({SystemPart::Kind::Level, i});
  for (int i = 0; i < int(system.networks.size()); ++i) {
    if (i != own) entry({SystemPart::Kind::Network, i});
  }
}

void SystemEditor::showMenu(QPoint global) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("systemMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  fillAddMenu(*menu->addMenu(tr("&Add")));
  fillConnectMenu(*menu->addMenu(tr("Co&nnect to")));
  menu->addSeparator();
  for (const QAction* action : m_actions) {
    if (action->objectName() != QStringLiteral("systemInsert")) menu->addAction(const_cast<QAction*>(action));
  }
  menu->popup(global);
}

void SystemEditor::exportFigure() {
  const auto figure = [this](const FigureStyle& style) {
    const SystemScene& scene = m_canvas->drawn();
    return drawingFigure(scene.system(), scene.opened(), scene.loads(), style);
  };
  askForFigure(this, QStringLiteral("drawing"), QStringLiteral("system"), figure,
               [this](const QString& path, const Result<void>& written) {
                 if (written.ok()) return m_refusal->sayBriefly(InlineMessage::Kind::Note, tr("Written: %1").arg(path));
                 m_refusal->showProblem(qs(written.error().text()));
               });
}

void SystemEditor::exportDrawing() {
  const SaveWish wish{QStringLiteral("drawingDialog"), tr("Export the drawing"), drawingFilters(),
                      QStringLiteral("system")};
  askWhereToSave(this, wish, [this](const QString& path) {
    const SystemScene& scene = m_canvas->drawn();
    const auto written = writeDrawing({scene.system(), scene.drawing(), scene.loads()}, path);
    m_refusal->showProblem(written.ok() ? QString() : qs(written.error().text()));
  });
}

}  // namespace p2::views
