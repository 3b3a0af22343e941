// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRunnable>
#include <functional>

#include "base/handover.h"

namespace p2::views {

/// A function that a thread of a QThreadPool calls once and deletes. The handover is found without reading the captured
/// values.
class PoolTask : public QRunnable {
 public:
  explicit PoolTask(std::function<void()> work) : m_work(std::move(work)) { m_handover.handOver(); }
  void run() override {
    m_handover.takeOver();
    m_work();
  }

 private:
  Handover m_handover;
  std::function<void()> m_work;
};

}  // namespace p2::views
