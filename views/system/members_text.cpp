// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/members_text.h"

#include <QRegularExpression>
#include <QStringList>

#include "views/common/text.h"
#include "views/system/system_part.h"

namespace p2::views {

QString membersText(const std::vector<Member>& members) {
  QStringList texts;
  for (const Member& member : members) {
    QString text = qs(member.of);
    if (member.count == 1) {
      text += QStringLiteral(" %1").arg(member.first);
    } else if (member.count > 1) {
      text += QStringLiteral(" %1-%2").arg(member.first).arg(member.first + member.count - 1);
    } else if (member.first > 0) {
      text += QStringLiteral(" %1-").arg(member.first);
    }
    texts += text;
  }
  return texts.join(QStringLiteral(", "));
}

Result<std::vector<Member>> membersFrom(const System& system, const QString& text) {
  static const QRegularExpression kRange(QStringLiteral("^(.*) (\\d{1,9})([-–](\\d{1,9})?)?$"));
  std::vector<Member> members;
  for (const QString& piece : text.split(',', Qt::SkipEmptyParts)) {
    const QString word = piece.trimmed();
    if (word.isEmpty()) continue;
    Member member{word.toStdString()};
    const QRegularExpressionMatch range = kRange.match(word);
    if (partNamed(system, member.of).index < 0 && range.hasMatch()) {
      member.of = range.captured(1).trimmed().toStdString();
      member.first = range.captured(2).toLongLong();
      const std::int64_t last = range.captured(4).isEmpty() ? member.first : range.captured(4).toLongLong();
      if (last < member.first) {
        return Error{"\"" + word.toStdString() + "\" ends before it begins; write it as in gpu 0-3"};
      }
      const bool open = !range.captured(3).isEmpty() && range.captured(4).isEmpty();
      member.count = open ? 0 : last - member.first + 1;
    }
    if (partNamed(system, member.of).index < 0) {
      return Error{"\"" + member.of + "\" is neither a level nor a network; name one, as in gpu or gpu 0-3"};
    }
    members.push_back(std::move(member));
  }
  if (members.empty()) return Error{"a network needs members; name a level or a network, as in gpu"};
  return members;
}

}  // namespace p2::views
