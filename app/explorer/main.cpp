// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEvent>
#include <QFontDatabase>
#include <QFontInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/explorer/main_window.h"
#include "app/explorer/screenshots.h"
#include "base/memory_reserve.h"
#include "base/terminal_text.h"
#include "base/write_signals.h"
#include "views/shell/appearance.h"
#include "views/shell/document_controller.h"
#include "views/shell/session.h"

namespace p2::explorer {
namespace {

class PaintWatch : public QObject {
 public:
  PaintWatch(QWidget& window, std::function<void()> then) : QObject(&window), m_then(std::move(then)) {
    window.installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    // The children are painted before control returns to the event loop.
    if (event->type() == QEvent::Paint && m_then) QTimer::singleShot(0, watched, std::exchange(m_then, {}));
    return false;
  }

 private:
  std::function<void()> m_then;
};

/// Calls `then` once, after the window's first picture has been painted.
void onFirstPaint(QWidget& window, std::function<void()> then) { new PaintWatch(window, std::move(then)); }

constexpr int kBadInput = 2;
constexpr QSize kScreenshotSize{1440, 900};

struct Request {
  QString file;
  QString screenshots;
  QSize size = kScreenshotSize;
  QString font;
  bool benchStart = false;
};

bool canOpenWindows() {
  for (const char* variable : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
    if (!qEnvironmentVariableIsEmpty(variable)) return true;
  }
  return false;
}

int complain(const QString& sentence) {
  std::fprintf(stderr, "p2-explorer: %s\n", terminalText(sentence.toStdString()).c_str());
  return kBadInput;
}

int tell(const QString& text) {
  std::fputs(qPrintable(text), stdout);
  return std::fflush(stdout) == 0 ? 0 : complain(QStringLiteral("this cannot be written: ") + std::strerror(errno));
}

/// Reads the arguments. Returns the exit status where no window is to be shown.
std::optional<int> understand(const QStringList& arguments, Request& request) {
  QCommandLineParser parser;
  parser.setApplicationDescription(
      "Explores how parallelism axes are placed on a hierarchical system, and how to reduce over them.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(
      "FILE", "A document to open, or any file that can be dropped on the window, such as a config.json.", "[FILE]");
  const QCommandLineOption screenshots(
      "screenshots", "Write pictures of every page of FILE, or of the examples, to DIR and exit.", "DIR");
  const QCommandLineOption size("size", "The size of the window in these pictures (1440x900).", "WxH");
  const QCommandLineOption font("font", "The font in these pictures, as in \"Noto Sans,13\" (the desktop's).",
                                "FAMILY[,POINTS]");
  QCommandLineOption benchStart("bench-start", "Print the milliseconds to the first painted window and exit.");
  benchStart.setFlags(QCommandLineOption::HiddenFromHelp);
  parser.addOptions({screenshots, size, font, benchStart});
  if (!parser.parse(arguments)) return complain(parser.errorText() + " See p2-explorer --help.");
  if (parser.isSet("help")) {
    return tell(parser.helpText());
  }
  if (parser.isSet("version")) {
    return tell(QStringLiteral("p2-explorer %1\n%2").arg(QCoreApplication::applicationVersion(), P2_BUILD));
  }
  if (parser.positionalArguments().size() > 1) {
    return complain("more than one file is named; open one, as in p2-explorer plan.json");
  }
  request.file = parser.positionalArguments().value(0);
  // As an unset variable in quotes.
  if (request.file.isEmpty() && !parser.positionalArguments().isEmpty()) {
    return complain("the name of the file to open is empty; name one, or none for the last document");
  }
  if (parser.isSet(screenshots) && parser.value(screenshots).isEmpty()) {
    return complain("--screenshots: the name of the folder is empty; name one");
  }
  request.screenshots = parser.value(screenshots);
  request.benchStart = parser.isSet(benchStart);
  request.font = parser.value(font);
  if (parser.isSet(size)) {
    static const QRegularExpression kSize(QStringLiteral("^([1-9]\\d{2,3})x([1-9]\\d{2,3})$"));
    const auto match = kSize.match(parser.value(size));
    if (!match.hasMatch())
      return complain("--size: \"" + parser.value(size) + "\" is not a size; write, for example, 1024x700");
    request.size = {match.captured(1).toInt(), match.captured(2).toInt()};
  }
  return std::nullopt;
}

/// Settings and recovered files: the user's, or for pictures and measurements temporary ones.
struct Storage {
  explicit Storage(bool ownOnly) {
    if (ownOnly) {
      temporary = std::make_unique<QTemporaryDir>();
      for (const char* home : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"}) qputenv(home, temporary->path().toUtf8());
      settings = std::make_unique<QSettings>(temporary->filePath("settings.ini"), QSettings::IniFormat);
      recoveryFolder = temporary->filePath("recovery");
    } else {
      settings = std::make_unique<QSettings>();
      recoveryFolder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery";
    }
  }
  std::unique_ptr<QTemporaryDir> temporary;
  std::unique_ptr<QSettings> settings;
  QString recoveryFolder;
};

/// Gives the program the font of --font.
std::optional<int> applyFont(const QString& asked) {
  if (asked.isEmpty()) return std::nullopt;
  const QString family = asked.section(',', 0, 0).trimmed();
  if (!QFontDatabase::families().contains(family)) {
    return complain("--font: no font \"" + family + "\" is installed; name another, as in \"DejaVu Sans,10\"");
  }
  QFont font(family);
  font.setPointSizeF(QFontInfo(QApplication::font()).pointSizeF());
  if (asked.contains(',')) {
    bool known = false;
    const double points = asked.section(',', 1).toDouble(&known);
    constexpr double kLeastPoints = 6;
    constexpr double kMostPoints = 40;
    if (!known || !(points >= kLeastPoints && points <= kMostPoints)) {
      return complain("--font: \"" + asked.section(',', 1) + "\" is not a size of text; write 6 to 40 points");
    }
    font.setPointSizeF(points);
  }
  QApplication::setFont(font);
  return std::nullopt;
}

int takeScreenshots(MainWindow& window, const MainWindow::Parts& parts, const Request& request) {
  QString trouble;
  const int status =
      runScreenshots(window, parts, {request.screenshots, request.file, request.size, request.font}, trouble);
  return trouble.isEmpty() ? status : complain(trouble);
}

int run(const Request& request, const QElapsedTimer& sinceStart) {
  QApplication::setStyle("Fusion");
  QApplication::setWindowIcon(QIcon(":/p2/icons/p2-explorer.svg"));
  Storage storage(!request.screenshots.isEmpty() || request.benchStart);
  views::Appearance appearance(*storage.settings);
  if (const auto status = applyFont(request.font)) return *status;
  views::Session session;
  views::WidgetDocumentDialogs dialogs;
  views::DocumentController documents(session, dialogs, {*storage.settings, storage.recoveryFolder});
  const bool takesPictures = !request.screenshots.isEmpty();
  documents.start(takesPictures ? request.file : QString(), request.file.isEmpty());
  const MainWindow::Parts parts{session, documents, appearance, *storage.settings};
  MainWindow window(parts);
  window.show();
  if (takesPictures) return takeScreenshots(window, parts, request);
  if (!request.file.isEmpty()) window.open(request.file);
  if (request.benchStart) {
    onFirstPaint(window, [&sinceStart] {
      std::printf("%lld ms\n", static_cast<long long>(sinceStart.elapsed()));
      QCoreApplication::quit();
    });
  }
  return QApplication::exec();
}

}  // namespace
}  // namespace p2::explorer

int main(int argc, char** argv) {
  using namespace p2::explorer;
  QElapsedTimer sinceStart;
  sinceStart.start();
  p2::ignoreWriteSignals();
  p2::keepMemoryReserve();
  QCoreApplication::setOrganizationName("p2");
  QCoreApplication::setApplicationName("p2-explorer");
  QCoreApplication::setApplicationVersion(P2_VERSION);
  Request request;
  if (!canOpenWindows()) {
    const QCoreApplication app(argc, argv);
    if (const auto status = understand(QCoreApplication::arguments(), request)) return *status;
    return complain("there is no display; set DISPLAY or WAYLAND_DISPLAY, or use the command line program p2");
  }
  const QApplication app(argc, argv);
  // Files and libraries write numbers with a point in every locale, and so does every field.
  std::setlocale(LC_NUMERIC, "C");
  QLocale::setDefault(QLocale::c());
  if (const auto status = understand(QCoreApplication::arguments(), request)) return *status;
  return run(request, sinceStart);
}
