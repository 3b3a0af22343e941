// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QTest>
#include <array>
#include <thread>

#include "app/runner/request_feed.h"
#include "remote/messages.h"

using namespace p2;
using namespace p2::runner;

namespace {

using Pipe = std::array<int, 2>;

Pipe makePipe() {
  Pipe ends{};
  if (::pipe(ends.data()) != 0) qFatal("no pipe");
  return ends;
}

void closeBoth(const Pipe& ends) {
  for (const int end : ends) ::close(end);
}

}  // namespace

/// A request's way to the first rank.
class TestRequestFeed : public QObject {
  Q_OBJECT
 private slots:
  void tellsWishesFromOtherLines() {
    const RequestFeed feed(std::string(5000, 'x') + "\n");
    QVERIFY(!feed.askedFor("p2-runner alive 0"));
    QVERIFY(!feed.askedFor("p2-runner: rank 0 on vm: no GPU"));
    QCOMPARE(feed.askedFor("p2-runner wants 0")->size(), std::size_t(4096));
    QCOMPARE(*feed.askedFor("[1,0]<stderr>:p2-runner wants 4096"), std::string(904, 'x') + "\n");
    QCOMPARE(*feed.askedFor("p2-runner wants 5000"), std::string("\n"));
    for (const char* nonsense : {"p2-runner wants 5001", "p2-runner wants -1", "p2-runner wants x",
                                 "p2-runner wants 99999999999999999999999"}) {
      QVERIFY2(feed.askedFor(nonsense) && feed.askedFor(nonsense)->empty(), nonsense);
    }
  }

  // No block is on its way before the one in front of it has arrived.
  void comesBlockByBlock_data() {
    QTest::addColumn<int>("length");
    for (const int length : {1, 2, 4095, 4096, 4097, 8192, 100'000}) QTest::addRow("%d bytes", length) << length;
  }
  void comesBlockByBlock() {
    QFETCH(int, length);
    std::string line;
    while (int(line.size()) < length - 1) line += char('a' + line.size() % 23);
    const Pipe input = makePipe();
    const Pipe errors = makePipe();
    int blocks = 0;
    std::thread runner([&] {
      const RequestFeed feed(line + "\n");
      std::string wish;
      for (char c = 0; ::read(errors[0], &c, 1) == 1;) {
        if (c != '\n') {
          wish += c;
          continue;
        }
        const auto block = feed.askedFor(wish);
        wish.clear();
        if (!block || ::write(input[1], block->data(), block->size()) < 0) return;
        ++blocks;
      }
    });
    const auto received = receiveRequest(input[0], errors[1]);
    ::close(errors[1]);
    runner.join();
    ::close(errors[0]);
    closeBoth(input);
    QVERIFY2(received.ok(), received.ok() ? "" : received.error().text().c_str());
    QCOMPARE(*received, line);
    QCOMPARE(blocks, (length + 4095) / 4096);
  }

  void anInputThatEndsIsNoRequest() {
    for (const char* stated : {"", "{\"type\":\"run\""}) {
      const Pipe input = makePipe();
      const Pipe errors = makePipe();
      QVERIFY(::write(input[1], stated, qstrlen(stated)) >= 0);
      ::close(input[1]);
      const auto received = receiveRequest(input[0], errors[1]);
      ::close(input[0]);
      closeBoth(errors);
      QVERIFY(!received.ok());
      QCOMPARE(received.error().text(), std::string("no request has come on standard input"));
    }
  }
};

QTEST_APPLESS_MAIN(TestRequestFeed)
#include "tst_request_feed.moc"
