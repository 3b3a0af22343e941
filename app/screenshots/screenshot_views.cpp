// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/screenshots/screenshots.h"

namespace p2::explorer {

namespace {

const auto kTabs = QStringLiteral("strategyDetailsTabs");

}  // namespace

const std::vector<Screenshots::View>& Screenshots::moreViews() {
  static const std::vector<View> kViews{
      {"system", "", "", "", "", "", 1, "", "loadChoice", {Qt::Key_Home}},
      {"system", "load", "", "", "", "a100-rails-4x8", 1, "", "loadChoice", {Qt::Key_Home, Qt::Key_Down}},
      {"system", "", "", "", "", "gb200-nvl72-2", 1, "", "loadChoice", {Qt::Key_Home}},
      {"system", "", "", "", "", "tpu-v4-4x16", 1, "", "loadChoice", {Qt::Key_Home}},
      {"plan", "", "showPlanTableAction", "", "", ""},
      {"plan", "map", "showPlanMapAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"plan", "time-memory", "showPlanScatterAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"plan", "accuracy", "planAccuracyAction", "", "accuracyDialog", "llama3-70b-fsdp32-tp8"},
      {"why", "", "whyAlternativesAction", "", "", ""},
      {"why", "collectives", "whyCollectivesAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"why", "machine", "whyMachineAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"why", "memory", "whyMemoryAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"placements", "", "compareNone", "", "", ""},
      {"placements", "factor", "", "", "", "a100-4x16", 1, "", "placementMatrix", {Qt::Key_Down, Qt::Key_Down}},
      {"placements", "axis", "", "", "", "a100-4x16", 1, "", "placementMatrix", {Qt::Key_Left}},
      {"placements", "compared", "compareDefault", "", "", "a100-4x16"},
      {"programs", "", "", "", "", ""},
      {"programs", "announced", "", "", "", "a100-64x16", 0.12},
      {"programs", "sent", "", "", "", "a100-64x16", 1.4},
      {"programs", "announced", "", "", "", "teaching-2x4", 0.12},
      {"programs", "sent", "", "", "", "teaching-2x4", 0.4},
      {"programs", "sum", "", "", "", "teaching-2x4", 1.46},
      {"programs", "compare", "", "compareButton", "", "teaching-2x4", 1.4},
      {"programs", "compare-time", "compareAction", "clockTime", "", "teaching-2x4", 3.4},
      {"programs", "present", "presentAction", "", "presentWindow", "teaching-2x4", 1.4},
      {"programs", "numbers", "", "numbersButton", "", "teaching-2x4", 2},
      {"programs", "composer", "", "addStep", "", "teaching-2x4", 1, "node:InsideGroup:ReduceScatter"},
      {"programs", "wrong-step", "", "", "", "teaching-2x4", 1,
       "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"},
      {"costs", "", "showBestAction", "", "", ""},
      {"costs", "programs", "showBarsAction", "", "", "a100-4x16"},
      {"costs", "by-size", "showBySizeAction", "", "", ""},
      {"costs", "map", "showMapAction", "", "", ""},
      {"costs", "model", "showBySizeAction", "qualityButton", "qualityDialog", "a100-rails-4x8"},
      {"workload", "", "showRankingAction", "", "", ""},
      {"workload", "trade-off", "showTradeoffAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"workload", "model", "workloadFromModelAction", "", "modelFormDialog", "llama3-70b-fsdp32-tp8"},
      {"workload", "break-evens", "showBreakEvensAction", "", "", "llama3-70b-fsdp32-tp8"},
      {"strategy", "", "", "", "", "", 1, "", kTabs, std::vector<int>(4, Qt::Key_Left)},
      {"strategy", "layers", "", "", "", "teaching-2x4", 1, "", "", {}, "transformer"},
      {"strategy", "pipeline", "", "strategyStagesButton", "", "teaching-2x4", 1, "", kTabs,
       std::vector<int>(4, Qt::Key_Right), "gpt2-medium", 4},
      {"runs", "", "exampleRuns", "", "", ""},
      {"lessons", "", "lessonListAction", "", "", "teaching-2x4"},
      {"lessons", "present", "presentLessonAction", "", "presentWindow", "teaching-2x4"},
      {"lessons", "wrong-answer", "checkAnswerAction", "", "", "teaching-2x4"}};
  return kViews;
}

}  // namespace p2::explorer
