// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QTest>

namespace p2::test {

/// Any warning fails the test function that is running; those of the platform without a screen, about what it cannot
/// do, are none. To be called from init(): after every function QTest forgets what is to fail it.
inline void failOnWarnings() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

}  // namespace p2::test
