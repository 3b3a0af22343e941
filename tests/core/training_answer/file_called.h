// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <string_view>
#include <vector>

#include "training_answer/launch_files.h"

namespace p2::test {

inline const LaunchFile& fileCalled(const std::vector<LaunchFile>& files, std::string_view name) {
  for (const LaunchFile& each : files) {
    if (each.name == name) return each;
  }
  qFatal("no such file");
}

}  // namespace p2::test
