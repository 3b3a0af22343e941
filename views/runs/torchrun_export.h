// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "base/result.h"
#include "views/runs/run_queue.h"

class QWidget;

namespace p2::views {

class JobQueue;

/// Asks for a file, writes the programs into it as a Python script for PyTorch, and passes on the command that runs the
/// script with the bytes, repetitions and pieces of the first order. A single program comes with its goal's single
/// collective for comparison. `orders` is not empty.
void exportTorchrun(QWidget* parent, JobQueue& jobs, std::vector<RunOrder> orders,
                    std::function<void(Result<QString>)> done, std::function<void()> cancelled);

}  // namespace p2::views
