// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/detail/json_syntax.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "text/json_stream.h"

namespace p2::inline text {
namespace {

/// Takes nothing in; remembers where reading ended.
class FaultFinder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit FaultFinder(const std::stop_token& stop) : m_stop(stop) {}

  bool null() override { return goOn(); }
  bool boolean(bool) override { return goOn(); }
  bool number_integer(number_integer_t) override { return goOn(); }
  bool number_unsigned(number_unsigned_t) override { return goOn(); }
  bool number_float(number_float_t, const string_t&) override { return goOn(); }
  bool string(string_t&) override { return goOn(); }
  bool binary(binary_t&) override { return goOn(); }
  bool start_object(std::size_t) override { return ++m_depth <= JsonLimits::depth && goOn(); }
  bool key(string_t&) override { return goOn(); }
  bool end_object() override { return --m_depth, goOn(); }
  bool start_array(std::size_t) override { return ++m_depth <= JsonLimits::depth && goOn(); }
  bool end_array() override { return --m_depth, goOn(); }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    m_byte = byte;
    m_range = dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr;
    return false;
  }

  [[nodiscard]] std::size_t byte() const { return m_byte; }
  /// Whether a number beyond a double was what ended it.
  [[nodiscard]] bool outOfRange() const { return m_range; }
  [[nodiscard]] bool tooDeep() const { return m_depth > JsonLimits::depth; }

 private:
  bool goOn() { return (++m_events & 0xFFF) != 0 || !m_stop.stop_requested(); }

  const std::stop_token& m_stop;
  std::size_t m_events = 0;
  std::size_t m_depth = 0;
  std::size_t m_byte = 0;
  bool m_range = false;
};

}  // namespace

Error tooDeepError() {
  return jsonError("nested deeper than " + std::to_string(JsonLimits::depth) + " levels; P² files need 6");
}

std::string textPosition(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

Error jsonSyntaxError(std::string_view text, const std::stop_token& stop) {
  FaultFinder finder(stop);
  const bool valid = nlohmann::json::sax_parse(text.begin(), text.end(), &finder);
  if (stop.stop_requested()) return cancelledError();
  if (valid) return jsonError("the text is not valid JSON");
  if (finder.tooDeep()) return tooDeepError();
  if (finder.outOfRange()) return jsonError("a number is too large to be read; use numbers below 1e308");
  const std::size_t at = std::min(finder.byte() == 0 ? 0 : finder.byte() - 1, text.size());
  const std::string where = textPosition(text, at);
  if (text.find_first_not_of(kJsonBlanks, at) == std::string_view::npos) {
    return jsonError("the JSON text ends too early; the file may be truncated", where);
  }
  const char c = text[at];
  const std::string what = c > ' ' && c < 0x7f ? "'" + std::string(1, c) + "'" : "character";
  return jsonError("unexpected " + what + "; the text is not valid JSON", where);
}

Error jsonError(std::string message, std::string pointer) { return {std::move(message), std::move(pointer)}; }

std::string jsonPointerStep(std::string_view key) {
  std::string step = "/";
  for (const char c : key) step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return step;
}

std::optional<Error> unreadableError(std::string_view text) {
  if (text.find_first_not_of(kJsonBlanks) == std::string_view::npos) {
    return jsonError("the text is empty; a JSON object is expected");
  }
  if (text.size() > JsonLimits::bytes) return jsonError("the text is larger than 64 MiB; nothing so large is read");
  const auto begins = [&](std::string_view bytes) { return text.starts_with(bytes); };
  if (begins("\xFF\xFE") || begins("\xFE\xFF") || begins(std::string_view("\0{", 2)) ||
      begins(std::string_view("{\0", 2))) {
    return jsonError("the text is UTF-16; save it as UTF-8");
  }
  return std::nullopt;
}

}  // namespace p2::inline text
