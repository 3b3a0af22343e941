// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/near.h"
#include "base/units.h"
#include "lesson/detail/page_parts.h"
#include "lesson/lesson.h"
#include "synthesis/step_words.h"

namespace p2::inline lesson {
namespace {

/// "1F1B", "interleaved 1F1B", "ZB-H1": a schedule as papers call it.
std::string_view pipelineTitle(ScheduleKind schedule, int chunks) {
  switch (schedule) {
    case ScheduleKind::GPipe:
      return "GPipe";
    case ScheduleKind::OneF1B:
      return chunks > 1 ? "interleaved 1F1B" : "1F1B";
    case ScheduleKind::ZeroBubble1:
      return "ZB-H1";
    case ScheduleKind::ZeroBubble2:
      return "ZB-H2";
    case ScheduleKind::ZeroBubbleV:
      return "ZB-V";
    case ScheduleKind::DualPipe:
      return "DualPipe";
  }
  return {};
}

/// Seconds of a step in which each stage waits, as published, for equal stages and enough microbatches, without the
/// time of messages. With p stages, F, B and W seconds of a forward pass and of the gradients of inputs and weights:
/// GPipe and 1F1B (p − 1)(F + B + W), with v chunks a v-th of it (Narayanan et al., SC 2021, §2.2); ZB-H1
/// (p − 1)(F + B − W), ZB-H2 (p − 1)(F + B − 2W) (Qi et al., arXiv 2401.10241, table 2), not below 0; ZB-V 0 where
/// F = B = W (arXiv 2405.15362); DualPipe (p/2 − 1)(F + 2B − W), which is its (PP/2 − 1)(F&B + B − 3W) where forward
/// and backward passes do not overlap and B there includes W (arXiv 2412.19437, table 2). None where nothing is
/// published.
std::optional<double> publishedBubble(const PipelineScene& scene) {
  const double ahead = scene.stages - 1;
  const double forward = scene.forward;
  const double backward = scene.backward;
  const double weights = scene.weights;
  switch (scene.schedule) {
    case ScheduleKind::GPipe:
      return ahead * (forward + backward + weights);
    case ScheduleKind::OneF1B:
      return ahead * (forward + backward + weights) / scene.chunks;
    case ScheduleKind::ZeroBubble1:
      return std::max(0.0, ahead * (forward + backward - weights));
    case ScheduleKind::ZeroBubble2:
      return std::max(0.0, ahead * (forward + backward - 2 * weights));
    case ScheduleKind::ZeroBubbleV:
      if (!nearlyEqual(forward, backward) || !nearlyEqual(forward, weights)) return std::nullopt;
      return 0;
    case ScheduleKind::DualPipe:
      return std::max(0.0, (scene.stages / 2.0 - 1) * (forward + 2 * backward - weights));
  }
  return std::nullopt;
}

using PassKind = PlayedPass::Kind;

std::vector<std::vector<StageWork>> workOf(const PipelineScene& scene) {
  const double share = scene.schedule == ScheduleKind::DualPipe ? 1 : 1.0 / scene.chunks;
  const StageWork work{scene.forward * share, scene.backward * share, scene.weights * share};
  return std::vector<std::vector<StageWork>>(static_cast<std::size_t>(scene.stages),
                                             std::vector<StageWork>(static_cast<std::size_t>(scene.chunks), work));
}

SliceKind passSlice(PassKind kind) {
  return kind == PassKind::Forward    ? SliceKind::Forward
         : kind == PassKind::Backward ? SliceKind::Backward
                                      : SliceKind::Weights;
}

double firstStartOf(const std::vector<PlayedPass>& stage) { return stage.empty() ? 0 : stage.front().start; }

/// When the last pass of the step ends.
double endOf(const PlayedPipeline& played) {
  double last = 0;
  for (const auto& stage : played.stages) {
    for (const PlayedPass& pass : stage) last = std::max(last, pass.start + pass.seconds);
  }
  return last;
}

/// The whole step, bubbles included. Where stages begin the next step while others are still finishing this one, a
/// stage waits for no microbatch before its first pass, and after its last pass only until its next step.
Timeline pipelineTimeline(const PipelineScene& scene, const PlayedPipeline& played) {
  const double last = endOf(played);
  const bool joins = definitelyLess(played.seconds, last);
  TimelineBuilder builder(std::string(pipelineTitle(scene.schedule, scene.chunks)) +
                          (joins ? ", a step every " + formatSeconds(played.seconds) : ""));
  const std::uint32_t bubble = builder.detail({SliceKind::Bubble, "bubble", 0, {}, {}, "waits for a microbatch"});
  for (std::size_t s = 0; s < played.stages.size(); ++s) {
    const std::uint32_t track = builder.track("pipeline", "stage " + std::to_string(s));
    const double begin = joins ? firstStartOf(played.stages[s]) : 0;
    double end = begin;
    const auto wait = [&](double until) {
      if (definitelyLess(end, until)) builder.slice({track, bubble, 0, -1, end, until - end});
    };
    for (const PlayedPass& pass : played.stages[s]) {
      wait(pass.start);
      SliceDetail detail{passSlice(pass.kind), std::string(nameOf(passSlice(pass.kind))), 0, {}, {}, {}};
      if (scene.chunks > 1) detail.note = "chunk " + std::to_string(pass.chunk);
      builder.slice(
          {track, builder.detail(detail), 0, static_cast<std::int32_t>(pass.microbatch), pass.start, pass.seconds});
      end = pass.start + pass.seconds;
    }
    wait(joins ? begin + played.seconds : last);
  }
  return builder.take();
}

std::vector<double> momentsOf(const Timeline& timeline) {
  std::vector<double> moments;
  for (const TimelineSlice& slice : timeline.slices) {
    if (timeline.detailOf(slice).kind != SliceKind::Bubble) moments.push_back(slice.start);
  }
  moments.push_back(timeline.seconds);
  std::sort(moments.begin(), moments.end());
  const double close = timeline.seconds * kArithmeticTolerance;
  moments.erase(std::unique(moments.begin(), moments.end(), [close](double a, double b) { return b - a <= close; }),
                moments.end());
  return moments;
}

void addScheduleFacts(LessonFacts& facts, const std::string& prefix, const PipelineScene& scene,
                      const PlayedPipeline& played) {
  const double busy = scene.microbatches * (scene.forward + scene.backward + scene.weights);
  // Sums of floating-point seconds differ from 0 where nothing waits.
  const double rest = played.seconds - busy;
  const double waits = rest > kArithmeticTolerance * busy ? rest : 0;
  facts.setSeconds(prefix + "seconds", played.seconds);
  facts.setSeconds(prefix + "bubble_seconds", waits);
  facts.setShare(prefix + "bubble", waits / played.seconds);
  facts.setShare(prefix + "bubble_of_work", waits / busy);
  if (const auto published = publishedBubble(scene)) facts.setSeconds(prefix + "published_bubble", *published);
  const double share = scene.schedule == ScheduleKind::DualPipe ? 1 : 1.0 / scene.chunks;
  double most = 0;
  for (std::size_t s = 0; s < played.inFlight.size(); ++s) {
    const double held = static_cast<double>(played.inFlight[s]) * share;
    facts.setCount(prefix + "in_flight" + std::to_string(s), held);
    most = std::max(most, held);
  }
  facts.setCount(prefix + "in_flight", most);
}

/// These stages and passes under another schedule; none where it cannot play them.
std::optional<PipelineScene> otherScene(PipelineScene scene, ScheduleKind schedule, int chunks) {
  scene.schedule = schedule;
  scene.chunks = chunks;
  const bool dual = schedule == ScheduleKind::DualPipe;
  if (dual && (scene.stages % 2 != 0 || scene.microbatches % 2 != 0)) return std::nullopt;
  if (schedule == ScheduleKind::OneF1B && chunks > 1 && scene.microbatches % scene.stages != 0) return std::nullopt;
  return scene;
}

struct Named {
  std::string_view name;
  ScheduleKind schedule;
  int chunks;
};
constexpr std::array kNamedSchedules{
    Named{"gpipe", ScheduleKind::GPipe, 1},        Named{"1f1b", ScheduleKind::OneF1B, 1},
    Named{"interleaved", ScheduleKind::OneF1B, 2}, Named{"zb1p", ScheduleKind::ZeroBubble1, 1},
    Named{"zb2p", ScheduleKind::ZeroBubble2, 1},   Named{"zbv", ScheduleKind::ZeroBubbleV, 2},
    Named{"dualpipe", ScheduleKind::DualPipe, 2}};

std::string passName(const PipelineScene& scene, const PlayedPass& pass) {
  constexpr std::array<const char*, 3> kLetters{"F", "B", "W"};
  std::string name = kLetters[static_cast<std::size_t>(pass.kind)] + std::to_string(pass.microbatch);
  return scene.chunks == 1 ? name : name + ", chunk " + std::to_string(pass.chunk);
}

Result<OrderedItems> passesOf(const PreparedPage& prepared, const OrderTask& task) {
  if (!prepared.page.pipeline) return Error{"only a page of a pipeline has passes to be put in order", "/task/order"};
  const PipelineScene& scene = *prepared.page.pipeline;
  if (task.stage >= scene.stages) {
    return Error{"there is no stage " + std::to_string(task.stage) + "; there are " + std::to_string(scene.stages) +
                     ", counted from 0",
                 "/task/stage"};
  }
  const PlayedPipeline played = playPipeline(scene.schedule, workOf(scene), scene.microbatches, scene.send);
  std::vector<PlayedPass> first = played.stages[static_cast<std::size_t>(task.stage)];
  first.resize(std::min(first.size(), static_cast<std::size_t>(task.count)));
  OrderedItems items;
  std::vector<std::size_t> places(first.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  // By kind and number they tell nothing; the right order would.
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(first[a].kind, first[a].microbatch, first[a].chunk) <
           std::tuple(first[b].kind, first[b].microbatch, first[b].chunk);
  });
  items.right.resize(first.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    items.items.push_back(passName(scene, first[places[i]]));
    items.right[places[i]] = i;
  }
  return items;
}

Result<OrderedItems> stepsOf(const PreparedPage& prepared) {
  if (!prepared.page.isProgram()) return Error{"this page has no program to be put in order", "/task/order"};
  OrderedItems items;
  std::vector<std::size_t> places(prepared.program.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return prepared.program[a] < prepared.program[b]; });
  items.right.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    items.items.push_back(stepWords(*prepared.result().hierarchy, prepared.program[places[i]]));
    items.right[places[i]] = i;
  }
  return items;
}

