// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace p2::test {

/// Whether the schema resources/schemas/SCHEMA.schema.json takes a JSON text. What is not JSON throws, which ends the
/// test.
[[nodiscard]] bool schemaAccepts(const std::string& schema, const std::string& text);

/// Whether a schema takes a JSON text. As above.
[[nodiscard]] bool schemaTextAccepts(const std::string& schema, const std::string& text);

}  // namespace p2::test
