// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/json_pieces.h"

#include <string>

#include "base/counted.h"

namespace p2::inline workload {
namespace {

bool isJsonBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

Error JsonPieces::wrong(const std::string& message) const {
  const std::string place =
      m_inList ? "item " + std::to_string(m_items) + " of \"" + m_list + "\"" : "byte " + std::to_string(m_bytes);
  return {message, place};
}

Result<void> JsonPieces::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t used = 1;
    if (m_inside) {
      P2_TRY_ASSIGN(used, scan(bytes));
    } else if (!isJsonBlank(bytes[0])) {
      if (m_await == Await::Value || m_await == Await::Item) {
        P2_TRY(begin(bytes[0]));
        if (m_inside) used = 0;
      } else {
        P2_TRY(take(bytes[0]));
      }
    }
    m_bytes += static_cast<std::int64_t>(used);
    bytes.remove_prefix(used);
  }
  return {};
}

Result<void> JsonPieces::take(char c) {
  switch (m_await) {
    case Await::Root:
      // A byte order mark may stand in front.
      if (c == '\xEF' || c == '\xBB' || c == '\xBF') return {};
      if (c != '{') return wrong("a JSON object is expected, which begins with {");
      m_await = Await::Key;
      return {};
    case Await::Key:
      if (c == '}') {
        m_await = Await::Nothing;
      } else if (c == '"') {
        m_await = Await::KeyEnd;
        m_key.clear();
        m_inside = true;
        m_string = true;
        m_escape = false;
        m_depth = 0;
        m_piece.clear();
      } else {
        return wrong("this is not JSON: a key in quotes is expected");
      }
      return {};
    case Await::Colon:
      if (c != ':') return wrong("this is not JSON: a colon is expected behind the key \"" + m_key + "\"");
      m_await = Await::Value;
      return {};
    case Await::Comma:
    case Await::ItemComma: {
      const bool list = m_await == Await::ItemComma;
      if (c == ',') {
        m_await = list ? Await::Item : Await::Key;
      } else if (c == (list ? ']' : '}')) {
        m_await = list ? Await::Comma : Await::Nothing;
        if (list) m_inList = false;
      } else {
        return wrong(std::string("this is not JSON: a comma or ") + (list ? "]" : "}") + " is expected");
      }
      return {};
    }
    default:
      return wrong("something follows behind the JSON object; cut it off");
  }
}

Result<void> JsonPieces::begin(char c) {
  if (m_await == Await::Value && m_key == m_list && c == '[') {
    m_inList = true;
    m_await = Await::Item;
    return {};
  }
  if (m_await == Await::Item && c == ']' && m_items == 0) {
    m_inList = false;
    m_await = Await::Comma;
    return {};
  }
  if (c == ',' || c == ':' || c == ']' || c == '}') return wrong("this is not JSON: a value is expected");
  m_inside = true;
  m_piece.clear();
  m_depth = 0;
  m_string = false;
  m_escape = false;
  return {};
}

Result<std::size_t> JsonPieces::scan(std::string_view bytes) {
  std::size_t at = 0;
  bool over = false;
  for (; at < bytes.size() && !over; ++at) {
    const char c = bytes[at];
    if (m_string) {
      if (m_escape) {
        m_escape = false;
      } else if (c == '\\') {
        m_escape = true;
      } else if (c == '"') {
        m_string = false;
        over = m_depth == 0;
      }
    } else if (c == '"') {
      m_string = true;
    } else if (c == '{' || c == '[') {
      if (++m_depth > kMostDepth) return wrong("more than 64 brackets within each other; nothing so deep is read");
    } else if (c == '}' || c == ']') {
      if (m_depth == 0) break;  // the end of what holds a number
      over = --m_depth == 0;
    } else if (m_depth == 0 && (c == ',' || isJsonBlank(c))) {
      break;
    }
  }
  m_piece.append(bytes.substr(0, at));
  if (m_piece.size() > kMostPiece) return wrong("one value has more than 32 MiB; nothing so large is read");
  if (over || at < bytes.size()) P2_TRY(ended());
  return at;
}

Result<void> JsonPieces::ended() {
  m_inside = false;
  switch (m_await) {
    case Await::KeyEnd:
      m_piece.pop_back();  // its closing quote
      m_key = m_piece;
      m_await = Await::Colon;
      return {};
    case Await::Item: {
      m_await = Await::ItemComma;
      const auto taken = m_item(m_piece);
      if (!taken.ok()) {
        return taken.error().kind == ErrorKind::Cancelled ? taken.error() : wrong(taken.error().message);
      }
      ++m_items;
      return {};
    }
    default:
      m_await = Await::Comma;
      return m_member(m_key, m_piece);
  }
}

Result<void> JsonPieces::finish() const {
  if (m_await == Await::Nothing) return {};
  if (m_await == Await::Root) return wrong("the file is empty; a JSON object is expected");
  return wrong("the file breaks off here, after " + countedText(m_bytes, "byte") + "; copy or record it again");
}

}  // namespace p2::inline workload
