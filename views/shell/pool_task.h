// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRunnable>
#include <functional>

#include "base/handover.h"

namespace p2::views {

/// Something to be called once on a thread of a QThreadPool, which deletes it there. The thread finds the handover
/// without reading what is handed over, as it could not if that were captured by the function.
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
