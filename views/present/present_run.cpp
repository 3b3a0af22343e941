// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/present_run.h"

#include "views/common/player.h"
#include "views/present/present_window.h"
#include "views/stage/stage_legend.h"
#include "views/stage/stage_view.h"

namespace p2::views {

void showRun(PresentWindow& window, ShownRun run, Player& player) {
  auto* stage = new StageView;
  stage->setObjectName("presentStage");
  stage->setStripShown(false);
  stage->setMagnification(window.magnification());
  QObject::connect(&window, &PresentWindow::magnified, stage, &StageView::setMagnification);
  stage->setReplay(run.replay);
  auto* legend = new StageLegend;
  legend->setReplay(run.replay.get());
  QObject::connect(stage, &StageView::detailChanged, legend,
                   [stage, legend] { legend->setGlyphs(stage->drawsGlyphs()); });
  legend->setGlyphs(stage->drawsGlyphs());
  window.setTitle(run.title);
  window.setBody(stage);
  window.setLegend(legend);
  QStringList sentences;
  for (const ShownRun::Caption& caption : run.captions) sentences << toHtml(caption);
  window.reserveSentences(sentences);
  const auto show = [&window, stage, &player, run = std::move(run)] {
    const Timeline& timeline = player.timeline();
    stage->setMoment(timeline.step(), timeline.progress());
    const ShownRun::Caption& now = run.captionAt(timeline);
    window.setSentence(toHtml(now));
    const auto next = std::size_t(&now - run.captions.data()) + 1;
    window.tellSpeaker(toHtml(now), next < run.captions.size() ? toHtml(run.captions[next]) : QString());
  };
  QObject::connect(&player, &Player::moved, stage, show);
  show();
}

PresentWindow* presentRun(ShownRun run, Player& player, QWidget* parent) {
  auto* window = new PresentWindow(player, parent);
  showRun(*window, std::move(run), player);
  window->showFullScreen();
  window->activateWindow();
  return window;
}

}  // namespace p2::views
