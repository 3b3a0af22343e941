// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/step_planner.h"

#include <QEvent>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "placement/axis.h"

namespace p2::views {
namespace {

constexpr std::size_t kFirstRows = 4;  // more take longer than a second for the largest models
constexpr std::size_t kMostRows = 2000;

struct PlannerQuestion {
  System system;
  TrainingChoice training;  ///< without the choice and the user's own configuration
  bool complete = false;
  bool filtered = false;  ///< with the listings of kPlanFilters, which take as long again
  friend bool operator==(const PlannerQuestion&, const PlannerQuestion&) = default;
};

struct ChosenQuestion {
  PlannerQuestion of;
  ChosenConfiguration chosen;
  friend bool operator==(const ChosenQuestion&, const ChosenQuestion&) = default;
};

PlannerQuestion questionOf(const Workspace& workspace, bool complete) {
  PlannerQuestion question{workspace.system, workspace.training, complete};
  question.training.chosen.reset();
  question.training.mine.clear();
  return question;
}

bool isSame(const PlannerQuestion& a, const PlannerQuestion& b) {
  return a.training == b.training && a.system == b.system;
}

Result<PlannerAnswer> plan(const PlannerQuestion& asked, std::stop_token stop, const Progress& progress) {
  P2_TRY(checkParts(asked.system));
  P2_TRY_ASSIGN(auto input, trainingInputOf(asked.system, asked.training));
  input.question.best = asked.complete ? kMostRows : kFirstRows;
  PlannerAnswer found{input.question, {}, asked.complete};
  input.question.listsFiltered = asked.filtered;
  P2_TRY_ASSIGN(found.answer, answerTraining(input, std::move(stop), progress));
  return found;
}

Result<PlannedConfiguration> price(const ChosenQuestion& asked, std::stop_token stop, const Progress&) {
  P2_TRY_ASSIGN(auto input, trainingInputOf(asked.of.system, asked.of.training));
  return planChosen(std::move(input.question), asked.chosen, std::move(stop));
}

}  // namespace

struct StepPlanner::Private {
  using Planner = Derived<PlannerQuestion, PlannerAnswer>;
  using Pricer = Derived<ChosenQuestion, PlannedConfiguration>;

  explicit Private(JobQueue& jobs)
      : first(jobs, plan), complete(jobs, plan), underFilters(jobs, plan), chosen(jobs, price) {}

  std::shared_ptr<const Workspace> workspace = std::make_shared<const Workspace>();
  QList<QWidget*> followers;
  PlanFilter filter;
  Planner first;
  Planner complete;
  Planner underFilters;  ///< asked only where a filter is set
  Pricer chosen;         ///< asked only where the answer does not list the chosen configuration

  mutable std::shared_ptr<const PlannerAnswer> filtered;      ///< the last shownAnswer() with a filter
  mutable std::shared_ptr<const PlannerAnswer> filteredFrom;  ///< answer of underFilters that it is from; null: none

