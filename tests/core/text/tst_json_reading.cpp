// SPDX-License-Identifier: GPL-3.0-or-later
#include <pthread.h>

#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include "support/warnings.h"
#include "text/json_document.h"
#include "text/json_stream.h"

using namespace p2;

namespace {

/// What is wrong with a text, as its reader says it.
QString problemOf(const std::string& text) {
  const auto read = parseJson(text);
  return read.ok() ? QString("nothing") : QString::fromStdString(read.error().text());
}

std::string repeated(const std::string& item, std::size_t times) {
  std::string text = "[" + item;
  for (std::size_t i = 1; i < times; ++i) text += "," + item;
  return text + "]";
}

/// An object in which every key is another.
std::string objectOf(std::size_t keys) {
  std::string text = "{";
  for (std::size_t i = 0; i < keys; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  return text + "}";
}

/// Processor time of this thread, which nobody else takes away.
double secondsOn(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

double threadSeconds() { return secondsOn(CLOCK_THREAD_CPUTIME_ID); }

/// For how long a thread still reads once it is told to stop, in seconds of its own; it has then read for `before`
/// seconds. All it takes if it was through by then.
double secondsAfterStop(const std::string& text, double before) {
  std::stop_source source;
  std::atomic<bool> mayEnd = false;
  std::atomic<bool> ended = false;
  std::optional<Result<Json>> read;
  double all = 0;
  std::thread reader([&] {
    read = parseJson(text, source.get_token());
    all = threadSeconds();
    ended = true;
    // Its clock goes with it.
    while (!mayEnd) std::this_thread::yield();
  });
  clockid_t clock{};
  pthread_getcpuclockid(reader.native_handle(), &clock);
  while (!ended && secondsOn(clock) < before) std::this_thread::yield();
  source.request_stop();
  const double reported = secondsOn(clock);
  mayEnd = true;
  reader.join();
  return read->ok() || read->error() != cancelledError() ? all : std::max(0.0, all - reported);
}

/// Seconds of this thread, the least of three times.
double secondsOf(const std::string& text) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double begin = threadSeconds();
    if (!parseJson(text).ok()) return -1;
    least = std::min(least, threadSeconds() - begin);
  }
  return least;
}

}  // namespace

