// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/filled.h"
#include "support/fixtures.h"
#include "support/schemas.h"
#include "training_answer/document_training.h"
#include "training_answer/plan_reduction.h"

using namespace p2;

namespace {

Workspace ownDocument(const char* system, const char* model) {
  Workspace workspace;
  workspace.system = test::valueOf(systemFromArgument(system));
  workspace.axes = {{"mine", 4, true}, {"yours", workspace.system.deviceCount() / 4, false}};
  workspace.options.cost.bytes = Bytes(1000);
  workspace.training.model = model;
  workspace.training.batch = 64;
  return workspace;
}

struct Planned {
  TrainingQuestion question;
  TrainingAnswer answer;
};

Planned planOf(const Workspace& workspace) {
  auto input = test::valueOf(trainingInputOf(workspace.system, workspace.training));
  input.question.best = 50;
  return {input.question, test::valueOf(answerTraining(input))};
}

}  // namespace

class TestPlanReduction : public QObject {
  Q_OBJECT
 private slots:
  void everyPlanIsAQuestion() {
    for (const char* model : {"llama3-8b", "mixtral-8x7b"}) {
      Workspace workspace = ownDocument("dgx-h100:4", model);
      for (const char* framework : {"megatron", "torchtitan", "deepspeed", "maxtext"}) {
        workspace.training.framework = framework;
        const Planned planned = planOf(workspace);
        for (const PlannedConfiguration& each : test::filled(planned.answer.configurations)) {
          const auto next = withPlan(workspace, planned.question.model, each);
          const TrainingPlan& plan = each.configuration.plan;
          if (plan.pipeline == plan.devices) {
            QVERIFY(!next.ok());
            continue;
          }
          QVERIFY2(next.ok(), next.ok() ? "" : (std::string(framework) + ": " + next.error().text()).c_str());
          const auto checked = checkWorkspace(*next);
          QVERIFY2(checked.ok(), checked.ok() ? "" : checked.error().text().c_str());
          QVERIFY(checkWorkloadAxes(*next->workload, next->axes).ok());
          QVERIFY(next->matrix == each.matrix);
          QVERIFY(reducedEntry(*next).has_value());
          QVERIFY(next->planned->plan == chosenFrom(each));
        }
      }
    }
  }

  void gradientsOverDataComeFirst() {
    Workload workload{"step", {}, {}, {}, {}};
    workload.collectives.push_back({.name = "activations", .axes = {"tensor"}, .bytes = 1000, .count = 100});
    workload.collectives.push_back({.name = "gradients", .axes = {"data"}, .bytes = 10});
    workload.collectives.push_back({.name = "more gradients", .axes = {"data", "context"}, .bytes = 20});
    QCOMPARE(leadingEntry(workload), std::optional<std::size_t>(2));
    workload.collectives.resize(1);
    QCOMPARE(leadingEntry(workload), std::optional<std::size_t>(0));
    workload.collectives.front().kind = CommunicationKind::Shift;
    QVERIFY(!leadingEntry(workload));
  }

  void theChosenCollectiveStays() {
    const Workspace workspace = ownDocument("dgx-h100:4", "llama3-8b");
    const Planned planned = planOf(workspace);
    const auto withTensor = [&](std::int64_t degree) {
      const auto& all = planned.answer.configurations;
      const auto found = std::find_if(all.begin(), all.end(), [&](const PlannedConfiguration& each) {
        return each.configuration.plan.tensor == degree;
      });
      return found == all.end() ? nullptr : &*found;
    };
    const PlannedConfiguration* two = withTensor(2);
    const PlannedConfiguration* four = withTensor(4);
    QVERIFY(two && four);
    Workspace next = test::valueOf(withPlan(workspace, planned.question.model, *two));
    const auto& entries = next.workload->collectives;
    const auto tensor = std::find_if(entries.begin(), entries.end(), [](const WorkloadEntry& each) {
      return each.axes == std::vector<std::string>{"tensor"};
    });
    QVERIFY(tensor != entries.end());
    const WorkloadEntry looked = *tensor;
    next = test::valueOf(withEntry(next, looked));
    next = test::valueOf(withPlan(next, planned.question.model, *four));
    const WorkloadEntry& now = next.workload->collectives[reducedEntry(next).value()];
    QCOMPARE(now.name, looked.name);
    QCOMPARE(now.kind, looked.kind);
  }

  void ownAxesComeBackFromAFile() {
    const Workspace own = ownDocument("dgx-h100:4", "llama3-8b");
    const Planned planned = planOf(own);
    const Workspace first = test::valueOf(withPlan(own, planned.question.model, planned.answer.configurations[0]));
    const Workspace second = test::valueOf(withPlan(first, planned.question.model, planned.answer.configurations[1]));
    const std::string text = workspaceToJson(second);
    QVERIFY(test::schemaAccepts("p2-workspace", text));
    const Workspace read = test::valueOf(workspaceFromJson(text));
    QVERIFY(read.planned == second.planned);
    Workspace back = withOwnReduction(read);
    back.source = own.source;
    QVERIFY(back == own);
    QVERIFY(!withOwnReduction(own).planned);
  }

  void documentsWithoutAxesHaveNoneToKeep() {
    Workspace blank = ownDocument("dgx-h100:4", "llama3-8b");
    blank.axes.clear();
    const Planned planned = planOf(blank);
    const Workspace next = test::valueOf(withPlan(blank, planned.question.model, planned.answer.configurations[0]));
    QVERIFY(!next.planned->own);
    QCOMPARE(withOwnReduction(next).axes, next.axes);
  }

  void messagesHaveNoPrograms() {
    WorkloadEntry entry{.name = "between stages", .axes = {"pipeline"}, .kind = CommunicationKind::Shift, .bytes = 8};
    const auto next = withEntry(ownDocument("dgx-h100:1", "llama3-8b"), entry);
    QVERIFY(!next.ok());
    QVERIFY(next.error().message.find("no programs") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestPlanReduction)
#include "tst_plan_reduction.moc"