/// The number of the program's step that is offered at this place.
std::size_t stepAt(const OrderedItems& items, std::size_t place) {
  return static_cast<std::size_t>(std::find(items.right.begin(), items.right.end(), place) - items.right.begin());
}

Program programInOrder(const PreparedPage& prepared, const OrderedItems& items, const std::vector<std::size_t>& order) {
  Program program;
  for (const std::size_t place : order) program.push_back(prepared.program[stepAt(items, place)]);
  return program;
}

/// Whether the steps reach the goal in this order.
bool isSolved(const PreparedPage& prepared, const OrderedItems& items, const std::vector<std::size_t>& order) {
  const auto trace = traceOf(prepared, programInOrder(prepared, items, order));
  return trace.ok() && trace->complete();
}

/// Several orders of a program can reach its goal: offers the first one that does not.
OrderedItems unsolved(const PreparedPage& prepared, OrderedItems items) {
  constexpr int kMostTried = 120;
  std::vector<std::size_t> order(items.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  bool more = true;
  for (int i = 0; more && i < kMostTried && isSolved(prepared, items, order); ++i) {
    more = std::next_permutation(order.begin(), order.end());
  }
  OrderedItems offered;
  offered.right.resize(order.size());
  for (std::size_t at = 0; at < order.size(); ++at) {
    offered.items.push_back(items.items[order[at]]);
    offered.right[stepAt(items, order[at])] = at;
  }
  return offered;
}

}  // namespace

