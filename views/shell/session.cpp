// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/session.h"

#include <QTimer>
#include <algorithm>
#include <utility>

#include "views/shell/workspace_edit.h"

namespace p2::views {
namespace {

constexpr std::uint64_t kProgramsKept = 200'000;

/// The part of a workspace that decides what an exploration finds.
Workspace questionOf(Workspace workspace) {
  workspace.matrix = {};
  workspace.program.clear();
  workspace.notes.clear();
  workspace.strategy = {};
  workspace.source.clear();
  return workspace;
}

/// As many programs of each placement as stay affordable when there are many placements.
std::size_t affordablePrograms(const Workspace& workspace) {
  const std::uint64_t placements = countMatrices(sizesOf(workspace.axes), workspace.system.counts()).clamped64();
  return std::clamp<std::uint64_t>(kProgramsKept / std::max<std::uint64_t>(placements, 1), 20, 1000);
}

int indexOf(const Exploration& exploration, const ParallelismMatrix& matrix) {
  const auto& all = exploration.placements;
  const auto it = std::find_if(all.begin(), all.end(), [&](const PlacementResult& p) { return p.matrix == matrix; });
  return it == all.end() ? -1 : int(it - all.begin());
}

int indexOf(const PlacementResult& placement, const std::string& text) {
  const auto wanted = parseProgram(*placement.hierarchy, text);
  if (!wanted.ok()) return -1;
  const auto& all = placement.programs;
  const auto it = std::find_if(all.begin(), all.end(), [&](const ProgramResult& r) { return r.program == *wanted; });
  return it == all.end() ? -1 : int(it - all.begin());
}

}  // namespace

struct Session::Private {
  explicit Private(Session* session) : q(session) {}

  Session* q;
  std::shared_ptr<const Workspace> workspace = std::make_shared<const Workspace>();
  std::shared_ptr<const Exploration> exploration;
  std::optional<Error> problem;
  QUndoStack undo;
  QTimer exploreSoon;
  int exploreJob = 0;
  int placementIndex = -1;
  int programIndex = -1;
  int stepIndex = -1;
  std::optional<Program> stepped;  // whose step stepIndex is
  // What the user chose last. It outlives explorations that lack it, so that undo finds it again.
  ParallelismMatrix chosenMatrix;
  std::string chosenProgram;
  Device hovered = -1;
  // Last, so that its threads end before anything they report to is gone.
  JobQueue jobs;

