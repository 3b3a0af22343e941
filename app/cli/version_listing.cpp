// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/version_listing.h"

#include "cost/nccl/nccl_versions.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

Value generationsOf(const NcclChange& change) {
  std::vector<Value> words;
  for (const Generation generation : change.generations) {
    words.push_back(Value::text(kGenerations[static_cast<std::size_t>(generation) - 1]));
  }
  return Value::list(std::move(words));
}

Value tagOf(const NcclChange& change) { return Value::text(change.tag); }

constexpr Column<NcclChange> kVersionColumns[] = {
    {"since", "since", [](const NcclChange& change) { return Value::text(change.since); }, Align::Left},
    {"priced", "priced", [](const NcclChange& change) { return Value::flag(change.priced); }, Align::Left},
    {"feature", "", [](const NcclChange& change) { return Value::text(change.feature); }},
    {"generations", "", generationsOf},
    {"", "tag", tagOf, Align::Left},
    {"what", "what", [](const NcclChange& change) { return Value::text(change.text); }, Align::Left},
    {"tag", "", tagOf},
};

}  // namespace

Document ncclVersionsAnswer() {
  Document answer;
  answer.table("changes", tableOver<NcclChange>(kVersionColumns, ncclChanges()));
  return answer;
}

}  // namespace p2::cli
