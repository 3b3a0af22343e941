// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/rule_text.h"

#include "synthesis/achieved.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString counted(std::int64_t count, const QString& noun) {
  return QString("%1 %2%3").arg(count).arg(noun, count == 1 ? "" : "s");
}

QString runsText(const CostOptions& cost) {
  return cost.repeat == 1 ? QString() : QString(" for %1 runs").arg(cost.repeat);
}

void addPremises(RuleText& rule, const Replay& replay, const DeviceGroup& group, StepId step, bool fails) {
  const Collective collective = replay.program[step.index()].collective;
  // Premises are tried in order; those behind a broken one have not been looked at.
  auto mark = fails && !replay.failure && !replay.isExplicit() ? RuleText::Mark::Unknown : RuleText::Mark::Holds;
  for (const Premise premise : traitsOf(collective).premises) {
    const bool broken = fails && replay.failure && replay.failure->premise == premise;
    rule.premises.push_back({broken ? RuleText::Mark::Broken : mark, qs(nameOf(premise))});
    if (broken || mark == RuleText::Mark::Holds) {
      rule.premises.back().values = premiseValues(replay.trace, replay.placement, group, premise, int(step.value()));
    }
    if (broken) mark = RuleText::Mark::Unknown;
  }
}

void addFacts(RuleText& rule, const StepFacts& facts, const CostOptions& cost) {
  if (!facts.cost) return;
  const QString most = bytesText(facts.mostBytes);
  const QString least = bytesText(facts.leastBytes);
  rule.facts.append(least == most ? most + " per device" : least + " to " + most + " per device");
  const QString worked = least == most ? shareText(facts.mostBytes, cost.bytes) : QString();
  if (facts.mostBytes < cost.bytes && !worked.isEmpty()) rule.facts.back() += " = " + worked;
  if (!facts.link.isEmpty()) {
    const QString share = shareText(facts.cost->linkBytes, cost.bytes);
    rule.facts.append(QString("busiest link: %1, %2").arg(facts.link, bytesText(facts.cost->linkBytes)) +
                      (share.isEmpty() ? QString() : " = " + share));
  }
  rule.facts.append(
      QString("%1 predicted%2 (%3 model, %4)")
          .arg(secondsText(facts.cost->seconds), runsText(cost), qs(cost.model), qs(choiceText(*facts.cost))));
  if (isFasterWorthSaying(*facts.cost)) rule.facts.append(qs(fasterChoiceText(*facts.cost)));
}

QString incompleteText(const Replay& replay) {
  const Goal& goal = replay.trace.goal();
  if (!replay.isExplicit()) {
    return QString("The program ends before %1").arg(qs(achievedOn(*replay.hierarchy, goal)));
  }
  const int last = replay.validSteps();
  const auto members = int(replay.members);
  int member = 0;
  for (const Device device : replay.contributorsOf(Device(0))) {
    const Shard shard{replay.placement.shardOf(device), replay.placement.shardCount()};
    if (goal.after.allows(replay.stateOf(device, last), goal.after.stateOf(members, member++, shard))) continue;
    return QString("Not finished: device %1 %2").arg(device.value()).arg(replay.holdingText(device, last));
  }
  return {};
}

RuleText endText(const Replay& replay) {
  RuleText rule;
  if (replay.program.empty()) {
    rule.title = QString("No steps yet");
    rule.premises.push_back({RuleText::Mark::Unknown, QString("add a first step with +")});
    return rule;
  }
  rule.title = QString("After %1").arg(counted(replay.validSteps(), "step"));
  if (replay.complete) {
    const Goal& goal = replay.trace.goal();
    const QString complete =
        QString("%1: the %2 is complete").arg(qs(achievedOn(*replay.hierarchy, goal)), qs(goal.name));
    rule.premises.push_back({RuleText::Mark::Holds, complete});
  } else {
    rule.problem = incompleteText(replay);
  }
  double seconds = 0;
  for (const StepFacts& facts : replay.facts) seconds += facts.cost ? facts.cost->seconds : 0;
  rule.facts.append(QString("%1 predicted%2").arg(secondsText(seconds), runsText(replay.cost)));
  return rule;
}

}  // namespace

RuleText ruleText(const Replay& replay, StepId step) {
  if (step.index() >= replay.facts.size()) return endText(replay);
  const Instruction& instruction = replay.program[step.index()];
  const StepFacts& facts = replay.facts[step.index()];
  const bool fails = step == StepId(replay.validSteps());
  RuleText rule;
  rule.title = QString("Step %1 of %2: %3")
                   .arg(step.value() + 1)
                   .arg(replay.program.size())
                   .arg(stepNotation(*replay.hierarchy, instruction));
  rule.groups = QString("%1 of %2%3")
                    .arg(counted(facts.groupCount, "group"), counted(facts.groupSize, "device"),
                         facts.groupCount > 1 ? " each" : "");
  const DeviceGroup group = shownGroup(replay, step);
  rule.group.devices = group;
  addPremises(rule, replay, group, step, fails);
  if (!fails) {
    rule.effect = qs(traitsOf(instruction.collective).effect);
    rule.outcome = holdingValues(replay.trace, replay.placement, group, int(step.value()) + 1);
  } else {
    rule.problem = replay.failure ? qs(replay.failure->sentence) : replay.refusal;
  }
  addFacts(rule, facts, replay.cost);
  return rule;
}

QString firstProblem(const Replay& replay) {
  if (replay.program.empty()) return {};
  const int step = replay.validSteps();
  const QString problem = ruleText(replay, StepId(step)).problem;
  const bool fails = std::size_t(step) < replay.facts.size();
  return problem.isEmpty() || !fails ? problem : QObject::tr("step %1: %2").arg(step + 1).arg(problem);
}

QString lineOf(const RuleText::Premise& premise) {
  const QString values = premise.values.text.isEmpty() ? QString() : ": " + premise.values.text;
  switch (premise.mark) {
    case RuleText::Mark::Holds:
      return "✓ " + premise.text + values;
    case RuleText::Mark::Broken:
      return "✗ does not hold: " + premise.text + values;
    case RuleText::Mark::Unknown:
      return "– not checked: " + premise.text;
  }
  return {};
}

QString toPlainText(const RuleText& rule) {
  QStringList lines{rule.groups.isEmpty() ? rule.title : rule.title + " · " + rule.groups};
  for (const RuleText::Premise& premise : rule.premises) lines.append(lineOf(premise));
  if (!rule.effect.isEmpty()) lines.append("⟹ " + rule.effect);
  if (!rule.outcome.text.isEmpty()) lines.append(rule.outcome.text);
  if (!rule.problem.isEmpty()) lines.append("✗ " + rule.problem);
  return (lines + rule.facts).join("\n");
}

}  // namespace p2::views
