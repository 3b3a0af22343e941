// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/help.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace p2::explorer {
namespace {

void showText(const QString& objectName, const QString& title, const QString& html, QWidget* window) {
  auto* dialog = new QDialog(window);
  dialog->setObjectName(objectName);
  dialog->setWindowTitle(title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* text = new QTextBrowser;
  text->setObjectName(objectName + "Text");
  text->setAccessibleName(title);
  text->setOpenExternalLinks(true);
  text->setHtml(html);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(text);
  layout->addWidget(buttons);
  const QFontMetrics metrics = dialog->fontMetrics();
  dialog->resize(metrics.averageCharWidth() * 72, metrics.lineSpacing() * 28);
  dialog->show();
}

QString shortcutRow(const QString& what, const QString& keys) {
  return QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;&nbsp;</td><td><b>%2</b></td></tr>")
      .arg(what.toHtmlEscaped(), keys.toHtmlEscaped());
}

QString shortcutSection(const QString& title, const QString& rows) {
  return "<h3>" + title + "</h3><table cellspacing=2>" + rows + "</table>";
}

/// Keys that are in no menu because they belong to the focused drawing (Navigation).
QString drawingRows() {
  return shortcutRow(QObject::tr("Zoom in and out"), QObject::tr("+ and −, or the wheel")) +
         shortcutRow(QObject::tr("Show everything"), QStringLiteral("0")) +
         shortcutRow(QObject::tr("Pan"), QObject::tr("Shift and the arrow keys"));
}

/// Keys of the full screen, which has no menu (PresentWindow).
QString presentingRows() {
  return shortcutRow(QObject::tr("Next and previous step"), QObject::tr("Right, Page Down, Space; Left, Page Up")) +
         shortcutRow(QObject::tr("Play"), QStringLiteral("P")) +
         shortcutRow(QObject::tr("Pointer ring, legend"), QStringLiteral("R, L")) +
         shortcutRow(QObject::tr("Leave"), QObject::tr("Esc or F11"));
}

QString shortcutRows(const QMenu& menu) {
  QString rows;
  for (const QAction* action : menu.actions()) {
    if (action->menu()) rows += shortcutRows(*action->menu());
    if (action->shortcut().isEmpty()) continue;
    rows += shortcutRow(action->text().remove('&'), action->shortcut().toString(QKeySequence::NativeText));
  }
  return rows;
}

}  // namespace

void showShortcuts(const QMenuBar& menus, QWidget* window) {
  QString html;
  for (const QAction* action : menus.actions()) {
    if (!action->menu()) continue;
    const QString rows = shortcutRows(*action->menu());
    if (!rows.isEmpty()) html += shortcutSection(action->text().remove('&'), rows);
  }
  html += shortcutSection(QObject::tr("In drawings (system, placement, program, strategy)"), drawingRows());
  html += shortcutSection(QObject::tr("While presenting"), presentingRows());
  showText("shortcutsDialog", QObject::tr("Keyboard shortcuts"), html, window);
}

void showAbout(QWidget* window) {
  const QString html =
      QObject::tr(
          "<h2>P² Explorer %1</h2>"
          "<p>Placements of parallelism axes on hierarchical systems, and reduction programs synthesized for them, "
          "after "
          "<i>Synthesizing Optimal Parallelism Placement and Reduction Strategies on Hierarchical Systems for Deep "
          "Learning</i> by Ningning Xie, Tamara Norman, Dominik Grewe and Dimitrios Vytiniotis "
          "(<a href=\"https://arxiv.org/abs/2110.10548\">arXiv 2110.10548</a>).</p>"
          "<p>Strategies of computation graphs are found exactly by variable elimination, on the problem of Elango, "
          "<i>PaSE: Parallelization Strategies for Efficient DNN Training</i>, IPDPS 2021.</p>"
          "<p>Predicted times come from an analytic model of links and their bandwidths; measured ones say where they "
          "were "
          "measured.</p>"
          "<h3>Licences</h3>"
          "<p>P² Explorer is free software under the GNU General Public License, version 3 or later. It comes without "
          "any "
          "warranty. It uses</p>"
          "<ul><li>Qt %2: GNU Lesser General Public License, version 3</li>"
          "<li>QCustomPlot: GNU General Public License, version 3 or later</li>"
          "<li>hwloc, Open MPI: BSD licences</li>"
          "<li>Protocol Buffers: BSD licence</li>"
          "<li>ONNX, simdjson: Apache License, version 2</li>"
          "<li>giflib, JSON for Modern C++, pugixml, yaml-cpp: MIT licence</li>"
          "<li>zlib: zlib licence</li>"
          "<li>SQLite: public domain</li></ul>"
          "<p>Graphs are laid out by dot of Graphviz (Eclipse Public License, version 1), which runs as a program of "
          "its own.</p>"
          "<p>Colours of categories: Okabe and Ito, 2008. Colours of loads: cividis, Nuñez, Anderton and Renslow, "
          "2018.</p>")
          .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()));
  showText("aboutDialog", QObject::tr("About P² Explorer"), html, window);
}

}  // namespace p2::explorer
