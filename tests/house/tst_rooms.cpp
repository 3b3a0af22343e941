// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <map>
#include <set>

namespace {

struct Room {
  QStringList uses;       ///< rooms named by its p2_room()
  QStringList libraries;  ///< foreign libraries named there
};

using Rooms = std::map<QString, Room>;

/// What p2_room() wrote down: "core/plan|core/explore|json" a line.
Rooms roomsFrom(const QString& text) {
  Rooms rooms;
  for (const QString& line : text.split('\n', Qt::SkipEmptyParts)) {
    const QStringList parts = line.split('|');
    rooms[parts[0]] = {parts.value(1).split(' ', Qt::SkipEmptyParts), parts.value(2).split(' ', Qt::SkipEmptyParts)};
  }
  return rooms;
}

/// The room and all that it may include: what it uses, and what those use.
std::set<QString> reachOf(const Rooms& rooms, const QString& room) {
  std::set<QString> reach;
  QStringList left{room};
  while (!left.isEmpty()) {
    const QString next = left.takeLast();
    if (reach.insert(next).second && rooms.count(next) > 0) left += rooms.at(next).uses;
  }
  return reach;
}

/// The innermost room that a file lies in; empty outside of all.
QString roomOf(const Rooms& rooms, const QString& file) {
  QString found;
  for (const auto& [name, room] : rooms) {
    if (file.startsWith(name + '/') && name.size() > found.size()) found = name;
  }
  return found;
}

/// Libraries that stay in the rooms that name them, by how their headers begin.
const std::map<QString, QString> kLibraries{
    {"nlohmann/", "json"},       {"simdjson", "simdjson"}, {"hwloc", "hwloc"},
    {"pugixml", "pugixml"},      {"Eigen/", "eigen"},      {"zlib.h", "zlib"},
    {"yaml-cpp/", "yaml"},       {"toml++/", "toml"},      {"onnx/", "onnx"},
    {"google/protobuf", "onnx"}, {"CLI/", "cli11"},        {"mpi.h", "mpi"},
    {"nccl.h", "nccl"},          {"cuda", "nccl"},         {"qcustomplot", "qcustomplot"},
    {"gif_lib.h", "gif"}};

QString libraryOf(const QString& header) {
  static const QRegularExpression kQt("^(Q[A-Z]|Qt[A-Z])");
  if (kQt.match(header).hasMatch()) return "qt";
  for (const auto& [begin, library] : kLibraries) {
    if (header.startsWith(begin)) return library;
  }
  return {};
}

/// What is wrong with one include, in a sentence; empty if it may stand.
QString faultOf(const Rooms& rooms, const QString& room, const QString& header, bool system) {
  if (system) {
    const QString library = libraryOf(header);
    if (library.isEmpty() || rooms.at(room).libraries.contains(library)) return {};
    return QString("includes <%1>, but %2 does not name %3 in its p2_room()").arg(header, room, library);
  }
  const bool whole = header.startsWith("views/") || header.startsWith("app/");
  if (const auto inside = header.indexOf("/detail/"); inside >= 0) {
    const QString folder = (whole ? "" : "core/") + header.left(inside);
    const QString owner = roomOf(rooms, folder + '/');
    if (!(room + '/').startsWith(owner + '/'))
      return QString("includes \"%1\", which is private to %2").arg(header, owner);
  }
  const QString other = roomOf(rooms, whole ? header : "core/" + header);
  if (other.isEmpty()) return QString("includes \"%1\", which lies in no room").arg(header);
  if (reachOf(rooms, room).count(other) > 0) return {};
  return QString("includes \"%1\", but %2 does not use %3").arg(header, room, other);
}

QStringList faultsOfFile(const Rooms& rooms, const QString& path, const QString& room, const QString& text) {
  static const QRegularExpression kInclude("^#include ([<\"])([^>\"]+)[>\"]", QRegularExpression::MultilineOption);
  QStringList faults;
  for (auto match = kInclude.globalMatch(text); match.hasNext();) {
    const QRegularExpressionMatch include = match.next();
    const QString fault = faultOf(rooms, room, include.captured(2), include.captured(1) == "<");
    if (!fault.isEmpty()) faults << path + ": " + fault;
  }
  return faults;
}

/// What is wrong with the namespaces of a file of core: each is that of its room, `namespace p2::inline cost {` below
/// core/cost; one of another room only declares types. Empty for files outside core.
QStringList namespaceFaultsOf(const QString& path, const QString& text) {
  static const QRegularExpression kOpening("^namespace p2([^ {]*)(?: (\\w+))?[^{\\n]*\\{",
                                           QRegularExpression::MultilineOption);
  static const QRegularExpression kOnlyDeclares(
      "^[^{\\n]*\\{\\s*((class|struct|enum class) \\w+( : [\\w:]+)?;\\s*)+\\}");
  const QStringList folders = path.split('/');
  if (folders[0] != "core") return {};
  QStringList faults;
  for (auto match = kOpening.globalMatch(text); match.hasNext();) {
    const QRegularExpressionMatch opening = match.next();
    if (opening.captured(1) == "::inline" && opening.captured(2) == folders[1]) continue;
    const bool declares =
        opening.captured(1) == "::inline" && kOnlyDeclares.match(text.mid(opening.capturedStart())).hasMatch();
    if (!declares)
      faults << QString("%1: \"%2\" is not the namespace of core/%3").arg(path, opening.captured(), folders[1]);
  }
  return faults;
}

/// Classes some of whose members a file defines outside of the class; a nested class counts as the one around it.
std::set<QString> classesDefinedIn(const QString& text) {
  static const QRegularExpression kMember(
      "^(?:(?!using|return|namespace)\\w[\\w:<>,&* ]*[ "
      "&*])?([A-Z]\\w*)(?:<[^>\\n]*>)?::(?:\\w+::)*(?:~?\\w+|operator\\S+)\\(",
      QRegularExpression::MultilineOption);
  std::set<QString> classes;
  for (auto match = kMember.globalMatch(text); match.hasNext();) classes.insert(match.next().captured(1));
  return classes;
}

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

/// The arrows of ARCHITECTURE.md: every #include of core, views and app against what p2_room() allows.
class TestRooms : public QObject {
  Q_OBJECT
 private slots:
  void arrowsHold() {
    const QDir sources(P2_SOURCES);
    const Rooms rooms = roomsFrom(textOf(P2_ROOMS));
    QStringList faults;
    int files = 0;
    for (const QString top : {"core", "views", "app"}) {
      QDirIterator all(sources.filePath(top), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
      while (all.hasNext()) {
        const QString path = sources.relativeFilePath(all.next());
        const QString room = roomOf(rooms, path);
        ++files;
        if (room.isEmpty()) {
          faults << path + ": lies in no room; say which with p2_room()";
        } else {
          const QString text = textOf(sources.filePath(path));
          faults += faultsOfFile(rooms, path, room, text) + namespaceFaultsOf(path, text);
        }
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join('\n')));
    QVERIFY(files > 400);
  }

  // A class that needs more files has several tasks: values, functions or smaller classes.
  void classesAreInTwoSourcesAtMost() {
    const QDir sources(P2_SOURCES);
    std::map<QString, QStringList> files;
    for (const QString top : {"core", "views", "app"}) {
      QDirIterator all(sources.filePath(top), {"*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
      while (all.hasNext()) {
        const QFileInfo file = all.nextFileInfo();
        const QString folder = sources.relativeFilePath(file.path());
        for (const QString& name : classesDefinedIn(textOf(file.filePath()))) {
          files[folder + ": " + name] << file.fileName();
        }
      }
    }
    QVERIFY(files.size() > 300);
    for (const auto& [name, of] : files) QVERIFY2(of.size() <= 2, qPrintable(name + " is in " + of.join(", ")));
  }

  void membersAreFound() {
    const auto found = [](const QString& text) { return classesDefinedIn(text) == std::set<QString>{"Plan"}; };
    QVERIFY(found("Plan::Plan(int x) : m_x(x) {}\n"));
    QVERIFY(found("Result<Plan> Plan::of(int x) {\n"));
    QVERIFY(found("Plan::Step Plan::first() const {\n"));
    QVERIFY(found("void Plan::Step::run() {\n"));
    QVERIFY(found("bool Plan::operator==(const Plan& other) const {\n"));
    QVERIFY(classesDefinedIn("  Plan::make();\nreturn Plan::make();\nint plan() {\n").empty());
  }

  void arrowsHaveNoCircles() {
    const Rooms rooms = roomsFrom(textOf(P2_ROOMS));
    QVERIFY(rooms.size() > 20);
    for (const auto& [name, room] : rooms) {
      for (const QString& used : room.uses) {
        QVERIFY2(rooms.count(used) == 1, qPrintable(name + " uses " + used + ", which is no room"));
        QVERIFY2(reachOf(rooms, used).count(name) == 0, qPrintable(name + " and " + used + " use each other"));
      }
    }
  }

  void everyRoomIsInThePicture() {
    const QString picture = textOf(QDir(P2_SOURCES).filePath("ARCHITECTURE.md"));
    for (const auto& [name, room] : roomsFrom(textOf(P2_ROOMS))) {
      QVERIFY2(picture.contains("| `" + name + "` |"), qPrintable(name + " has no row in ARCHITECTURE.md"));
    }
  }

  void wrongArrowsAreFound() {
    const Rooms rooms = roomsFrom("core/base||\ncore/plan|core/base|json\nviews/shell|core/plan|qt\n");
    const auto faults = [&](const QString& room, const QString& text) {
      return faultsOfFile(rooms, "file.h", room, text).join('\n');
    };
    QCOMPARE(faults("core/plan", "#include \"base/result.h\"\n#include <nlohmann/json.hpp>\n#include <vector>\n"), "");
    QCOMPARE(faults("core/base", "#include \"plan/plan.h\"\n"),
             "file.h: includes \"plan/plan.h\", but core/base does not use core/plan");
    QCOMPARE(faults("core/plan", "#include \"views/shell/session.h\"\n"),
             "file.h: includes \"views/shell/session.h\", but core/plan does not use views/shell");
    QCOMPARE(faults("core/plan", "#include <QString>\n"),
             "file.h: includes <QString>, but core/plan does not name qt in its p2_room()");
    QCOMPARE(faults("core/base", "#include <nlohmann/json.hpp>\n"),
             "file.h: includes <nlohmann/json.hpp>, but core/base does not name json in its p2_room()");
    QCOMPARE(faults("views/shell", "#include <QtGui/QPainter>\n#include \"base/units.h\"\n"), "");
    QCOMPARE(faults("views/shell", "#include \"nowhere/x.h\"\n"),
             "file.h: includes \"nowhere/x.h\", which lies in no room");
    QCOMPARE(faults("core/plan", "#include \"plan/detail/x.h\"\n"), "");
    QCOMPARE(faults("core/plan", "#include \"base/detail/x.h\"\n"),
             "file.h: includes \"base/detail/x.h\", which is private to core/base");
    QCOMPARE(faults("core/base", "#include \"base/inside/detail/x.h\"\n"), "");
    QCOMPARE(faults("core/plan", "#include \"base/inside/detail/x.h\"\n"),
             "file.h: includes \"base/inside/detail/x.h\", which is private to core/base");
  }

  void wrongNamespacesAreFound() {
    const auto faults = [](const QString& text) { return namespaceFaultsOf("core/plan/file.h", text).join('\n'); };
    QCOMPARE(faults("namespace p2::inline plan {\nstruct Plan {};\n}\n"), "");
    QCOMPARE(faults("namespace p2::inline plan::rules {\nstruct Plan {};\n}\n"), "");
    QCOMPARE(faults("namespace p2::inline system {\nclass System;\n}\n"), "");
    QCOMPARE(faults("namespace p2::inline system {\nclass System {};\n}\n"),
             "core/plan/file.h: \"namespace p2::inline system {\" is not the namespace of core/plan");
    QCOMPARE(faults("namespace p2 {\nclass Plan;\n}\n"),
             "core/plan/file.h: \"namespace p2 {\" is not the namespace of core/plan");
  }
};

QTEST_GUILESS_MAIN(TestRooms)
#include "tst_rooms.moc"