  void show(std::shared_ptr<const Workspace> next);
  void startExploring(std::optional<std::size_t> programsPerPlacement = {});
  void finish(const Workspace& asked, Result<std::shared_ptr<const Exploration>> result);
  void restoreSelection();
  void restoreStep();
};

void Session::Private::show(std::shared_ptr<const Workspace> next) {
  workspace = std::move(next);
  const auto checked = checkWorkspace(questionOf(*workspace));
  problem = checked.ok() ? std::nullopt : std::optional(checked.error());
  q->setHoveredDevice(-1);
  emit q->workspaceChanged();
  emit q->explorationChanged();
  if (problem || q->isCurrent()) {
    exploreSoon.stop();
    jobs.cancel(exploreJob);
  } else {
    exploreSoon.start();
  }
}

void Session::Private::startExploring(std::optional<std::size_t> programsPerPlacement) {
  const Workspace question = questionOf(*workspace);
  // Other axes or options on the same system: its links and routes are known.
  std::shared_ptr<const Topology> known;
  if (exploration && *exploration->topology->system() == question.system) known = exploration->topology;
  exploreJob = jobs.start<std::shared_ptr<const Exploration>>(
      Session::tr("Exploring placements and programs"), QStringLiteral("explore"),
      [question, known, programsPerPlacement](std::stop_token stop, const Progress& progress) {
        ExploreScope scope;
        scope.programsPerPlacement = programsPerPlacement.value_or(affordablePrograms(question));
        return known ? exploreOn(known, question, scope, false, std::move(stop), progress)
                     : explore(question, scope, false, std::move(stop), progress);
      },
      [this, question](auto result) { finish(question, std::move(result)); });
}

void Session::Private::finish(const Workspace& asked, Result<std::shared_ptr<const Exploration>> result) {
  if (asked != questionOf(*workspace)) return;
  if (!result.ok()) {
    problem = result.error();
    emit q->explorationChanged();
    return;
  }
  exploration = std::move(result).value();
  restoreSelection();
  restoreStep();
  emit q->explorationChanged();
  emit q->selectionChanged();
}

void Session::Private::restoreSelection() {
  placementIndex = programIndex = -1;
  if (exploration->placements.empty()) return;
  const int kept = indexOf(*exploration, chosenMatrix);
  placementIndex = kept >= 0 ? kept : exploration->bestPlacement;
  const PlacementResult& placement = exploration->placements[std::size_t(placementIndex)];
  if (placement.programs.empty()) return;
  programIndex = kept >= 0 ? std::max(0, indexOf(placement, chosenProgram)) : 0;
}

void Session::Private::restoreStep() {
  const ProgramResult* chosen = q->program();
  const std::optional<Program> program = chosen ? std::optional(chosen->program) : std::nullopt;
  if (program == stepped) return;
  stepped = program;
  q->setStepIndex(0);
}

Session::Session(QObject* parent) : QObject(parent), d(std::make_unique<Private>(this)) {
  d->exploreSoon.setSingleShot(true);
  d->exploreSoon.setInterval(0);
  connect(&d->exploreSoon, &QTimer::timeout, this, &Session::exploreAgain);
}

Session::~Session() = default;

std::shared_ptr<const Workspace> Session::workspace() const { return d->workspace; }
QUndoStack& Session::undoStack() { return d->undo; }

void Session::edit(const QString& text, Workspace next, const QString& mergeKey) {
  if (next == *d->workspace) return;
  d->undo.push(new WorkspaceEdit(text, mergeKey, d->workspace, std::make_shared<const Workspace>(std::move(next)),
                                 [this](auto workspace) { d->show(std::move(workspace)); }));
}

void Session::reset(Workspace workspace) {
  d->undo.clear();
  d->exploration.reset();
  d->placementIndex = d->programIndex = -1;
  d->chosenMatrix = std::exchange(workspace.matrix, {});
  d->chosenProgram = std::exchange(workspace.program, {});
  d->restoreStep();
  d->show(std::make_shared<const Workspace>(std::move(workspace)));
  emit selectionChanged();
}

void Session::exploreAgain() {
  if (checkWorkspace(questionOf(*d->workspace)).ok()) d->startExploring();
}

std::shared_ptr<const Exploration> Session::exploration() const { return d->exploration; }
std::optional<Error> Session::problem() const { return d->problem; }

bool Session::isCurrent() const {
  return d->exploration && !d->problem && d->exploration->workspace == questionOf(*d->workspace);
}

void Session::wantMorePrograms() {
  if (!isCurrent()) return;
  const auto running = d->jobs.running();
  const bool busy =
      std::any_of(running.begin(), running.end(), [this](const JobQueue::Job& job) { return job.id == d->exploreJob; });
  bool more = false;
  std::size_t listed = 0;
  for (const PlacementResult& placement : d->exploration->placements) {
    more |= placement.programCount > Count(placement.programs.size());
    listed = std::max(listed, placement.programs.size());
  }
  if (more && !busy) d->startExploring(listed * 4);
}

int Session::placementIndex() const { return d->placementIndex; }
int Session::programIndex() const { return d->programIndex; }

const PlacementResult* Session::placement() const {
  return d->placementIndex < 0 ? nullptr : &d->exploration->placements[std::size_t(d->placementIndex)];
}

const ProgramResult* Session::program() const {
  return d->programIndex < 0 ? nullptr : &placement()->programs[std::size_t(d->programIndex)];
}

void Session::select(int placementIndex, int programIndex) {
  if (!d->exploration || d->exploration->placements.empty()) return;
  placementIndex = std::clamp(placementIndex, 0, int(d->exploration->placements.size()) - 1);
  const PlacementResult& chosen = d->exploration->placements[std::size_t(placementIndex)];
  programIndex = std::clamp(programIndex, chosen.programs.empty() ? -1 : 0, int(chosen.programs.size()) - 1);
  d->chosenMatrix = chosen.matrix;
  d->chosenProgram.clear();
  if (programIndex >= 0) {
    d->chosenProgram = programText(*chosen.hierarchy, chosen.programs[std::size_t(programIndex)].program);
  }
  if (placementIndex == d->placementIndex && programIndex == d->programIndex) return;
  d->placementIndex = placementIndex;
  d->programIndex = programIndex;
  d->restoreStep();
  emit selectionChanged();
}

int Session::stepIndex() const { return d->stepIndex; }

void Session::setStepIndex(int step) {
  const int steps = program() ? int(program()->program.size()) : 0;
  step = std::min(std::max(step, 0), steps - 1);
  if (std::exchange(d->stepIndex, step) != step) emit stepChanged();
}

Workspace Session::workspaceWithSelection() const {
  Workspace workspace = *d->workspace;
  if (!isCurrent()) {
    // Only a choice that still fits may be written down: it has to open again.
    workspace.matrix = d->chosenMatrix;
    workspace.program = d->chosenProgram;
    if (checkWorkspace(workspace).ok()) return workspace;
    workspace.matrix = {};
    workspace.program.clear();
  } else if (placement()) {
    workspace.matrix = placement()->matrix;
    if (program()) workspace.program = programText(*placement()->hierarchy, program()->program);
  }
  return workspace;
}

Device Session::hoveredDevice() const { return d->hovered; }

void Session::setHoveredDevice(Device device) {
  if (std::exchange(d->hovered, device) != device) emit hoverChanged();
}

JobQueue& Session::jobs() { return d->jobs; }

}  // namespace p2::views
