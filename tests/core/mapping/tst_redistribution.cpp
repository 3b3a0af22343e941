// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/filled.h"
#include "tests/core/mapping/set_machine.h"

using namespace p2;
using test::SetMachine;

namespace {

constexpr std::array kOrder{MeshCollective::ReduceScatter, MeshCollective::AllReduce, MeshCollective::AllToAll,
                            MeshCollective::AllGather};

/// Every layout of a tensor of that rank, with or without partial sums.
std::vector<TensorLayout> layoutsOf(std::size_t axes, int rank, int least) {
  std::vector<TensorLayout> all;
  TensorLayout layout;
  for (std::size_t axis = 0; axis < axes; ++axis) layout.at[axis] = std::int8_t(least);
  for (bool more = true; more;) {
    all.push_back(layout);
    more = false;
    for (std::size_t axis = axes; axis-- > 0 && !more;) {
      more = ++layout.at[axis] < rank;
      if (!more) layout.at[axis] = std::int8_t(least);
    }
  }
  return all;
}

QString textOf(const TensorLayout& from, const TensorLayout& to) {
  QString text;
  for (const TensorLayout* layout : {&from, &to}) {
    for (const std::int8_t at : layout->at) text += QString::number(at) + ' ';
    text += layout == &from ? "to " : "";
  }
  return text;
}

struct Told {
  int all = 0;
  int direct = 0;
};

}  // namespace

class TestRedistribution : public QObject {
  Q_OBJECT

 private slots:
  // Every pair of layouts, element by element: the collectives bring everybody what it needs, whole sums of it, each on
  // as many elements as the sets have, and where parts nest no more is received than is lacking.
  void setsAgree_data() {
    QTest::addColumn<QList<qint64>>("sizes");
    QTest::addColumn<QList<qint64>>("shape");
    QTest::newRow("a vector") << QList<qint64>{2, 2, 2} << QList<qint64>{8};
    QTest::newRow("a matrix") << QList<qint64>{2, 2, 2} << QList<qint64>{8, 4};
    QTest::newRow("two axes") << QList<qint64>{3, 2} << QList<qint64>{6, 6};
  }
  void setsAgree() {
    QFETCH(QList<qint64>, sizes);
    QFETCH(QList<qint64>, shape);
    const Mesh mesh{{sizes.begin(), sizes.end()}, {}};
    const SetMachine machine(mesh, {shape.begin(), shape.end()});
    Told reported;
    const auto divides = [&](const TensorLayout& layout) {
      bool even = true;
      for (int d = 0; d < int(shape.size()); ++d)
        even = even && shape[d] % mesh.sizeOf(layout.axesAt(std::int8_t(d))) == 0;
      return even;
    };
    for (const TensorLayout& from : layoutsOf(mesh.sizes.size(), int(shape.size()), TensorLayout::kPartial)) {
      if (!divides(from)) continue;
      const auto before = machine.held(from);
      for (const TensorLayout& to : layoutsOf(mesh.sizes.size(), int(shape.size()), TensorLayout::kReplicated)) {
        if (!divides(to)) continue;
        check(machine, from, to, before, reported);
        if (QTest::currentTestFailed()) return;
      }
    }
    QVERIFY(reported.direct > 20 && reported.direct < reported.all);
  }

  void partsAreContiguousAndEven() {
    QCOMPARE(rangeOf(10, 4, 0), (IndexRange{0, 2}));
    QCOMPARE(rangeOf(10, 4, 3), (IndexRange{7, 10}));
    const std::int64_t large = std::int64_t{1} << 40;
    QCOMPARE(rangeOf(large, 1 << 20, (1 << 20) - 1), (IndexRange{large - (1 << 20), large}));
  }

 private:
  static void check(const SetMachine& machine, const TensorLayout& from, const TensorLayout& to,
                    const std::vector<SetMachine::Elements>& before, Told& reported) {
    const QByteArray what = textOf(from, to).toUtf8();
    const Redistribution found = redistribution(from, to, machine.mesh(), double(machine.elements()));
    const auto axes = test::neededAxes(machine, from, to);
    unsigned moving = 0;
    bool direct = true;
    for (std::int8_t d = 0; d < 3; ++d) {
      if (from.axesAt(d) != to.axesAt(d)) direct = direct && machine.nests(from, to, d);
    }
    for (const MeshCollective collective : kOrder) {
      QVERIFY2(found.step(collective).axes == axes[std::size_t(collective)], what.constData());
      moving |= axes[std::size_t(collective)];
    }
    auto held = before;
    if (direct) machine.forget(held, to, moving);
    double received = 0;
    for (const MeshCollective collective : kOrder) {
      const unsigned over = axes[std::size_t(collective)];
      if (over == 0) continue;
      const auto after = machine.after(collective, over, held, to);
      QVERIFY2(after.has_value(), what.constData());
      const auto& measured = collective == MeshCollective::AllGather ? *after : held;
      const double elements = found.step(collective).elements;
      for (const SetMachine::Elements& of : test::filled(measured)) {
        QVERIFY2(direct ? double(of.size()) == elements : double(of.size()) >= elements, what.constData());
      }
      received += elements * (1 - 1.0 / double(machine.mesh().sizeOf(MeshAxes(over))));
      held = *after;
    }
    const auto wanted = machine.held(to);
    double lacking = 0;
    for (std::size_t device = 0; device < wanted.size(); ++device) {
      double missing = 0;
      for (const auto& [element, one] : wanted[device]) {
        QVERIFY2(held[device].count(element) == 1 && held[device].at(element) == machine.whole(from), what.constData());
        missing += before[device].count(element) == 0 ? 1 : 0;
      }
      QCOMPARE(double(wanted[device].size()), found.elements);
      lacking = std::max(lacking, missing);
    }
    ++reported.all;
    if (!direct || from.axesAt(TensorLayout::kPartial) != 0) return;
    ++reported.direct;
    QVERIFY2(std::abs(received - lacking) <= 1e-9 * lacking, what.constData());
  }
};

QTEST_APPLESS_MAIN(TestRedistribution)
#include "tst_redistribution.moc"
