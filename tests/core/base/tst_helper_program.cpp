// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <thread>

#include "base/helper_program.h"
#include "base/sanitizers.h"

using namespace p2;

namespace {

HelperCall callOf(const char* what) {
  HelperCall call;
  call.program = "p2-test-helper";
  call.library = "libtest";
  call.arguments = {what};
  return call;
}

}  // namespace

/// Helpers that answer, refuse, crash, hang and grow.
class TestHelperProgram : public QObject {
  Q_OBJECT
 private slots:
  void answers() {
    HelperCall call = callOf("echo");
    for (int i = 0; i < 200'000; ++i) call.input += "line " + std::to_string(i) + "\n";
    const auto answer = askHelper(call);
    QVERIFY(answer.ok());
    QVERIFY(answer->output == call.input);
    QCOMPARE(answer->notes, std::vector<std::string>{"a note"});
  }

  void saysWhyNot_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* what, const char* sentence, ErrorKind kind) {
      QTest::newRow(what) << sentence << int(kind);
    };
    row("refuse", "line 3: the count is 0; it needs 1 or more", ErrorKind::BadInput);
    row("crash", "libtest crashed on it (Segmentation fault)", ErrorKind::Failed);
    row("load", "p2-test-helper cannot be loaded: libhwloc.so.15: file too short", ErrorKind::Failed);
    row("status", "libtest gave up on it: ended with status 77", ErrorKind::Failed);
  }
  void saysWhyNot() {
    QFETCH(QString, sentence);
    QFETCH(int, kind);
    const auto answer = askHelper(callOf(QTest::currentDataTag()));
    QVERIFY(!answer.ok());
    const QString text = QString::fromStdString(answer.error().text());
    QVERIFY2(text.startsWith(sentence), qPrintable(text));
    QCOMPARE(int(answer.error().kind), kind);
  }

  void endsWhatHangs() {
    HelperCall call = callOf("hang");
    call.seconds = 1;
    const auto answer = askHelper(call);
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().text(),
             std::string("libtest takes longer than 1 s to read it; it is too large, or damaged"));
    QCOMPARE(answer.error().kind, ErrorKind::TooLarge);
  }

  void endsWhatGrows() {
#ifdef P2_SANITIZED
    QSKIP("sanitizers need all addresses there are");
#endif
    HelperCall call = callOf("grow");
    call.memory = std::size_t{256} << 20;
    const auto answer = askHelper(call);
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().text().starts_with("libtest needs over 256 MiB of memory"));
  }

  void leavesNoCoreFile() {
    const auto answer = askHelper(callOf("core"));
    QVERIFY(answer.ok());
    QCOMPARE(answer->output, std::string("0"));
  }

  void canBeStopped() {
    HelperCall call = callOf("hang");
    call.seconds = 600;
    std::stop_source source;
    const std::jthread stopper([&source] { source.request_stop(); });
    const auto answer = askHelper(call, source.get_token());
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::Cancelled);
  }

  void isNamedWhenItIsMissing() {
    HelperCall call = callOf("echo");
    call.program = "p2-no-helper";
    QVERIFY(!hasHelper(call.program));
    QVERIFY(askHelper(call).error().text().starts_with("p2-no-helper is not in "));
  }

  void programsOfOthersAreLookedUpInPath() {
    HelperCall call;
    call.program = "cat";
    call.package = "coreutils";
    call.input = "said twice";
    const auto answer = askHelper(call);
    QVERIFY(answer.ok());
    QCOMPARE(answer->output, call.input);
    call.program = "p2-no-program";
    call.package = "nowhere";
    const std::string text = askHelper(call).error().text();
    QVERIFY2(text.ends_with("; install the package nowhere"), text.c_str());
  }
};

QTEST_APPLESS_MAIN(TestHelperProgram)
#include "tst_helper_program.moc"
