// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshots/screenshots.h"

#include <QAbstractButton>
#include <QAction>
#include <QBuffer>
#include <QCheckBox>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPixmap>
#include <QProcess>
#include <QSlider>
#include <QTimer>
#include <chrono>
#include <utility>

#include "app/explorer/screenshots.h"
#include "text/text_file.h"
#include "views/common/text.h"
#include "views/shell/appearance.h"
#include "views/shell/document_controller.h"
#include "views/shell/examples.h"
#include "views/shell/perspective.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/session.h"
#include "views/start/example_gallery.h"

namespace p2::explorer {

using views::Theme;

namespace {

constexpr int kPlotRounds = 4;
constexpr std::chrono::seconds kPatience{30};
constexpr QSize kPresented{1280, 720};
constexpr std::int64_t kMicrobatches = 8;
/// Examples with pictures of their own views only: the best strategy on so large a system takes too long.
const QStringList kLarge{QStringLiteral("a100-64x16"), QStringLiteral("gb200-nvl72-2"), QStringLiteral("tpu-v4-4x16"),
                         QStringLiteral("paper-a100-4x16-ring"), QStringLiteral("paper-a100-4x16-tree")};

}  // namespace

Screenshots::Screenshots(MainWindow& window, views::Session& session, views::DocumentController& documents,
                         views::Appearance& appearance, QString folder, QString file, QObject* parent)
    : QObject(parent),
      m_window(window),
      m_session(session),
      m_documents(documents),
      m_appearance(appearance),
      m_folder(std::move(folder)),
      m_file(std::move(file)) {
  addExamples();
  // Every change may be the last one that a picture waits for; whether it was is asked once the events it caused are
  // done with.
  connect(&session.jobs(), &views::JobQueue::changed, this, &Screenshots::takeWhenSettled);
  connect(&session, &views::Session::freshnessChanged, this, &Screenshots::takeWhenSettled);
  m_gallery = m_window.findChild<views::ExampleGallery*>();
  connect(m_gallery, &views::ExampleGallery::completed, this, &Screenshots::takeWhenSettled);
  m_patience.setInterval(kPatience);
  connect(&m_patience, &QTimer::timeout, &session.jobs(), &views::JobQueue::cancelAll);
  connect(&documents, &views::DocumentController::lessonOpened, this, [this] { m_isLesson = true; });
  if (!m_file.isEmpty()) m_patience.start();
}

void Screenshots::addExamples() {
  const bool scaled = m_window.devicePixelRatio() > 1;
  if (!m_file.isEmpty()) {
    for (const Theme::Scheme scheme : {Theme::Scheme::Light, Theme::Scheme::Dark}) {
      if (!scaled || scheme == Theme::Scheme::Light) addShots(m_file, scheme, Which::All);
    }
    return;
  }
  for (const views::Example& example : views::examples()) {
    // At twice the size: all views of the first example, and of the others only their own.
    const Which which = (scaled && !m_shots.empty()) || kLarge.contains(example.name) ? Which::Named : Which::All;
    for (const Theme::Scheme scheme : {Theme::Scheme::Light, Theme::Scheme::Dark}) {
      if (scaled && scheme == Theme::Scheme::Dark) continue;
      addShots(example.name, scheme, which);
    }
  }
}

void Screenshots::addShots(const QString& example, Theme::Scheme scheme, Which which) {
  for (int page = 0; page < m_window.perspectives().pageCount(); ++page) {
    const QString id = m_window.perspectives().faceOf(page).id;
    // The start page looks the same for every example.
    if (id == views::kStartPage && m_file.isEmpty() && example != views::examples().front().name) continue;
    const std::size_t before = m_shots.size();
    for (std::size_t view = 0; view < moreViews().size(); ++view) {
      const View& each = moreViews()[view];
      if (each.page == id && (each.example == example || (each.example.isEmpty() && which == Which::All))) {
        m_shots.push_back({example, scheme, page, view});
      }
    }
    if (m_shots.size() == before && which == Which::All) m_shots.push_back({example, scheme, page, moreViews().size()});
  }
}

/// The document does not change, so the other pages show nothing of the file.
void Screenshots::addLesson() {
  std::vector<Shot> shots;
  for (const Shot& shot : m_shots) {
    const bool another = shots.empty() || shots.back().scheme != shot.scheme;
    if (another) shots.push_back({m_file, shot.scheme, m_window.perspectives().currentPage(), moreViews().size()});
  }
  m_shots = std::move(shots);
}

void Screenshots::start() {
  if (!QDir().mkpath(m_folder)) {
    return fail(tr("%1: the folder cannot be created; name one that can be written to").arg(m_folder));
  }
  if (m_file.isEmpty()) return next();
  m_opening = true;
  m_waiting = true;
  takeWhenSettled();
}

void Screenshots::fail(const QString& sentence) {
  m_waiting = false;
  emit finished(sentence);
}

void Screenshots::next() {
  if (m_at == m_shots.size()) {
    emit finished({});
    return;
  }
  const Shot& shot = m_shots[m_at];
  if (shot.example != m_shownExample) {
    // Edits made for a picture need no confirmation.
    m_session.undoStack().setIndex(m_session.undoStack().cleanIndex());
    m_file.isEmpty() ? m_documents.openExample(shot.example) : m_documents.openFile(m_file);
  }
  m_shownExample = shot.example;
  // Changing it restyles all widgets, which takes longer than a picture.
  if (shot.scheme != m_shownScheme) m_appearance.setScheme(shot.scheme);
  m_shownScheme = shot.scheme;
  m_window.perspectives().showPage(shot.page);
  m_waiting = true;
  m_led = false;
  takeWhenSettled();
}

template <class T>
T* Screenshots::part(const QObject& of, const QString& name) {
  T* found = of.findChild<T*>(name);
  if (found == nullptr) fail(tr("%1: the window has no %2 to show it with").arg(nameOf(m_shots[m_at]), name));
  return found;
}

bool Screenshots::lead(const View& view) {
  const QWidget& page = *m_window.perspectives().current();
  if (!view.action.isEmpty()) {
    auto* action = part<QAction>(m_window, view.action);
    if (action == nullptr) return false;
    action->trigger();
  }
  if (!view.graph.isEmpty()) findStrategy(view);
  if (!view.program.isEmpty() && !typeProgram(view.program)) return false;
  if (!view.button.isEmpty()) {
    auto* button = part<QAbstractButton>(page, view.button);
    if (button == nullptr) return false;
    button->click();
  }
  if (view.keysTo.isEmpty()) return true;
  auto* widget = part<QWidget>(page, view.keysTo);
  if (widget == nullptr) return false;
  widget->setFocus(Qt::TabFocusReason);
  for (const int key : view.keys) {
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &press);
  }
  return true;
}