/// JSON as people, programs and adversaries write it.
class TestJsonReading : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void readsEveryKindOfValue() {
    const auto json = parseJson("\xEF\xBB\xBF {\"b\": [1, -2, 2.5, true, false, null, \"\\u00e9\\n\"], \"a\": {}} \n");
    QVERIFY(json.ok());
    QCOMPARE(jsonLine(*json), std::string("{\"b\":[1,-2,2.5,true,false,null,\"é\\n\"],\"a\":{}}\n"));
  }

  void keepsNumbersAsTheyAre_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char* text, const char* written) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(written);
    };
    row("0", "0");
    row("9223372036854775807", "9223372036854775807");
    row("-9223372036854775808", "-9223372036854775808");
    row("18446744073709551615", "18446744073709551615");
    row("36893488147419103232", "36893488147419103232");
    row("0.1", "0.1");
    row("1e300", "1e+300");
    row("1e-400", "0");
    row("2.8310000000000004", "2.8310000000000004");
  }
  void keepsNumbersAsTheyAre() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, written);
    for (const char* spaced : {"[%1]", "[ %1 ]", "[%1\n]"}) {
      const auto json = parseJson(QString(spaced).arg(QString(text)).toStdString());
      QVERIFY(json.ok());
      QCOMPARE(QByteArray::fromStdString(jsonLine(*json)), "[" + written + "]\n");
    }
  }

  void readsListsOfNumbers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<double>>("values");
    const auto row = [](const char* text, const QList<double>& values) {
      QTest::newRow(text) << QByteArray(text) << values;
    };
    row("[]", {});
    row("[ ]", {});
    row("[7]", {7});
    row("[0,12,345,6789,12345678,123456789]", {0, 12, 345, 6789, 12345678, 123456789});
    row("[999999999999999, 1000000000000001]", {999999999999999, 1000000000000001});
    row("[9007199254740993,18446744073709551616]", {9007199254740992, 18446744073709551616.0});
    row("[1 ,  2\n, 3]", {1, 2, 3});
    row("[1,2.5,-3,1e3]", {1, 2.5, -3, 1000});
    row("[-0, 0.5e-1]", {0, 0.05});
  }
  void readsListsOfNumbers() {
    QFETCH(QByteArray, text);
    QFETCH(QList<double>, values);
    JsonStream in("{\"before\": [[]], \"list\":" + text.toStdString() + ", \"after\": 1}");
    std::vector<double> read;
    int members = 0;
    in.object({}, [&](std::string_view key) {
      ++members;
      if (key == "list") in.numbers(read, "a list of numbers");
    });
    in.finish();
    QVERIFY2(!in.failed(), in.failed() ? in.problem().text().c_str() : "");
    QCOMPARE(members, 3);
    QCOMPARE(QList<double>(read.begin(), read.end()), values);
  }

  // Brackets that do not match, and no end: there is nothing to go back to.
  void refusesListsOfNumbersWithoutEnd() {
    for (const char* list : {"[", "[0", "[0,", "[[0],[1]", "[\"a\": 0, \"b\": [0]}", "[0,[1}", "[{\"a\": [0]"}) {
      JsonStream in(std::string("{\"lists\": [[1, 2], ") + list);
      std::vector<double> read;
      in.object({},
                [&](std::string_view) { in.list({}, [&](std::size_t) { in.numbers(read, "a list of numbers"); }); });
      in.finish();
      QVERIFY2(in.failed() && !in.problem().text().empty(), list);
    }
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const QByteArray& text, const char* problem) {
      QTest::newRow(name) << text << QString::fromUtf8(problem);
    };
    row("nothing", "", "the text is empty; a JSON object is expected");
    row("only a byte order mark", "\xEF\xBB\xBF", "the text is empty; a JSON object is expected");
    row("UTF-16, little end first", QByteArray("{\0\"\0a\0\"\0:\0001\0}\0", 14),
        "the text is UTF-16; save it as UTF-8");
    row("UTF-16, big end first", QByteArray("\xFE\xFF\0{\0}", 6), "the text is UTF-16; save it as UTF-8");
    row("Latin-1", "{\"a\": 1,\n \"name\": \"caf\xE9\"}",
        "line 2, column 14: this is not valid UTF-8; save the text as UTF-8");
    row("surrogates in UTF-8", "[\"\xED\xA0\x80\"]",
        "line 1, column 3: this is not valid UTF-8; save the text as UTF-8");
    row("half an escaped character", "[\"\\ud800\"]", "line 1, column 9: unexpected '\"'; the text is not valid JSON");
    row("NaN", "[NaN]", "line 1, column 2: unexpected 'N'; the text is not valid JSON");
    row("Infinity", "[-Infinity]", "line 1, column 3: unexpected 'I'; the text is not valid JSON");
    row("huge number", "[1e999]", "a number is too large to be read; use numbers below 1e308");
    row("huge exponent", "[1, 2, 1e99999999999999999999]", "a number is too large to be read; use numbers below 1e308");
    row("leading zero", "[00]", "line 1, column 3: unexpected '0'; the text is not valid JSON");
    row("comma at the end", "[1,]", "line 1, column 4: unexpected ']'; the text is not valid JSON");
    row("other bracket", "[1,2}", "line 1, column 5: unexpected '}'; the text is not valid JSON");
    row("two values", "{} {}", "line 1, column 4: unexpected '{'; the text is not valid JSON");
    row("lone word", "nul", "line 1, column 4: ");
    row("zero byte", QByteArray("[1\0]", 4), "line 1, column 3: unexpected character; the text is not valid JSON");
    row("tab in a text", "[\"a\tb\"]", "line 1, column 4: unexpected character; the text is not valid JSON");
    row("key twice", R"({"a": [0, {"b/c": {"x": 1, "x": 2}}]})", "/a/1/b~1c: the key \"x\" appears twice; keep one");
    row("key twice, once escaped", R"({"a": 1, "\u0061": 2})", "the key \"a\" appears twice; keep one");
    row("many keys", QByteArray::fromStdString(objectOf(1'000'000)),
        "more than 1000 keys in one object; P² files need ten");
    row("deep lists", QByteArray(1'000'000, '[') + QByteArray(1'000'000, ']'),
        "nested deeper than 64 levels; P² files need 6");
    row("deep objects", QByteArray("{\"a\":").repeated(100'000) + "1" + QByteArray("}").repeated(100'000),
        "nested deeper than 64 levels; P² files need 6");
    row("15 million objects", QByteArray::fromStdString(repeated("{}", 15'000'000)),
        "more than 4194304 lists and objects; nothing so large is read");
    row("65 MiB", QByteArray(65 << 20, ' ') + "1", "the text is larger than 64 MiB; nothing so large is read");
  }
  void saysWhatIsWrong() {
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    const QString stated = problemOf(text.toStdString());
    QVERIFY2(stated.startsWith(problem), qPrintable(stated));
  }

  void countsTheItemsOfFastListsToo() {
    JsonStream in(repeated(repeated("0", 450'000), 40));
    std::vector<double> read;
    std::size_t lists = 0;
    in.list({}, [&](std::size_t) {
      read.clear();
      in.numbers(read, "numbers");
      ++lists;
    });
    QVERIFY(in.failed());
    QCOMPARE(in.problem().text(), std::string("more than 16777216 values; nothing so large is read"));
    QCOMPARE(lists, JsonLimits::values / 450'000 + 1);
  }

  void refusesEveryBeginning_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("preset") << P2_RESOURCES "/presets/dgx-h100.json";
    QTest::newRow("schema") << P2_RESOURCES "/schemas/p2-system.schema.json";
  }
  void refusesEveryBeginning() {
    QFETCH(QString, file);
    QFile opened(file);
    QVERIFY(opened.open(QFile::ReadOnly));
    const std::string whole = opened.readAll().trimmed().toStdString();
    QVERIFY(parseJson(whole).ok());
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto read = parseJson(std::string_view(whole).substr(0, length));
      QVERIFY(!read.ok());
      if (length == 0) continue;
      const std::string& stated = read.error().message;  // a character can be cut in the middle, too
      QVERIFY2(stated.find("ends too early") != stated.npos || stated.find("not valid UTF-8") != stated.npos,
               stated.c_str());
    }
  }

  void survivesDamage() {
    const std::string whole = R"({"a": [1, -2.5e3, {"b": null}], "c": "é\n", "d": [true, false, [[]], {}]})";
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const char c : {'"', '{', '}', '[', ']', ',', ':', '0', '-', ' ', '\\', '\xff', '\0'}) {
        std::string damaged = whole;
        damaged[at] = c;
        const auto read = parseJson(damaged);
        QVERIFY(read.ok() || !read.error().message.empty());
      }
    }
  }

  /// Sixteen times the text takes some sixteen times as long, whatever it is made of.
  void takesLinearTime_data() {
    QTest::addColumn<QByteArray>("item");
    QTest::newRow("objects") << QByteArray("{}");
    QTest::newRow("lists") << QByteArray("[]");
    QTest::newRow("members") << QByteArray(R"({"name": "gpu", "count": 4})");
    QTest::newRow("keys") << QByteArray::fromStdString(objectOf(1000));
    QTest::newRow("numbers") << QByteArray("123456.5");
    QTest::newRow("texts") << QByteArray("\"\\u00e9 and more\"");
  }
  void takesLinearTime() {
    QFETCH(QByteArray, item);
    const std::size_t count = std::size_t(1 << 18) / std::size_t(item.size());
    const double little = secondsOf(repeated(item.toStdString(), count));
    const double much = secondsOf(repeated(item.toStdString(), 16 * count));
    QVERIFY(little > 0 && much > 0);
    // If each part had to look at all before it, it would be 256 times.
    QVERIFY2(much < 64 * little, qPrintable(QString("%1 s, then %2 s").arg(little).arg(much)));
  }

  void stops() {
    const std::string text = repeated("{\"a\": [1, 2]}", 1'000'000);
    std::stop_source source;
    source.request_stop();
    const auto read = parseJson(text, source.get_token());
    QVERIFY(!read.ok());
    QCOMPARE(read.error(), cancelledError());
    // Also while the place of a fault is looked for.
    QCOMPARE(parseJson(text + "x", source.get_token()).error(), cancelledError());
  }

  void stopsWhileReading() {
    const std::string text = repeated("{\"a\": [1, 2]}", 1'000'000);
    const double begun = threadSeconds();
    QVERIFY(parseJson(text).ok());
    const double all = threadSeconds() - begun;
    // On a busy machine a reading may be over before it is told to stop.
    double after = all;
    for (int attempt = 0; attempt < 20 && after >= all / 4; ++attempt) after = secondsAfterStop(text, all / 10);
    QVERIFY2(after < all / 4, qPrintable(QString("%1 of %2 s").arg(after).arg(all)));
  }

  /// Two of a name, which a file that is still being written may have: each keeps what is its own, in its order, and
  /// what was written is written the same again.
  void overlaysItemsOfOneName() {
    const Json source = Json::array(
        {{{"name", "rail"}, {"x-first", 1}}, {{"deal", true}, {"name", "rail"}, {"x-second", 2}}, {{"name", "spine"}}});
    const Json known = Json::array({{{"name", "rail"}, {"speed", 3}, {"deal", nullptr}},
                                    {{"name", "rail"}, {"speed", 4}, {"deal", true}},
                                    {{"name", "rail"}, {"speed", 5}}});
    const Json both = overlaid(source, known);
    QVERIFY(both[0].contains("x-first") && !both[0].contains("x-second"));
    QVERIFY(both[1].contains("x-second") && !both[1].contains("x-first"));
    QCOMPARE(both[2]["speed"].get<int>(), 5);
    QCOMPARE(jsonText(overlaid(both, known)), jsonText(both));
  }

  void overlaysLongLists() {
    Json source = Json::array();
    for (int i = 0; i < 20'000; ++i) source.push_back({{"name", std::to_string(i)}, {"x-own", i}});
    Json known = Json::array();
    for (int i = 19'999; i >= 0; --i) known.push_back({{"name", std::to_string(i)}});
    const Json both = overlaid(source, known);
    QCOMPARE(both.size(), std::size_t{20'000});
    QCOMPARE(both[0]["x-own"].get<int>(), 19'999);
  }
};

QTEST_APPLESS_MAIN(TestJsonReading)
#include "tst_json_reading.moc"
