// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_progress.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "app/cli/output.h"

namespace p2::cli {
namespace {

constexpr std::chrono::milliseconds kMoment{200};

}  // namespace

TerminalProgress::TerminalProgress(std::string what)
    : m_what(std::move(what)), m_visible(::isatty(STDERR_FILENO) != 0) {}

TerminalProgress::~TerminalProgress() {
  if (m_shown) showPassingLine({});
}

Progress TerminalProgress::progress() {
  if (!m_visible) return {};
  return [this](double done) { show(done); };
}

void TerminalProgress::show(double done) {
  constexpr double kPercent = 100;
  const auto now = Clock::now();
  if (now - m_last < kMoment) return;
  m_last = now;
  m_shown = true;
  showPassingLine(m_what + ", " + std::to_string(static_cast<int>(kPercent * std::clamp(done, 0.0, 1.0))) + " %");
}

}  // namespace p2::cli
