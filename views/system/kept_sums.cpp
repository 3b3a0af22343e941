// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/kept_sums.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "base/near.h"
#include "system/interconnects.h"
#include "system/oversubscription.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

using Links = std::vector<PlacedInterconnect<const Interconnect>>;

const PlacedInterconnect<const Interconnect>* sameLink(const Links& links,
                                                       const PlacedInterconnect<const Interconnect>& link) {
  const auto found = std::find_if(links.begin(), links.end(), [&](const auto& each) {
    return each.place.kind == link.place.kind && each.name == link.name;
  });
  return found == links.end() ? nullptr : &*found;
}

/// Whether a part of both systems has another bandwidth or joins in another way.
bool changesALink(const System& before, const System& after) {
  const Links old = interconnects(before);
  const Links now = interconnects(after);
  return std::any_of(now.begin(), now.end(), [&](const auto& link) {
    const auto* same = sameLink(old, link);
    return same != nullptr && (same->link.bandwidth != link.link.bandwidth || same->link.core != link.link.core ||
                               same->link.kind != link.link.kind);
  });
}

QString newRatios(const System& before, const System& after) {
  QStringList sentences;
  const Links old = interconnects(before);
  for (const auto& link : interconnects(after)) {
    const auto* same = sameLink(old, link);
    if (same == nullptr) continue;
    const double was = oversubscriptionOf(before, same->place);
    const double is = oversubscriptionOf(after, link.place);
    if (was <= 0 || is <= 0 || nearlyEqual(was, is)) continue;
    sentences += QCoreApplication::translate("KeptSums", "The oversubscription of %1 is now %2 (%3 before).")
                     .arg(qs(link.name), qs(ratioText(is)), qs(ratioText(was)));
  }
  return sentences.join(QLatin1Char(' '));
}

/// Rails join the cards of one number, so they are as many as a node has of them. After a change of these, the rails
/// that were as many as before follow; answers a sentence for each.
QString followCards(const System& before, System& after) {
  QStringList sentences;
  for (std::size_t i = 0; i < std::min(before.networks.size(), after.networks.size()); ++i) {
    const Network& old = before.networks[i];
    const Network cards = after.networks[i];
    const bool same = old.interconnect.name == cards.interconnect.name && old.within == cards.within;
    if (!same || cards.within.empty() || old.instances == cards.instances) continue;
    for (Network& rail : after.networks) {
      const bool ofThese = std::any_of(rail.members.begin(), rail.members.end(),
                                       [&](const Member& member) { return member.of == cards.interconnect.name; });
      if (!ofThese || rail.assignment != Network::Assignment::InTurn || rail.instances != old.instances) continue;
      rail.instances = cards.instances;
      sentences += QCoreApplication::translate("KeptSums", "%1: %2 now, one for each %3 of a %4.")
                       .arg(qs(rail.interconnect.name))
                       .arg(rail.instances)
                       .arg(qs(cards.interconnect.name), qs(cards.within));
    }
  }
  return sentences.join(QLatin1Char(' '));
}

}  // namespace

KeptSums withSumsKept(const System& before, System after) {
  if (changesALink(before, after)) {
    const QString stated = newRatios(before, after);
    return {std::move(after), stated};
  }
  const QString rails = followCards(before, after);
  KeptSums kept{keepingOversubscription(before, std::move(after)), {}};
  kept.stated = QStringList{rails, followedText(before, kept.system)}.join(QLatin1Char(' ')).trimmed();
  return kept;
}

QString followedText(const System& before, const System& after) {
  QStringList sentences;
  const Links old = interconnects(before);
  for (const auto& link : interconnects(after)) {
    const auto* same = sameLink(old, link);
    const double ratio = oversubscriptionOf(after, link.place);
    if (same == nullptr || ratio <= 0 || same->link.bandwidth == link.link.bandwidth) continue;
    sentences += QCoreApplication::translate("KeptSums", "%1 now has %2 per port and stays %3.")
                     .arg(qs(link.name), bandwidthText(link.link.bandwidth), qs(ratioText(ratio)));
  }
  return sentences.join(QLatin1Char(' '));
}

}  // namespace p2::views