void Screenshots::findStrategy(const View& view) {
  Workspace next = *m_session.workspace();
  next.strategy.graph = view.graph.toStdString();
  next.strategy.options.model = StrategyCostModel::Hierarchical;
  next.strategy.stages = view.stages;
  if (view.stages > 0) next.strategy.options.microbatches = kMicrobatches;
  m_session.edit(tr("Choose graph %1").arg(view.graph), std::move(next));
  // The choice stays until another document is opened.
  m_shownExample.clear();
}

bool Screenshots::typeProgram(const QString& program) {
  auto* edit = part<QLineEdit>(m_window, QStringLiteral("programEdit"));
  if (edit == nullptr) return false;
  edit->selectAll();
  edit->insert(program);
  emit edit->textEdited(program);
  // The typed program stays until another document is opened.
  m_shownExample.clear();
  return true;
}

void Screenshots::takeWhenSettled() {
  QTimer::singleShot(0, this, [this] {
    if (!m_waiting || !settled()) return;
    if (const QString trouble = m_documents.trouble(); !trouble.isEmpty()) return fail(trouble);
    if (std::exchange(m_opening, false)) {
      if (m_isLesson) addLesson();
      m_shownExample = m_file;
      return next();
    }
    // A part that opened meanwhile may have brought its own page.
    views::PerspectiveStack& pages = m_window.perspectives();
    if (const int page = m_shots[m_at].page; pages.currentPage() != page) {
      pages.showPage(page);
      return takeWhenSettled();
    }
    // Keys and clicks act on the finished example.
    const std::size_t view = m_shots[m_at].view;
    if (m_led || view >= moreViews().size()) return take();
    m_led = true;
    if (lead(moreViews()[view])) takeWhenSettled();
  });
}

bool Screenshots::settled() const {
  if (m_gallery->isVisible() && !m_gallery->isComplete()) return false;
  return m_session.jobs().running().empty() && (m_session.isCurrent() || m_session.problem());
}

