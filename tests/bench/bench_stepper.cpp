// SPDX-License-Identifier: GPL-3.0-or-later
// How long one frame of the stage takes: 64 devices with 64 chunks each and 1,024 devices with 1,024, in the middle of
// a step and at rest, and the longest of a whole step. Prints milliseconds and what they make in frames per second.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <ctime>
#include <map>
#include <utility>

#include "views/stage/choreographer.h"
#include "views/stage/stage_painter.h"
#include "workspace/presets.h"

namespace {

constexpr double kMostMilliseconds = 16;
constexpr int kFrames = 40;  // of a step, so that each is another moment

std::shared_ptr<const p2::views::Replay> madeReplay(std::int64_t nodes, bool ring) {
  p2::Workspace workspace;
  workspace.system = p2::presetSystem("gcp-a100", nodes).value();
  workspace.axes = {{"data", workspace.system.deviceCount(), true}};
  p2::ExploreScope scope;
  scope.programsPerPlacement = 1;
  const auto exploration = p2::exploreWorkspace(workspace, scope).value();
  const auto& hierarchy = *exploration->placements[0].hierarchy;
  const std::string outer = hierarchy.levels().front().name;
  const auto program =
      p2::parseProgram(hierarchy, ring ? "root:InsideGroup:AllReduce"
                                       : outer + ":InsideGroup:ReduceScatter; " + outer +
                                             ":Parallel(root):AllReduce; " + outer + ":InsideGroup:AllGather");
  return p2::views::makeReplay(*exploration, 0, program.value()).value();
}

std::shared_ptr<const p2::views::Replay> replayWith(std::int64_t nodes, bool ring = false) {
  static std::map<std::pair<std::int64_t, bool>, std::shared_ptr<const p2::views::Replay>> replays;
  auto& replay = replays[{nodes, ring}];
  if (!replay) replay = madeReplay(nodes, ring);
  return replay;
}

/// Of this thread, so that other programs do not count.
double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

void report(benchmark::State& state) {
  state.counters["fps"] = benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["budget_ms"] = kMostMilliseconds;
}

/// Step range(1) under way, frame after frame; zoomed by range(2) percent.
void paintFrame(benchmark::State& state) {
  p2::views::StagePainter painter;
  painter.setReplay(replayWith(state.range(0)));
  QImage screen(1280, 1024, QImage::Format_ARGB32_Premultiplied);
  painter.layout(screen.size());
  const double zoom = double(state.range(2)) / 100;
  painter.setScale(zoom, 1);
  p2::views::StageFrame frame;
  frame.step = int(state.range(1));
  const QRectF exposed(0, -20, screen.width() / zoom, screen.height() / zoom);
  const auto draw = [&](int at) {
    QPainter canvas(&screen);
    canvas.setRenderHint(QPainter::Antialiasing);
    canvas.scale(zoom, zoom);
    canvas.translate(0, 20);
    frame.progress = (at + 0.5) / kFrames;
    painter.paint(canvas, frame, exposed);
  };
  draw(0);
  int at = 0;
  for (auto _ : state) draw(at++ % kFrames);
  report(state);
}

/// The second step, or the only one of a single ring over all, at 60 frames a second and none of whose pictures is
/// there before; the longest of its frames.
void playStep(benchmark::State& state) {
  constexpr int kFramesOfAStep = 300;
  const bool ring = state.range(1) != 0;
  const int played = ring ? 0 : 1;
  p2::views::StagePainter painter;
  painter.setReplay(replayWith(state.range(0), ring));
  QImage screen(1280, 1024, QImage::Format_ARGB32_Premultiplied);
  double longest = 0;
  const auto draw = [&](int step, double progress) {
    const double begin = cpuMilliseconds();
    p2::views::StageFrame frame;
    frame.step = step;
    frame.progress = progress;
    QPainter canvas(&screen);
    painter.paint(canvas, frame, screen.rect());
    return cpuMilliseconds() - begin;
  };
  for (auto _ : state) {
    painter.layout(screen.size());
    draw(played, 0);
    for (int at = 0; at < kFramesOfAStep; ++at) {
      longest = std::max(longest, draw(played, (at + 0.5) / kFramesOfAStep));
    }
  }
  state.counters["longest_ms"] = longest;
  state.counters["budget_ms"] = kMostMilliseconds;
}

void makeChoreography(benchmark::State& state) {
  const auto replay = replayWith(state.range(0));
  for (auto _ : state) {
    const auto made = p2::views::choreographed(*replay, p2::StepId(state.range(1)));
    benchmark::DoNotOptimize(made.flights.size());
  }
}

BENCHMARK(paintFrame)
    ->ArgNames({"nodes", "step", "zoom"})
    ->ArgsProduct({{4}, {0, 1, 2}, {100}})
    ->ArgsProduct({{64}, {0, 1, 2}, {100, 400}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(playStep)
    ->ArgNames({"nodes", "ring"})
    ->Args({4, 0})
    ->Args({4, 1})
    ->Args({64, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(makeChoreography)
    ->ArgNames({"nodes", "step"})
    ->ArgsProduct({{4, 64}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
