// SPDX-License-Identifier: GPL-3.0-or-later
// Private to part_fields.cpp and part_field_edits.cpp: words of a form that stand for values.
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include "system/place.h"
#include "system/properties.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/system_part.h"

namespace p2::views {

inline constexpr const char* kRatioField = "oversubscription";
inline constexpr const char* kDeviceField = "type";
inline constexpr int kFieldColours = 8;

inline QString partFieldText(const char* text) { return QCoreApplication::translate("PartFields", text); }
inline QString systemItself() { return partFieldText("the system"); }
inline QString innermostNode() { return partFieldText("above the devices"); }
inline QString wholeSystem() { return partFieldText("the whole system"); }
inline QString unknownChoice() { return partFieldText("unknown"); }
inline QString ownColour() { return partFieldText("the theme's"); }

inline QStringList colourNames() {
  QStringList names{ownColour()};
  for (int i = 0; i < kFieldColours; ++i) names += Theme::categoryLetter(i);
  return names;
}

/// The key of a field; the name of a level's interconnect has its own, so that it differs from the level's name.
inline QString fieldKeyOf(const PropertyInfo& info, bool ofLevelLink) {
  return ofLevelLink && info.key == "name" ? QStringLiteral("network") : qs(info.key);
}

/// The network, or the interconnect of the level.
inline Place linkPlaceOf(const SystemPart& part) {
  const bool isNetwork = part.kind == SystemPart::Kind::Network;
  return {isNetwork ? SystemPart::Kind::Network : SystemPart::Kind::Interconnect, std::size_t(part.index), 0};
}

}  // namespace p2::views
