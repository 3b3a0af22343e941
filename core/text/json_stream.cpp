// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_stream.h"

#include <cmath>

#include "text/detail/json_shown.h"
#include "text/detail/json_stream_state.h"
#include "text/detail/json_syntax.h"

namespace p2::inline text {
namespace {

namespace ondemand = simdjson::ondemand;

}  // namespace

JsonStream::JsonStream(std::string text, std::stop_token stop)
    : m_state(std::make_unique<State>(std::move(text), std::move(stop))) {}

JsonStream::~JsonStream() = default;

JsonStream::Kind JsonStream::kind() {
  if (failed()) return Kind::Null;
  const std::string_view token = m_state->token();
  switch (token.empty() ? '\0' : token[0]) {
    case '{':
      return Kind::Object;
    case '[':
      return Kind::List;
    case '"':
      return Kind::Text;
    case 't':
    case 'f':
      return Kind::Boolean;
    case 'n':
      return Kind::Null;
    default:
      return Kind::Number;  // or nothing that can stand here, which reading it will tell
  }
}

bool JsonStream::enterObject(std::string_view need) {
  if (failed()) return false;
  if (kind() != Kind::Object) {
    refuse("an object", need);
    return false;
  }
  ondemand::object object;
  ondemand::object_iterator begin;
  if (!m_state->take(object) || object.begin().get(begin) != simdjson::SUCCESS) {
    m_state->malformed();
    return false;
  }
  State::Frame frame{true};
  frame.member = begin;
  return m_state->push(std::move(frame));
}

bool JsonStream::nextMember(std::string_view& key) {
  if (!failed() && m_state->frames.back().begun && m_state->unread) skip();
  if (failed()) return false;
  State::Frame& frame = m_state->frames.back();
  if (frame.begun) ++frame.member;
  if (!(frame.member != ondemand::object_iterator())) {
    m_state->frames.pop_back();
    m_state->unread = false;
    return false;
  }
  m_state->unread = true;
  return m_state->count() && m_state->takeKey(key);
}

bool JsonStream::enterList(std::string_view need) {
  ondemand::array list;
  if (failed()) return false;
  if (kind() != Kind::List) {
    refuse("a list", need);
    return false;
  }
  if (!m_state->take(list)) m_state->malformed();
  return m_state->begin(list);
}

bool JsonStream::nextItem() {
  if (!failed() && m_state->frames.back().begun && m_state->unread) skip();
  if (failed()) return false;
  State::Frame& frame = m_state->frames.back();
  if (frame.begun) {
    ++frame.item;
    ++frame.index;
  }
  if (!(frame.item != ondemand::array_iterator())) {
    m_state->frames.pop_back();
    m_state->unread = false;
    return false;
  }
  frame.begun = true;
  m_state->unread = true;
  if ((*frame.item).get(m_state->current) != simdjson::SUCCESS) m_state->malformed();
  return !failed() && m_state->count();
}

std::string JsonStream::text(std::string_view need) {
  if (failed()) return {};
  std::string_view value;
  if (kind() != Kind::Text) {
    refuse("a string", need);
  } else if (!m_state->take(value)) {
    m_state->malformed();
  }
  return failed() ? std::string() : std::string(value);
}

bool JsonStream::boolean(std::string_view need) {
  if (failed()) return false;
  bool value = false;
  if (kind() != Kind::Boolean) {
    refuse("true or false", need);
  } else if (!m_state->take(value)) {
    m_state->malformed();
  }
  return value;
}

JsonStream::Number JsonStream::exactNumber(std::string_view need) {
  if (failed()) return 0.0;
  std::uint64_t counted = 0;
  if (m_state->take(counted)) {
    if (counted <= INT64_MAX) return static_cast<std::int64_t>(counted);
    return counted;
  }
  std::int64_t whole = 0;
  if (m_state->take(whole)) return whole;
  double value = 0;
  if (m_state->take(value)) return value;
  if (kind() != Kind::Number) {
    refuse("a number", need);
  } else {
    m_state->malformed();
  }
  return 0.0;
}

double JsonStream::number(std::string_view need) {
  return std::visit([](const auto value) { return static_cast<double>(value); }, exactNumber(need));
}

void JsonStream::numbers(std::vector<double>& values, std::string_view need) {
  ondemand::array list;
  if (kind() != Kind::List || !m_state->take(list)) {
    return this->list(need, [](std::size_t) {});  // which names the error
  }
  if (m_state->takeWholes(list, values) || !m_state->begin(list)) return;
  while (nextItem()) values.push_back(number(need));
}

std::int64_t JsonStream::whole(std::int64_t least, std::int64_t most, std::string_view need) {
  if (failed()) return least;
  const std::string_view token = m_state->token();
  const double value = number(need);
  if (failed()) return least;
  if (value != std::floor(value)) {
    fail(cutToSentence(token) + " is not a whole number; " + std::string(need));
  } else if (value < static_cast<double>(least) || value > static_cast<double>(most) || value >= kBeyondWhole) {
    fail(cutToSentence(token) + " is out of range; " + std::string(need));
  } else {
    return static_cast<std::int64_t>(value);
  }
  return least;
}

std::size_t JsonStream::index(std::string_view need) {
  constexpr std::int64_t kMostIndex = std::int64_t{1} << 53;
  return static_cast<std::size_t>(whole(0, kMostIndex, need));
}

void JsonStream::skip() {
  switch (kind()) {
    case Kind::Object:
      return object({}, [this](std::string_view) { skip(); });
    case Kind::List:
      return list({}, [this](std::size_t) { skip(); });
    case Kind::Text:
      return (void)text({});
    case Kind::Number:
      return (void)exactNumber({});
    case Kind::Boolean:
      return (void)boolean({});
    case Kind::Null:
      break;
  }
  if (failed()) return;
  const auto null = m_state->atRoot() ? m_state->document.is_null() : m_state->current.is_null();
  if (null.error() != simdjson::SUCCESS || !null.value_unsafe()) m_state->malformed();
  m_state->unread = false;
}

void JsonStream::finish() {
  if (!failed() && m_state->document.current_location().error() != simdjson::OUT_OF_BOUNDS) m_state->malformed();
}

void JsonStream::refuse(std::string_view what, std::string_view need) {
  const Kind found = kind();
  std::string shown = found == Kind::Object ? "an object" : found == Kind::List ? "a list" : "";
  if (shown.empty()) shown = cutToSentence(m_state->token());
  if (found != Kind::Object && found != Kind::List) skip();
  fail(shown + " is not " + std::string(what) + "; " + std::string(need));
}

void JsonStream::fail(const std::string& message) {
  if (!failed()) m_state->fail(jsonError(message, m_state->pointer()));
}

bool JsonStream::failed() const { return m_state->failed; }

Error JsonStream::problem() const {
  return m_state->problem ? *m_state->problem : jsonSyntaxError(m_state->text, m_state->stop);
}

}  // namespace p2::inline text
