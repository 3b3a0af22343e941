// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/session.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <tuple>
#include <utility>

#include "runs/measured_program.h"
#include "views/shell/derived.h"
#include "views/shell/exploration_rows.h"
#include "views/shell/explore_question.h"
#include "views/shell/plan_follower.h"
#include "views/shell/step_planner.h"
#include "views/shell/taken_workload.h"
#include "views/shell/workspace_edit.h"

namespace p2::views {
namespace {

bool sameChoice(const Workspace& a, const Workspace& b) { return a.matrix == b.matrix && a.program == b.program; }

QString exploringTitle() { return Session::tr("Exploring placements and programs"); }

}  // namespace

struct Session::Private {
  using Explorer = Derived<ExploreQuestion, Exploration>;

  explicit Private(Session* session)
      : q(session), explorer(jobs, [](const ExploreQuestion& question, std::stop_token stop, const Progress& progress) {
          ExploreScope scope;
          scope.programsPerPlacement = question.programsPerPlacement;
          scope.limits = true;
          if (!question.known) return exploreWorkspace(question.workspace, scope, false, std::move(stop), progress);
          return exploreOn(question.known, question.workspace, scope, false, std::move(stop), progress);
        }) {}

  struct Freshness {
    bool current = false;
    bool exploring = false;
    std::optional<Error> problem;
    friend bool operator==(const Freshness&, const Freshness&) = default;
  };

  Session* q;
  std::shared_ptr<const Workspace> workspace = std::make_shared<const Workspace>();
  std::shared_ptr<const Exploration> exploration;
  std::optional<Error> invalid;  // why the workspace poses no question
  bool showing = false;          // show() is at work
  Freshness reported;
  QUndoStack undo;
  int placementIndex = -1;
  int programIndex = -1;
  StepId step;
  std::optional<Program> stepped;  // whose step that is
  ParallelismMatrix proposed;      // empty for none
  Device hovered;
  std::optional<PinnedRun> pinned;
  std::shared_ptr<const Exploration> pinnedIn;
  std::shared_ptr<const std::vector<MeasuredProgram>> measured = std::make_shared<const std::vector<MeasuredProgram>>();
  // Last, so that its threads end before anything they report to is gone.
  JobQueue jobs;
  Explorer explorer;
  StepPlanner planner{jobs};
  PlanFollower follower;

