// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/workload_taking.h"

#include <QObject>

#include "views/common/inline_message.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/taken_workload.h"

namespace p2::views {

TakenWorkload takeWorkload(Session& session, const QString& edit, const Result<WorkloadSource>& source) {
  if (!source.ok()) return {qs(source.error().text()), {}};
  Workspace next = withWorkload(*session.workspace(), source->workload);
  if (const auto fits = checkWorkspace(next); !fits.ok()) {
    return {qs(fits.error().text()), {}};
  }
  session.edit(edit, std::move(next));
  QStringList reported{
      counted(std::int64_t(source->workload.collectives.size()), QObject::tr("entry"), QObject::tr("entries"))};
  for (const auto* sentences : {&source->assumed, &source->ignored}) {
    for (const std::string& sentence : *sentences) reported += qs(sentence);
  }
  return {{}, reported.join(QStringLiteral("; "))};
}

void sayTaken(Session& session, InlineMessage& message, const TakenWorkload& taken) {
  if (!taken.problem.isEmpty()) return message.say(InlineMessage::Kind::Problem, taken.problem);
  const QString stated = QObject::tr("workload replaced: %1").arg(taken.what);
  message.say(InlineMessage::Kind::Good, stated);
  const QString shown = message.text();
  auto* watch = new QObject(&message);
  QObject::connect(&session, &Session::workspaceChanged, watch,
                   [&session, &message, watch, shown, workload = session.workspace()->workload] {
                     if (session.workspace()->workload == workload) return;
                     if (message.text() == shown) message.say(InlineMessage::Kind::Note, {});
                     watch->deleteLater();
                   });
}

}  // namespace p2::views
