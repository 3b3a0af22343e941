// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/schemas.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace p2::test {

bool schemaAccepts(const std::string& schema, const std::string& text) {
  std::ifstream file(P2_RESOURCES "/schemas/" + schema + ".schema.json");
  return schemaTextAccepts(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

bool schemaTextAccepts(const std::string& schema, const std::string& text) {
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const nlohmann::json rules = nlohmann::json::parse(schema);
  const nlohmann::json document = nlohmann::json::parse(text);
  valijson::Schema parsed;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(rules), parsed);
  valijson::Validator validator;
  return validator.validate(parsed, Adapter(document), nullptr);
}

}  // namespace p2::test
