// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_comparison.h"

#include "app/cli/train_configuration.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

constexpr Column<ComparedLine> kColumns[] = {
    {"what", "what", [](const ComparedLine& line) { return Value::text((line.isPart() ? "  " : "") + line.what); },
     Align::Left},
    {"a", "A", [](const ComparedLine& line) { return line.a; }},
    {"b", "B", [](const ComparedLine& line) { return line.b; }},
    {"difference", "B − A", [](const ComparedLine& line) { return line.difference; }},
};

}  // namespace

Document comparisonDocument(const TrainingQuestion& question, double reserve, double memory,
                            const NamedConfiguration& a, const NamedConfiguration& b) {
  const auto lines = std::make_shared<std::vector<ComparedLine>>(
      compareConfigurations(a.planned, b.planned, reserve, question.system));
  Document document;
  document.field("a", "A", Value::text(a.name)).field("b", "B", Value::text(b.name));
  document.line("");
  document.line(describeComparison(*lines, a, b, reserve, memory));
  document.line("");
  document.field("a_configuration", Value::object(configurationDocument(question.model, a.planned, reserve)))
      .field("b_configuration", Value::object(configurationDocument(question.model, b.planned, reserve)));
  Table table = tableOver<ComparedLine>(kColumns, *lines);
  table.at = [lines, at = std::move(table.at)](std::size_t row, std::size_t column) { return at(row, column); };
  document.table("rows", std::move(table));
  return document;
}

}  // namespace p2::cli