void Screenshots::take() {
  m_waiting = false;
  const Shot& shot = m_shots[m_at];
  const View view = shot.view < moreViews().size() ? moreViews()[shot.view] : View{};
  QWidget& page = *m_window.perspectives().current();
  if (auto* animate = page.findChild<QCheckBox*>("animate")) animate->setChecked(true);
  // A program shows more after its first step than before it.
  auto* scrubber = page.findChild<QSlider*>("scrubber");
  if (scrubber && view.program.isEmpty()) scrubber->setValue(qRound(view.steps * scrubber->pageStep()));
  // Let widgets that have grown get their room first.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  // Plots draw themselves when the events before are done with, and once more when their labels took another room.
  for (int round = 0; round < kPlotRounds; ++round) {
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
  }
  auto* dialog = view.dialog.isEmpty() ? nullptr : part<QWidget>(m_window, view.dialog);
  if (!view.dialog.isEmpty() && dialog == nullptr) return;
  // Offscreen screens are of no size that people have.
  if (dialog && dialog->isFullScreen()) {
    dialog->showNormal();
    dialog->resize(kPresented);
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
  }
  const QPixmap picture = dialog ? dialog->grab() : m_window.grab();
  if (dialog) dialog->close();
  if (!view.keysTo.isEmpty()) page.setFocus();
  auto* pressed = view.button.isEmpty() ? nullptr : page.findChild<QAbstractButton*>(view.button);
  if (pressed && pressed->isChecked()) pressed->click();
  auto* switched = view.action.isEmpty() ? nullptr : m_window.findChild<QAction*>(view.action);
  if (switched && switched->isCheckable() && switched->isChecked()) switched->trigger();
  const double ratio = picture.devicePixelRatio();
  const QString suffix = ratio > 1 ? QStringLiteral("-%1x").arg(ratio) : QString();
  const QString path = QDir(m_folder).filePath(nameOf(shot) + suffix + QStringLiteral(".png"));
  QBuffer made;
  made.open(QIODevice::WriteOnly);
  picture.save(&made, "PNG");
  // A disk that is full must not leave half a picture.
  if (const auto written = writeTextFile(path.toStdString(), made.data().toStdString()); !written.ok()) {
    return fail(views::qs(written.error().text()));
  }
  ++m_at;
  QTimer::singleShot(0, this, &Screenshots::next);
}

QString Screenshots::nameOf(const Shot& shot) const {
  const QString of = m_file.isEmpty() ? shot.example : QFileInfo(m_file).fileName().section('.', 0, 0);
  QStringList parts{of, m_window.perspectives().faceOf(shot.page).id};
  if (shot.view < moreViews().size() && !moreViews()[shot.view].name.isEmpty()) parts << moreViews()[shot.view].name;
  parts << (shot.scheme == Theme::Scheme::Dark ? "dark" : "light");
  return parts.join('-');
}

namespace {

/// The scale of a screen is fixed when a program starts: the pictures at twice the size take another one.
int runScaled(const ScreenshotRequest& request) {
  QProcess scaled;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_SCALE_FACTOR", "2");
  scaled.setProcessEnvironment(environment);
  scaled.setProcessChannelMode(QProcess::ForwardedChannels);
  QStringList arguments{"--screenshots", request.folder, "--size",
                        QStringLiteral("%1x%2").arg(request.size.width()).arg(request.size.height())};
  if (!request.font.isEmpty()) arguments << "--font" << request.font;
  if (!request.file.isEmpty()) arguments << request.file;
  scaled.start(QCoreApplication::applicationFilePath(), arguments);
  return scaled.waitForFinished(-1) && scaled.exitStatus() == QProcess::NormalExit ? scaled.exitCode() : 1;
}

}  // namespace

int runScreenshots(MainWindow& window, const MainWindow::Parts& parts, const ScreenshotRequest& request,
                   QString& trouble) {
  constexpr int kTrouble = 2;
  window.resize(request.size);
  Screenshots pictures(window, parts.session, parts.documents, parts.appearance, request.folder, request.file);
  QObject::connect(&pictures, &Screenshots::finished, qApp, [&trouble](const QString& sentence) {
    trouble = sentence;
    QCoreApplication::exit(sentence.isEmpty() ? 0 : kTrouble);
  });
  QMetaObject::invokeMethod(&pictures, &Screenshots::start, Qt::QueuedConnection);
  const int status = QCoreApplication::exec();
  return status != 0 || window.devicePixelRatio() > 1 ? status : runScaled(request);
}

}  // namespace p2::explorer