void preparePipeline(PreparedPage& prepared, const PipelineScene& scene) {
  const PlayedPipeline played = playPipeline(scene.schedule, workOf(scene), scene.microbatches, scene.send);
  prepared.timeline = std::make_shared<const Timeline>(pipelineTimeline(scene, played));
  prepared.moments = momentsOf(*prepared.timeline);
  LessonFacts& facts = prepared.facts;
  facts.set("schedule", std::string(pipelineTitle(scene.schedule, scene.chunks)));
  facts.setCount("stages", scene.stages);
  facts.setCount("microbatches", scene.microbatches);
  facts.setCount("chunks", scene.chunks);
  facts.setSeconds("forward", scene.forward);
  facts.setSeconds("backward", scene.backward);
  facts.setSeconds("weights", scene.weights);
  facts.setSeconds("send", scene.send);
  facts.setSeconds("work", scene.microbatches * (scene.forward + scene.backward + scene.weights));
  addScheduleFacts(facts, {}, scene, played);
  for (const Named& each : kNamedSchedules) {
    const auto other = otherScene(scene, each.schedule, each.chunks);
    if (!other) continue;
    addScheduleFacts(facts, std::string(each.name) + ".", *other,
                     playPipeline(each.schedule, workOf(*other), other->microbatches, other->send));
    facts.set(std::string(each.name) + ".title", std::string(pipelineTitle(each.schedule, each.chunks)));
  }
}

Result<OrderedItems> itemsOf(const PreparedPage& prepared, const OrderTask& task) {
  auto items = task.what == OrderTask::What::Passes ? passesOf(prepared, task) : stepsOf(prepared);
  if (!items.ok()) return items;
  if (items->items.size() < 2) return Error{"there are fewer than two things to be put in order", "/task/order"};
  if (task.what == OrderTask::What::Program) return unsolved(prepared, std::move(items).value());
  if (std::is_sorted(items->right.begin(), items->right.end())) {
    // Offered in their right order they would be solved already.
    std::reverse(items.value().items.begin(), items.value().items.end());
    for (std::size_t& place : items.value().right) place = items->items.size() - 1 - place;
  }
  return items;
}

Program orderedProgram(const PreparedPage& prepared, const std::vector<std::size_t>& order) {
  return programInOrder(prepared, prepared.order, order);
}

}  // namespace p2::inline lesson