  [[nodiscard]] bool hasModel() const {
    return !workspace->training.model.empty() || !workspace->training.config.empty();
  }
  [[nodiscard]] bool awaitsAxes() const {
    if (!hasModel() || !workspace->planned) return false;
    return !checkAxes(workspace->system, workspace->axes).ok();
  }
  [[nodiscard]] bool isWanted() const {
    if (awaitsAxes()) return true;
    for (const QWidget* view : followers) {
      if (view->isVisible()) return true;
    }
    return false;
  }
  void forget() {
    first.forget();
    complete.forget();
    underFilters.forget();
    chosen.forget();
  }
  void ask();
  void askChosen();
  [[nodiscard]] PlannerQuestion filteredQuestion() const {
    PlannerQuestion question = questionOf(*workspace, true);
    question.filtered = true;
    return question;
  }
  /// Whether the first search failed. The second search would fail for the same reason.
  [[nodiscard]] bool isHopeless() const { return first.problem().has_value(); }
  /// Whether the shown answer is for the document's model.
  [[nodiscard]] bool isOfModel() const {
    const auto& asked = shownPlanner().answered();
    return asked && asked->training.model == workspace->training.model &&
           asked->training.config == workspace->training.config;
  }
  [[nodiscard]] bool answers(const Planner& planner) const {
    return planner.isCurrent() && isSame(*planner.answered(), questionOf(*workspace, true));
  }
  /// The planner whose answer is shown.
  [[nodiscard]] const Planner& shownPlanner() const {
    const bool newer = !answers(complete) && answers(first);
    return newer || !complete.answer() ? first : complete;
  }
  /// The answer of shownPlanner() with the rows that the filter leaves.
  [[nodiscard]] std::shared_ptr<const PlannerAnswer> shownAnswer() const;
  /// The chosen configuration on the system of the shown answer; null until it is priced there.
  [[nodiscard]] const PlannedConfiguration* shownChosen() const {
    const auto& priced = chosen.answered();
    const auto& asked = shownPlanner().answered();
    const bool isIt = priced && asked && priced->chosen == workspace->training.chosen && isSame(priced->of, *asked);
    return isIt ? chosen.answer().get() : nullptr;
  }
};

void StepPlanner::Private::ask() {
  if (!hasModel() || workspace->system.levels.empty()) return forget();
  if (!isWanted()) return;
  first.ask(StepPlanner::tr("Planning the training step"), questionOf(*workspace, false));
  if (first.isRunning() || isHopeless()) {
    complete.withdraw();
  } else if (!first.wasCancelled()) {
    complete.ask(StepPlanner::tr("Comparing all configurations"), questionOf(*workspace, true));
  }
  if (filter != PlanFilter() && answers(complete)) {
    underFilters.ask(StepPlanner::tr("Comparing the filtered configurations"), filteredQuestion());
  } else {
    underFilters.withdraw();
  }
  askChosen();
}

std::shared_ptr<const PlannerAnswer> StepPlanner::Private::shownAnswer() const {
  const auto all = shownPlanner().answer();
  if (!all || filter == PlanFilter()) return all;
  const auto found = answers(complete) && answers(underFilters) ? underFilters.answer() : nullptr;
  if (filtered && filtered->unfiltered == all && filtered->filter == filter && filteredFrom == found) return filtered;
  auto made = std::make_shared<PlannerAnswer>(*all);
  std::vector<PlannedConfiguration> left;
  if (found) {
    left =
        found->answer
            .filtered[std::size_t(std::find(kPlanFilters.begin(), kPlanFilters.end(), filter) - kPlanFilters.begin())];
  } else {
    // Until the search under the filters is done, the rows that pass stand for the best of them.
    for (const PlannedConfiguration& each : all->answer.configurations) {
      if (!passes(filter, each, all->question.system, all->answer.reserve, all->answer.memory)) continue;
      left.push_back(each);
      left.back().tiesWith.clear();
    }
  }
  made->isComplete = found != nullptr;
  made->unfiltered = all;
  made->filter = filter;
  made->leavesNone = left.empty();
  if (!left.empty()) made->answer.configurations = std::move(left);
  filteredFrom = found;
  filtered = std::move(made);
  return filtered;
}

void StepPlanner::Private::askChosen() {
  const auto& wanted = workspace->training.chosen;
  if (!wanted || !answers(complete) || placeOf(*wanted, shownAnswer()->answer) ||
      placeOf(*wanted, complete.answer()->answer)) {
    return chosen.withdraw();
  }
  chosen.ask(StepPlanner::tr("Pricing the chosen configuration"), {questionOf(*workspace, true), *wanted});
}

StepPlanner::StepPlanner(JobQueue& jobs, QObject* parent) : QObject(parent), d(std::make_unique<Private>(jobs)) {
  for (DerivedBase* part : std::initializer_list<DerivedBase*>{&d->first, &d->complete, &d->underFilters}) {
    connect(part, &DerivedBase::changed, this, [this] {
      d->ask();
      emit changed();
    });
    connect(part, &DerivedBase::progressed, this, &StepPlanner::progressed);
  }
  connect(&d->chosen, &DerivedBase::changed, this, &StepPlanner::changed);
}

StepPlanner::~StepPlanner() = default;

void StepPlanner::follow(QWidget& view) {
  d->followers.push_back(&view);
  view.installEventFilter(this);
  connect(&view, &QObject::destroyed, this, [this, gone = &view] { d->followers.removeAll(gone); });
  d->ask();
}

bool StepPlanner::eventFilter(QObject* watched, QEvent* event) {
  // When it is delivered, the view is not visible yet.
  if (event->type() == QEvent::Show)
    QMetaObject::invokeMethod(
        this, [this] { d->ask(); }, Qt::QueuedConnection);
  return QObject::eventFilter(watched, event);
}

void StepPlanner::forget() {
  d->forget();
  d->filter = {};
}

void StepPlanner::setFilter(const PlanFilter& filter) {
  if (std::exchange(d->filter, filter) == filter) return;
  d->ask();
  emit changed();
}

const PlanFilter& StepPlanner::filter() const { return d->filter; }

void StepPlanner::setDocument(std::shared_ptr<const Workspace> workspace) {
  d->workspace = std::move(workspace);
  d->ask();
  emit changed();
}

bool StepPlanner::hasModel() const { return d->hasModel(); }

std::shared_ptr<const PlannerAnswer> StepPlanner::answer() const {
  return d->hasModel() && d->isOfModel() ? d->shownAnswer() : nullptr;
}

bool StepPlanner::awaitsAxes() const { return d->awaitsAxes(); }

bool StepPlanner::isCurrent() const {
  return d->hasModel() && !problem() && (d->answers(d->complete) || d->answers(d->first));
}

bool StepPlanner::isRunning() const {
  return d->first.isRunning() || d->complete.isRunning() || d->underFilters.isRunning();
}

double StepPlanner::progress() const {
  if (d->first.isRunning()) return d->first.progress();
  return d->complete.isRunning() ? d->complete.progress() : d->underFilters.progress();
}

std::optional<Error> StepPlanner::problem() const {
  return d->isHopeless() ? d->first.problem() : d->complete.problem();
}
bool StepPlanner::wasCancelled() const {
  return d->first.wasCancelled() || d->complete.wasCancelled() || d->underFilters.wasCancelled();
}

void StepPlanner::cancel() {
  d->first.cancel();
  d->complete.cancel();
  d->underFilters.cancel();
}

void StepPlanner::planAgain() {
  if (!d->hasModel()) return;
  if (d->underFilters.wasCancelled()) {
    d->underFilters.askAgain(tr("Comparing the filtered configurations"), d->filteredQuestion());
    return;
  }
  d->first.askAgain(tr("Planning the training step"), questionOf(*d->workspace, false));
}

int StepPlanner::shownRow() const {
  const auto found = answer();
  if (!found || found->answer.configurations.empty()) return -1;
  const auto& wanted = d->workspace->training.chosen;
  if (!wanted || chosenProblem()) return 0;
  const auto place = placeOf(*wanted, found->answer);
  return place ? int(*place) : -1;
}

const PlannedConfiguration* StepPlanner::shown() const {
  const auto found = answer();
  const int row = shownRow();
  if (row >= 0) return &found->answer.configurations[std::size_t(row)];
  const auto& wanted = d->workspace->training.chosen;
  if (!found || !wanted) return nullptr;
  const auto hidden = found->unfiltered ? placeOf(*wanted, found->unfiltered->answer) : std::nullopt;
  return hidden ? &found->unfiltered->answer.configurations[*hidden] : d->shownChosen();
}

std::optional<Error> StepPlanner::chosenProblem() const {
  return d->answers(d->complete) ? d->chosen.problem() : std::nullopt;
}

}  // namespace p2::views
