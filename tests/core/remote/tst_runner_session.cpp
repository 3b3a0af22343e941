// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "remote/runner_session.h"

using namespace p2;

namespace {

/// The shell command that says so.
QString saying(const char* message) { return QStringLiteral("echo '%1'\n").arg(QLatin1String(message)); }

const QString kGreeting = saying(R"({"type":"hello","protocol":1,"version":"0","host":"vm"})");
const QString kHello =
    kGreeting + saying(R"({"type":"capabilities","backends":[],"launchers":[],"devices":[],"cores":1})");

// Only what is awaited in vain is cut short: whoever does answer may take as long as a busy machine needs.
constexpr Patience kUntilAnswered{60, 60, 0.5};
constexpr Patience kNoGreeting{1, 60, 0.5};
constexpr Patience kNoAnswer{60, 1.5, 0.5};

}  // namespace

// Conversations with something that only pretends to be a runner; the real one is met in tests/app/runner.
class TestRunnerSession : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  /// A program of that shell text, as a target.
  Target pretending(const QString& script) {
    const QString path = m_folder.filePath("runner");
    QFile::remove(path);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
    file.write(("#!/bin/sh\n" + script + "\n").toUtf8());
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    Target target;
    target.runner = path.toStdString();
    return target;
  }

 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  // Not even when it is the first one, and nobody has asked for broken pipes to be ignored.
  void aRunnerThatIsGoneEndsNobody() {
    std::signal(SIGPIPE, SIG_DFL);
    auto session = RunnerSession::open(pretending(kHello + "exec <&-; exec sleep 60"), {}, kNoAnswer);
    QVERIFY(session.ok());
    RunRequest request;
    request.plan = std::string(1 << 20, 'x');
    QVERIFY(!session.value().run(request).ok());
    QVERIFY(!session->isOpen());
  }

  void opens_data() {
    QTest::addColumn<QString>("before");
    QTest::newRow("at once") << "";
    QTest::newRow("behind a banner") << "echo 'Welcome to node 7!'; echo";
  }
  void opens() {
    QFETCH(QString, before);
    const auto session = RunnerSession::open(pretending(before + "\n" + kHello + "cat > /dev/null"));
    QVERIFY2(session.ok(), session.ok() ? "" : session.error().text().c_str());
    QCOMPARE(session->hello().host, std::string("vm"));
    QCOMPARE(session->capabilities().cores, 1);
    QVERIFY(session->isOpen());
  }

  void saysWhyItCannotOpen_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("another version") << saying(R"({"type":"hello","protocol":2,"version":"9.0","host":"vm"})") +
                                            "cat > /dev/null"
                                     << "of another version (9.0";
    QTest::newRow("silence") << "exec sleep 60"
                             << "did not answer within 1 s";
    QTest::newRow("half a line") << "printf '{\"type\":\"hel'"
                                 << "ended with status 0";
    QTest::newRow("its output closed") << "exec > /dev/null; sleep 60"
                                       << "has stopped answering but has not ended";
    QTest::newRow("garbage after the greeting") << kGreeting + "echo garbage; cat > /dev/null"
                                                << "is not a runner: not a message: \"garbage\"";
    QTest::newRow("garbage without end") << "yes"
                                         << "is not a runner";
    QTest::newRow("a line without end") << "tr '\\0' x < /dev/zero"
                                        << "a line that does not end";
    QTest::newRow("status") << "echo 'libmpi.so.40: cannot open' >&2; exit 3"
                            << "ended with status 3: libmpi.so.40: cannot open";
    QTest::newRow("a library is missing")
        << "echo \"$0: error while loading shared libraries: libmpi.so.40: cannot open shared object file: No such "
           "file "
           "or directory\" >&2; exit 127"
        << "cannot be loaded: libmpi.so.40: cannot open shared object file: No such file or directory; install "
           "the missing library there (Open MPI for libmpi)";
    QTest::newRow("a symbol is missing")
        << "echo \"$0: symbol lookup error: $0: undefined symbol: MPI_Init\" >&2; exit 127"
        << "undefined symbol: MPI_Init; install the missing library there";
    QTest::newRow("built for a newer system")
        << "echo \"$0: /lib/libc.so.6: version \\`GLIBC_2.38' not found (required by $0)\" >&2; exit 1"
        << "cannot be loaded: /lib/libc.so.6: version `GLIBC_2.38' not found";
    QTest::newRow("killed") << "kill -9 $$"
                            << "was killed by signal 9";
    QTest::newRow("no such command") << "exit 127"
                                     << "there is no ";
  }
  void saysWhyItCannotOpen() {
    QFETCH(QString, script);
    QFETCH(QString, sentence);
    const auto session =
        RunnerSession::open(pretending(script), {}, sentence.contains("within 1 s") ? kNoGreeting : kUntilAnswered);
    QVERIFY(!session.ok());
    QVERIFY2(QString::fromStdString(session.error().text()).contains(sentence), session.error().text().c_str());
    QCOMPARE(session.error().kind, ErrorKind::Failed);
  }

  void aMissingProgramIsNamed() {
    Target target;
    target.runner = "/nonexistent/p2-runner";
    const auto session = RunnerSession::open(target);
    QVERIFY(!session.ok());
    QVERIFY(QString::fromStdString(session.error().text()).contains("/nonexistent/p2-runner cannot be started"));
  }

  void saysWhyARunEnded_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("gone") << "read hello; read request; exit 4"
                          << "ended with status 4";
    QTest::newRow("silent") << "read hello; read request; exec sleep 60"
                            << "nothing has come from this machine";
    QTest::newRow("garbage") << "read hello; read request; echo '}{'; exec cat > /dev/null"
                             << "is not a runner";
    QTest::newRow("its own words") << "read hello; read request; " +
                                          saying(R"({"type":"error","id":1,"message":"no GPU","cancelled":false})") +
                                          "cat > /dev/null"
                                   << "no GPU";
    QTest::newRow("it has not understood")
        << "read hello; read request; " + saying(R"({"type":"error","id":0,"message":"what?","cancelled":false})") +
               "cat > /dev/null"
        << "the runner on this machine has given up: what?";
  }
  void saysWhyARunEnded() {
    QFETCH(QString, script);
    QFETCH(QString, sentence);
    auto session = RunnerSession::open(pretending(kHello + script), {},
                                       sentence.contains("nothing has come") ? kNoAnswer : kUntilAnswered);
    QVERIFY(session.ok());
    const auto result = session.value().run({});
    QVERIFY(!result.ok());
    QVERIFY2(QString::fromStdString(result.error().text()).contains(sentence), result.error().text().c_str());
    QCOMPARE(session->isOpen(), sentence == "no GPU");
  }

  void messagesOfOtherRunsAreNotMixedUp() {
    const QString script =
        "read hello; read request\n" +
        saying(R"({"type":"progress","id":9,"phase":"x","repetition":1,"repetitions":1,"step":1,"steps":1})") +
        saying(R"({"type":"error","id":9,"message":"of another run","cancelled":false})") +
        saying(R"({"type":"log","id":1,"text":"of this one"})") +
        saying(R"({"type":"error","id":1,"message":"its end","cancelled":false})") + "cat > /dev/null";
    auto session = RunnerSession::open(pretending(kHello + script));
    QVERIFY(session.ok());
    QStringList heard;
    RunObserver observer;
    observer.progress = [&](const RunProgress&) { heard += "progress"; };
    observer.log = [&](const std::string& text) { heard += QString::fromStdString(text); };
    const auto result = session.value().run({}, observer);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().message, std::string("its end"));
    QCOMPARE(heard, QStringList{"of this one"});
  }

  // However much it has to say.
  void aRunnerThatOverrunsItsTimeIsGivenUp_data() {
    QTest::addColumn<QString>("going");
    const QString progress =
        saying(R"({"type":"progress","id":1,"phase":"x","repetition":1,"repetitions":1,"step":1,"steps":1})");
    QTest::newRow("says that it lives") << "while sleep 0.2; do " + saying(R"({"type":"alive"})") + "done";
    QTest::newRow("makes progress without end") << "while :; do " + progress + "done";
  }
  void aRunnerThatOverrunsItsTimeIsGivenUp() {
    QFETCH(QString, going);
    auto session = RunnerSession::open(pretending(kHello + "read hello; read request\n" + going), {}, {60, 1, 0.5});
    QVERIFY(session.ok());
    RunRequest request;
    request.timeLimit = 1;
    const auto result = session.value().run(request);
    QVERIFY(!result.ok());
    QCOMPARE(
        QString::fromStdString(result.error().message),
        QStringLiteral("the runner on this machine goes on 1 s after the limit of 1 s; the connection is given up"));
    QVERIFY(!session->isOpen());
  }

  // Cancelling ends in bounded time even when the other side takes no notice.
  void cancellingDoesNotWaitForever() {
    const QString going =
        saying(R"({"type":"progress","id":1,"phase":"x","repetition":1,"repetitions":1,"step":1,"steps":1})");
    auto session = RunnerSession::open(pretending(kHello + "read hello; read request\n" + going + "exec sleep 600"), {},
                                       {1, 300, 0.5});
    QVERIFY(session.ok());
    std::stop_source stop;
    RunObserver observer;
    observer.progress = [&](const RunProgress&) { stop.request_stop(); };
    const auto result = session.value().run({}, observer, stop.get_token());
    QVERIFY(!result.ok());
    // Anything else, silence or its end, would be another error.
    QCOMPARE(result.error().kind, ErrorKind::Cancelled);
    QVERIFY(!session->isOpen());
  }

  void aPlanIsNeverPartOfACommand() {
    Target target;
    target.host = "host";
    target.runner = "/opt/p2 tools/it's";
    const std::vector<std::string> command = runnerCommand(target);
    QCOMPARE(command.front(), std::string("ssh"));
    QCOMPARE(command[command.size() - 3], std::string("--"));
    QCOMPARE(command[command.size() - 2], std::string("host"));
    QCOMPARE(command.back(), std::string("'/opt/p2 tools/it'\\''s' serve"));
  }
};

QTEST_GUILESS_MAIN(TestRunnerSession)
#include "tst_runner_session.moc"