  enum class Scope { Changes, Everything };
  void show(std::shared_ptr<const Workspace> next, Scope scope);
  /// Reuses the topology of the last exploration if the system is unchanged; it does not depend on axes or options.
  [[nodiscard]] std::shared_ptr<const Topology> knownTopology() const {
    return exploration && *exploration->topology->system() == workspace->system ? exploration->topology : nullptr;
  }
  void ask();
  void followExplorer();
  [[nodiscard]] std::pair<int, int> chosenRows() const;
  void followChoice() {
    std::apply([this](int row, int program) { selectRows(row, program); }, chosenRows());
  }
  void selectRows(int placement, int program);
  void restoreStep();
  void tellFreshness();
  void followPlan();
};

void Session::Private::show(std::shared_ptr<const Workspace> next, Scope scope) {
  const QScopedValueRollback shown(showing, true);
  const auto before = std::exchange(workspace, std::move(next));
  const bool all = scope == Scope::Everything;
  const bool asked = all || !sameQuestion(*before, *workspace);
  if (asked) {
    const auto checked = checkWorkspace(exploredPartOf(*workspace));
    invalid = checked.ok() ? std::nullopt : std::optional(checked.error());
    q->setHoveredDevice({});
  }
  const bool changed = asked || before->strategy != workspace->strategy || before->workload != workspace->workload ||
                       before->planned != workspace->planned || !sameTraining(*before, *workspace);
  if (changed) emit q->workspaceChanged();
  if (asked || before->training != workspace->training) planner.setDocument(workspace);
  if (all || before->notes != workspace->notes) emit q->notesChanged();
  if (asked) ask();
  // While another question is being answered the rows of the last answer stay as they are.
  if (q->isCurrent() || !sameChoice(*before, *workspace)) followChoice();
}

void Session::Private::ask() {
  const auto& answered = explorer.answered();
  if (invalid) {
    explorer.withdraw();
  } else if (answered && sameQuestion(answered->workspace, *workspace)) {
    explorer.ask({}, *answered);
  } else {
    explorer.ask(exploringTitle(), {exploredPartOf(*workspace), affordablePrograms(*workspace), knownTopology()});
  }
  tellFreshness();
}

void Session::Private::followExplorer() {
  if (explorer.answer() != exploration) {
    exploration = explorer.answer();
    std::tie(placementIndex, programIndex) = chosenRows();
    restoreStep();
    emit q->explorationChanged();
    emit q->selectionChanged();
  }
  tellFreshness();
}

void Session::Private::tellFreshness() {
  Freshness now{q->isCurrent(), q->isExploring(), q->problem()};
  if (std::exchange(reported, now) != now) emit q->freshnessChanged();
}

std::pair<int, int> Session::Private::chosenRows() const {
  if (!exploration || exploration->placements.empty()) return {-1, -1};
  const int chosen = workspace->matrix.empty() ? -1 : placementRow(*exploration, workspace->matrix);
  const int proposal = proposed.empty() ? -1 : placementRow(*exploration, proposed);
  const int row = chosen >= 0 ? chosen : proposal >= 0 ? proposal : exploration->bestPlacement;
  const PlacementResult& placement = exploration->placements[std::size_t(row)];
  if (placement.programs.empty()) return {row, -1};
  return {row, chosen >= 0 ? std::max(0, programRow(placement, workspace->program)) : 0};
}

void Session::Private::selectRows(int placement, int program) {
  const bool moved = placement != placementIndex || program != programIndex;
  placementIndex = placement;
  programIndex = program;
  restoreStep();
  if (moved) emit q->selectionChanged();
}

void Session::Private::restoreStep() {
  const ProgramResult* chosen = q->program();
  const std::optional<Program> program = chosen ? std::optional(chosen->program) : std::nullopt;
  if (program == stepped) return;
  stepped = program;
  q->setStep(StepId(0));
}

/// A plan's axes and workload follow a change of cluster, model or batch, as a part of the last edit.
void Session::Private::followPlan() {
  // While showing, the edit is not on the stack yet.
  if (showing || undo.index() == 0 || undo.isClean()) return;
  auto next = follower.followed(*workspace, planner);
  if (!next) return;
  auto after = std::make_shared<const Workspace>(std::move(*next));
  auto* edit = static_cast<WorkspaceEdit*>(const_cast<QUndoCommand*>(undo.command(undo.index() - 1)));
  edit->amend(after);
  show(std::move(after), Scope::Changes);
}

Session::Session(QObject* parent) : QObject(parent), d(std::make_unique<Private>(this)) {
  connect(&d->explorer, &DerivedBase::changed, this, [this] { d->followExplorer(); });
  connect(&d->planner, &StepPlanner::changed, this, [this] {
    d->followPlan();
    emit trainingChanged();
    d->tellFreshness();
  });
}

Session::~Session() = default;

std::shared_ptr<const Workspace> Session::workspace() const { return d->workspace; }
QUndoStack& Session::undoStack() { return d->undo; }

void Session::edit(const QString& text, Workspace next, const QString& mergeKey) {
  const QString followed = followCluster(originOf(d->undo, mergeKey, *d->workspace), *d->workspace, next);
  followDevices(*d->workspace, next);
  if (!sameQuestion(next, *d->workspace)) dropMisfit(next);
  const bool retyped = !haveSameAxes(next, *d->workspace) || next.workload != d->workspace->workload;
  if (retyped && next.planned == d->workspace->planned) next.planned.reset();
  if (next == *d->workspace) return;
  d->undo.push(new WorkspaceEdit(text, mergeKey, d->workspace, std::make_shared<const Workspace>(std::move(next)),
                                 [this](auto workspace) { d->show(std::move(workspace), Private::Scope::Changes); }));
  d->followPlan();
  if (!followed.isEmpty()) emit this->followed(followed);
}

void Session::reset(Workspace workspace) {
  emit replaced();
  d->undo.clear();
  d->pinned.reset();
  d->proposed = {};
  d->selectRows(-1, -1);
  d->explorer.forget();
  d->planner.forget();
  d->show(std::make_shared<const Workspace>(std::move(workspace)), Private::Scope::Everything);
}

void Session::exploreAgain() {
  if (!d->invalid)
    d->explorer.askAgain(exploringTitle(), {exploredPartOf(*d->workspace), affordablePrograms(*d->workspace)});
}

std::shared_ptr<const Exploration> Session::exploration() const { return d->exploration; }
std::optional<Error> Session::problem() const {
  if (d->invalid && !d->undo.isClean() && PlanFollower::awaits(d->planner)) return std::nullopt;
  return d->invalid ? d->invalid : d->explorer.problem();
}
bool Session::isExploring() const { return d->explorer.isRunning(); }

bool Session::isCurrent() const {
  return d->exploration && !d->invalid && !problem() && sameQuestion(d->exploration->workspace, *d->workspace);
}

void Session::wantMorePrograms() {
  if (!isCurrent() || isExploring()) return;
  bool more = false;
  std::size_t listed = 0;
  for (const PlacementResult& placement : d->exploration->placements) {
    more |= placement.programCount > Count(placement.programs.size());
    listed = std::max(listed, placement.programs.size());
  }
  if (more) d->explorer.ask(exploringTitle(), {exploredPartOf(*d->workspace), listed * 4});
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
  if (placementIndex == d->placementIndex && programIndex == d->programIndex) return;
  const bool samePlacement = placementIndex == d->placementIndex;
  Workspace next = *d->workspace;
  next.matrix = chosen.matrix;
  next.program.clear();
  if (programIndex >= 0) {
    next.program = programText(*chosen.hierarchy, chosen.programs[std::size_t(programIndex)].program);
  }
  // Rows of an exploration that is out of date can be looked at, but not all of them can be chosen.
  if (isCurrent() || checkWorkspace(next).ok()) {
    edit(samePlacement ? tr("Choose program") : tr("Choose placement"), std::move(next),
         samePlacement ? QStringLiteral("choose program") : QStringLiteral("choose placement"));
  }
  d->selectRows(placementIndex, programIndex);
}

void Session::propose(ParallelismMatrix matrix) {
  if (matrix == d->proposed) return;
  d->proposed = std::move(matrix);
  if (isCurrent()) d->followChoice();
}

StepId Session::step() const { return d->step; }

void Session::setStep(StepId step) {
  const std::int64_t steps = program() ? std::ssize(program()->program) : 0;
  step = std::min(std::max(step, StepId(0)), StepId(steps - 1));
  if (std::exchange(d->step, step) != step) emit stepChanged();
}

StepPlanner& Session::planner() { return d->planner; }

void Session::chooseConfiguration(const PlannedConfiguration* planned) {
  Workspace next = *d->workspace;
  next.training.chosen = planned ? std::optional(chosenFrom(*planned)) : std::nullopt;
  const auto answer = d->planner.answer();
  const bool takesBest = !planned && answer && !answer->answer.configurations.empty();
  const PlannedConfiguration* taken = takesBest ? &answer->answer.configurations.front() : planned;
  if (answer && taken) next = withReductionOf(std::move(next), *answer, *taken);
  edit(tr("Choose configuration"), std::move(next), QStringLiteral("choose configuration"));
}

void Session::takePlan() {
  const auto answer = d->planner.answer();
  const PlannedConfiguration* shown = d->planner.shown();
  if (answer && shown) edit(tr("Take the axes of the plan"), withReductionOf(*d->workspace, *answer, *shown));
}

void Session::editTraining(const QString& text, TrainingChoice training, const QString& mergeKey) {
  Workspace next = *d->workspace;
  next.training = std::move(training);
  edit(text, std::move(next), mergeKey);
}

Workspace Session::workspaceWithSelection() const {
  Workspace workspace = *d->workspace;
  if (!isCurrent() || !placement()) return workspace;
  workspace.matrix = placement()->matrix;
  workspace.program = program() ? programText(*placement()->hierarchy, program()->program) : std::string();
  return workspace;
}

const std::optional<PinnedRun>& Session::pinned() const { return d->pinned; }

void Session::pin(std::optional<PinnedRun> run) {
  d->pinned = std::move(run);
  d->pinnedIn = d->exploration;
  emit pinnedChanged();
}

int Session::pinnedPlacement() const {
  if (!d->pinned || !d->exploration || !d->pinnedIn) return -1;
  if (!haveSameAxes(d->pinnedIn->workspace, d->exploration->workspace)) return -1;
  const int row = placementRow(*d->exploration, d->pinned->matrix);
  return row >= 0 && canRunOn(d->exploration->placements[std::size_t(row)], d->pinned->program) ? row : -1;
}

Device Session::hoveredDevice() const { return d->hovered; }

void Session::setHoveredDevice(Device device) {
  if (std::exchange(d->hovered, device) != device) emit hoverChanged();
}

std::shared_ptr<const std::vector<MeasuredProgram>> Session::measured() const { return d->measured; }

void Session::setMeasured(std::vector<MeasuredProgram> runs) {
  if (runs == *d->measured) return;
  d->measured = std::make_shared<const std::vector<MeasuredProgram>>(std::move(runs));
  emit measuredChanged();
}

JobQueue& Session::jobs() { return d->jobs; }

}  // namespace p2::views
