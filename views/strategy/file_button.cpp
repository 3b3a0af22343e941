// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/file_button.h"

#include <QPointer>

#include "text/text_file.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {

FileButton::FileButton(Session& session, QWidget* parent) : QToolButton(parent), m_session(session) {
  setIcon(Theme::icon(QStringLiteral("export")));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::TabFocus);
}

void FileButton::askForFile(const Offer& offer, const std::function<Contents()>& contents) {
  const SaveWish wish{offer.objectName, offer.title, {QStringLiteral("*.%1").arg(offer.extension)}, offer.base};
  askWhereToSave(this, wish, [this, job = offer.job, contents](const QString& path) {
    if (const Contents text = contents()) write(path, job, text);
  });
}

void FileButton::write(const QString& path, const QString& job, const Contents& contents) {
  m_session.jobs().start<bool>(
      job, QStringLiteral("strategy-export"),
      [contents, file = path.toStdString()](std::stop_token, const Progress&) -> Result<bool> {
        P2_TRY_ASSIGN(const auto text, contents());
        P2_TRY(writeTextFile(file, text));
        return true;
      },
      [self = QPointer(this), path](const Result<bool>& saved) {
        if (self) emit self->written(saved.ok() ? QString() : qs(saved.error().text()), path);
      },
      [self = QPointer(this), path] {
        if (self) emit self->written(tr("Exporting was stopped."), path);
      });
}

}  // namespace p2::views
