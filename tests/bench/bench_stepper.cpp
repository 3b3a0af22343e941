// SPDX-License-Identifier: GPL-3.0-or-later
// How long one frame of the stepper takes: 64 devices with 64 chunks each, in the middle of a step.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include "views/stage/stage_painter.h"
#include "workspace/presets.h"

namespace {

std::shared_ptr<const p2::views::Replay> replayOf64() {
  p2::Workspace workspace;
  workspace.system = p2::presetSystem("gcp-a100", 4).value();
  workspace.axes = {{"data", 64, true}};
  const auto exploration = p2::explore(workspace, {}).value();
  return p2::views::makeReplay(*exploration, 0, exploration->placements[0].programs[0].program).value();
}

/// With the images of both states at hand, as in every frame but a step's first.
void paintFrame(benchmark::State& state) {
  p2::views::StagePainter painter;
  painter.setReplay(replayOf64());
  QImage screen(1280, 1024, QImage::Format_ARGB32_Premultiplied);
  painter.layout(screen.size(), 1);
  p2::views::StageFrame frame;
  for (auto _ : state) {
    QPainter canvas(&screen);
    frame.progress = frame.progress >= 0.9 ? 0.1 : frame.progress + 0.05;
    painter.paint(canvas, frame, screen.rect());
  }
}

/// A step's first frame, which has to draw the images.
void paintFirstFrame(benchmark::State& state) {
  p2::views::StagePainter painter;
  painter.setReplay(replayOf64());
  QImage screen(1280, 1024, QImage::Format_ARGB32_Premultiplied);
  p2::views::StageFrame frame;
  frame.progress = 0.5;
  for (auto _ : state) {
    painter.layout(screen.size(), 1);
    QPainter canvas(&screen);
    painter.paint(canvas, frame, screen.rect());
  }
}

BENCHMARK(paintFrame)->Unit(benchmark::kMillisecond);
BENCHMARK(paintFirstFrame)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
