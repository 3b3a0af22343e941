// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <bit>

#include "strategy/detail/configuration_space.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

Operator operatorOf(const std::vector<std::int64_t>& sizes) {
  Operator op{"op", OperatorKind::Gemm, {}, {}};
  for (const std::int64_t size : sizes)
    op.dimensions.push_back({std::string(1, char('a' + op.dimensions.size())), size, true});
  return op;
}

bool belongs(const Operator& op, const ConfigurationSpace& space, std::int64_t devices, const Configuration& parts) {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    const std::int64_t part = parts[d];
    const std::int64_t size = op.dimensions[d].size;
    product *= part;
    if (part > size || (!op.dimensions[d].splittable && part > 1)) return false;
    if (space.kind == SpaceKind::PowersOfTwo && !std::has_single_bit(std::uint64_t(part))) return false;
    if (space.kind == SpaceKind::Divisors && part > 1 && (size % part != 0 || size / part < space.cutoff)) return false;
  }
  if (space.dividing && devices % product != 0) return false;
  return space.exactly ? product == devices : product <= devices;
}

}  // namespace

class TestConfigurationSpace : public QObject {
  Q_OBJECT
 private slots:
  // Against every tuple of numbers from 1 to the devices, tested one by one.
  void theListIsWhatBelongs() {
    int lists = 0;
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{}, {6}, {1, 12}, {12, 18}, {4, 9, 10}, {16, 3, 64}, {128, 4096, 9216}}) {
      for (const std::int64_t devices : {1, 2, 6, 8, 12}) {
        for (int flags = 0; flags < 24; ++flags) {
          ConfigurationSpace space{SpaceKind(flags % 3), flags / 12 == 0 ? 2 : 8, flags / 3 % 2 == 1,
                                   flags / 6 % 2 == 1};
          Operator op = operatorOf(sizes);
          if (sizes.size() == 3 && flags % 5 == 0) op.dimensions[1].splittable = false;
          std::vector<Configuration> wanted;
          Configuration parts(sizes.size(), 1);
          for (bool more = true; more;) {
            if (belongs(op, space, devices, parts)) wanted.push_back(parts);
            more = false;
            for (std::size_t d = sizes.size(); d-- > 0 && !more;) {
              more = ++parts[d] <= devices;
              if (!more) parts[d] = 1;
            }
          }
          QCOMPARE(countConfigurations(op, space, devices), Count(wanted.size()));
          const auto listed = configurationsOf(op, space, devices);
          QCOMPARE(listed.ok(), !wanted.empty());
          if (listed.ok()) QCOMPARE(*listed, wanted);
          ++lists;
        }
      }
    }
    QCOMPARE(lists, 7 * 5 * 24);
  }

  void tooManyAreRefusedBeforeTheyAreListed() {
    const ConfigurationSpace all{SpaceKind::All};
    const Operator large = operatorOf({1 << 20, 1 << 20, 1 << 20, 1 << 20});
    for (const std::int64_t devices : {std::int64_t{4096}, std::int64_t{1} << 24}) {
      const auto refused = configurationsOf(large, all, devices);
      QVERIFY(!refused.ok());
      QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
      QVERIFY(countConfigurations(large, all, devices) > Count(kMostConfigurations));
    }
  }

  void nothingFitsExactly() {
    const auto refused = configurationsOf(operatorOf({7, 5}), {SpaceKind::Divisors, 1, true}, 8);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("\"op\" cannot be split into exactly 8 parts") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestConfigurationSpace)
#include "tst_configuration_space.moc"
