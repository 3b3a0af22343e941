// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/manual_panel.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>

#include "manual/manual.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::explorer {
namespace {

using views::Theme;

const QString kFolder = QStringLiteral("qrc:/p2/manual/");
const QString kPageEnd = QStringLiteral(".md");
const QString kWindowPage = QStringLiteral("window");

/// "Costs" for a title of the form "Costs: explanation".
QString shortTitle(const ManualPage& page) { return views::qs(page.title()).section(':', 0, 0).section(',', 0, 0); }

QToolButton* buttonOf(QAction* action, const QString& name) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setObjectName(name);
  button->setAutoRaise(true);
  button->setAccessibleName(action->text());
  return button;
}

}  // namespace

ManualBrowser::ManualBrowser(QWidget* parent) : QTextBrowser(parent) {
  setOpenExternalLinks(true);
  document()->setDocumentMargin(Theme::kGrid);
  constexpr int kFitAfter = 80;  // ms; scaling a page's pictures takes longer than a frame
  m_fit.setSingleShot(true);
  m_fit.setInterval(kFitAfter);
  connect(&m_fit, &QTimer::timeout, this, &ManualBrowser::fitPictures);
}

void ManualBrowser::open(const QString& page, const QString& heading) {
  if (page != this->page()) {
    m_pictures.clear();
    setSource(QUrl(kFolder + page + kPageEnd));
  }
  scrollTo(heading);
}

QString ManualBrowser::page() const { return QFileInfo(source().path()).completeBaseName(); }

QVariant ManualBrowser::loadResource(int type, const QUrl& url) {
  if (type == QTextDocument::ImageResource) {
    m_pictures.insert(url, QImage(QLatin1Char(':') + url.path()));
    return fitted(m_pictures[url]);
  }
  const QString path = url.toString();
  if (!path.startsWith(kFolder) || !path.endsWith(kPageEnd)) return QTextBrowser::loadResource(type, url);
  const ManualPage* page = manualPage(QFileInfo(url.path()).completeBaseName().toStdString());
  return page == nullptr ? QVariant() : QVariant(views::qs(page->markdown));
}

void ManualBrowser::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  m_fit.start();
}

QImage ManualBrowser::fitted(const QImage& picture) const {
  const double room = viewport()->width() - 2 * document()->documentMargin();
  const double scale = devicePixelRatioF();
  if (picture.isNull() || room < 1) return picture;
  QImage image = picture.scaledToWidth(std::min(qRound(room * scale), picture.width()), Qt::SmoothTransformation);
  image.setDevicePixelRatio(scale);
  return image;
}

void ManualBrowser::fitPictures() {
  for (auto picture = m_pictures.cbegin(); picture != m_pictures.cend(); ++picture) {
    document()->addResource(QTextDocument::ImageResource, picture.key(), fitted(picture.value()));
  }
  document()->markContentsDirty(0, document()->characterCount());
}

void ManualBrowser::scrollTo(const QString& heading) {
  verticalScrollBar()->setValue(0);
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() < 2 || block.text() != heading) continue;
    const QTextCursor cursor(block);
    setTextCursor(cursor);
    // Laid out to its end, or there is nowhere to scroll to yet.
    (void)document()->size();
    verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect(cursor).top() - Theme::kGrid);
    return;
  }
}

ManualPanel::ManualPanel(QWidget* parent) : QWidget(parent), m_browser(new ManualBrowser), m_pages(new QComboBox) {
  views::named(m_browser, "helpText", tr("Manual page"));
  views::named(m_pages, "helpPages", tr("Pages of the manual"), tr("Pages of the manual (p2 help prints them too)"));
  m_pages->addItem(tr("Help on this page"));
  for (const ManualPage& page : manualPages()) m_pages->addItem(shortTitle(page), views::qs(page.name));

  auto* top = new QHBoxLayout;
  top->setSpacing(Theme::kGrid / 2);
  QAction* back = addStep("back", tr("Back"), &QTextBrowser::backward);
  QAction* forward = addStep("forward", tr("Forward"), &QTextBrowser::forward);
  connect(m_browser, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
  connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);
  top->addWidget(buttonOf(back, "helpBack"));
  top->addWidget(buttonOf(forward, "helpForward"));
  top->addWidget(m_pages, 1);
  auto* column = views::bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  column->addLayout(top);
  column->addWidget(m_browser, 1);

  connect(m_pages, &QComboBox::activated, this, &ManualPanel::choosePage);
  connect(m_browser, &QTextBrowser::sourceChanged, this, &ManualPanel::followPage);
}

QAction* ManualPanel::addStep(const QString& icon, const QString& text, void (QTextBrowser::*step)()) {
  auto* action = new QAction(Theme::icon(icon), text, this);
  action->setEnabled(false);
  connect(action, &QAction::triggered, m_browser, step);
  return action;
}

QSize ManualPanel::sizeHint() const {
  constexpr int kColumns = 52;
  return {kColumns * fontMetrics().averageCharWidth(), QWidget::sizeHint().height()};
}

void ManualPanel::showPerspective(const QString& title) {
  m_perspective = title;
  // Its pictures take a while to be read.
  if (!isVisible()) return;
  m_browser->open(kWindowPage, title);
  m_pages->setCurrentIndex(0);
}

void ManualPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showPerspective(m_perspective);
}

void ManualPanel::choosePage(int row) {
  if (row == 0) return showPerspective(m_perspective);
  m_browser->open(m_pages->itemData(row).toString());
}

void ManualPanel::followPage() {
  const QString page = m_browser->page();
  // After a link or Back, show the place that it led to.
  m_pages->setCurrentIndex(page == kWindowPage ? 0 : m_pages->findData(page));
}

}  // namespace p2::explorer
