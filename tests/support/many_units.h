// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

// Read before every unit of a program that holds all units of a room (P2_TESTS_TOGETHER): what would be its main() is
// one of many there, which many_units.cpp calls by the name of the unit's file.
namespace p2::test {

using UnitMain = int (*)(int, char*[]);

/// Makes a unit known under the name of the file that it is written in, "tst_flows". Use: one static object per unit.
class KnownUnit {
 public:
  KnownUnit(const char* file, UnitMain unitMain);
};

}  // namespace p2::test

#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)               \
  static int mainOf##TestObject(int argc, char* argv[]) { \
    QTest::Internal::callInitMain<TestObject>();          \
    __VA_ARGS__                                           \
    TestObject test;                                      \
    QTEST_SET_MAIN_SOURCE_PATH                            \
    return QTest::qExec(&test, argc, argv);               \
  }                                                       \
  static const p2::test::KnownUnit known##TestObject(__FILE__, mainOf##TestObject);
