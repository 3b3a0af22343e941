// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/version_listing.h"

#include <string_view>

#include "cost/nccl_versions.h"
#include "text/csv.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

std::string_view wordOf(Generation generation) { return kGenerations[static_cast<std::size_t>(generation) - 1]; }

void writeVersionsJson(std::ostream& out) {
  JsonWriter json(out);
  json.beginObject().key("changes").beginArray();
  for (const NcclChange& change : ncclChanges()) {
    json.beginObject(JsonWriter::Layout::OneLine).key("since").text(change.since);
    json.key("priced").boolean(change.priced).key("feature").text(change.feature);
    json.key("generations").beginArray(JsonWriter::Layout::OneLine);
    for (const Generation generation : change.generations) json.text(wordOf(generation));
    json.end().key("what").text(change.text).key("tag").text(change.tag).end();
  }
  json.end().end();
}

void writeVersionsCsv(std::ostream& out) {
  out << "since,priced,feature,generations,what,tag\n";
  for (const NcclChange& change : ncclChanges()) {
    std::string generations;
    for (const Generation generation : change.generations) {
      generations += (generations.empty() ? "" : " ") + std::string(wordOf(generation));
    }
    out << change.since << ',' << (change.priced ? "yes" : "no") << ',' << change.feature << ',' << generations << ','
        << csvCell(change.text) << ',' << change.tag << '\n';
  }
}

}  // namespace

void writeNcclVersions(std::ostream& out, AtlasFormat format) {
  if (format == AtlasFormat::Json) return writeVersionsJson(out);
  if (format == AtlasFormat::Csv) return writeVersionsCsv(out);
  TextTable table({{"since"}, {"priced"}, {"tag"}, {"what"}});
  for (const NcclChange& change : ncclChanges()) {
    table.add({change.since, change.priced ? "yes" : "", change.tag, change.text});
  }
  out << table.text();
}

}  // namespace p2::cli
