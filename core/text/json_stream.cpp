// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_stream.h"

#include <simdjson.h>

#include <cmath>
#include <optional>
#include <set>

#include "base/utf8.h"
#include "text/json_digits.h"
#include "text/json_shown.h"
#include "text/json_syntax.h"

namespace p2 {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kStopEvery = 4096;  // values

/// What makes a text unreadable before any of it is read.
std::optional<Error> unreadable(std::string_view text) {
  if (text.find_first_not_of(kBlanks) == std::string_view::npos) {
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

std::string_view trimmed(std::string_view token) {
  return token.substr(0, token.find_last_not_of(kBlanks) + 1);  // npos + 1 is 0
}

struct Frame {
  bool object = false;
  bool begun = false;
  std::size_t index = 0;
  std::string_view key = {};
  std::set<std::string_view> keys = {};
  ondemand::array_iterator item = {};
  ondemand::object_iterator member = {};
};

}  // namespace

struct JsonStream::State {
  State(std::string given, std::stop_token token) : whole(std::move(given)), stop(std::move(token)) {
    text = whole;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    problem = unreadable(text);
    failed = problem.has_value();
    if (failed) return;
    const std::size_t begin = whole.size() - text.size();
    const std::size_t size = text.size();
    whole.append(simdjson::SIMDJSON_PADDING, ' ');
    text = std::string_view(whole).substr(begin, size);
    const auto error = parser.iterate(text.data(), size, whole.size() - begin).get(document);
    if (error == simdjson::UTF8_ERROR) {
      problem = jsonError("this is not valid UTF-8; save the text as UTF-8", textPosition(text, utf8Prefix(text)));
    }
    failed = error != simdjson::SUCCESS;
  }

  /// The document itself where it is a lone value, which simdjson does not treat as one.
  [[nodiscard]] bool atRoot() const { return frames.empty(); }

  template <class T>
  [[nodiscard]] bool take(T& value) {
    const auto error = atRoot() ? document.get(value) : current.get(value);
    if (error == simdjson::SUCCESS) unread = false;
    return error == simdjson::SUCCESS;
  }

  /// From the value's first byte on; of a list or an object only its bracket.
  [[nodiscard]] std::string_view token() {
    if (!atRoot()) return trimmed(current.raw_json_token());
    return trimmed(text.substr(text.find_first_not_of(kBlanks)));
  }

  void fail(const Error& error) {
    if (!failed) problem = error;
    failed = true;
  }
  /// Not JSON: jsonSyntaxError() has the words for it.
  void malformed() { failed = true; }

  /// One more value: heard of a stop, and within the limit?
  [[nodiscard]] bool count() { return ++values % kStopEvery != 0 || mayGoOn(); }
  [[nodiscard]] bool mayGoOn() {
    if (stop.stop_requested()) fail(cancelledError());
    if (values > JsonLimits::values) {
      fail(jsonError("more than " + std::to_string(JsonLimits::values) + " values; nothing so large is read"));
    }
    return !failed;
  }

  [[nodiscard]] bool push(Frame frame) {
    if (frames.size() == JsonLimits::depth) fail(tooDeepError());
    if (++containers > JsonLimits::containers) {
      fail(jsonError("more than " + std::to_string(JsonLimits::containers) +
                     " lists and objects; nothing so large is read"));
    }
    if (!failed) frames.push_back(std::move(frame));
    return !failed;
  }

  /// A list of nothing but short whole numbers, without asking simdjson what each of them is. Any other list is left at
  /// its beginning.
  [[nodiscard]] bool takeWholes(ondemand::array& list, std::vector<double>& into) {
    constexpr std::size_t kLongest = std::size_t{1} << 20;  // bytes that are read without listening for a stop
    const std::size_t before = into.size();
    std::string_view raw;
    // After a list without an end there is nothing left to go back in.
    if (list.raw_json().get(raw) != simdjson::SUCCESS) {
      malformed();
      return false;
    }
    if (raw.size() <= kLongest && appendShortWholes(trimmed(raw), into)) {
      const std::size_t known = values;
      values += into.size() - before;
      (void)(values / kStopEvery == known / kStopEvery || mayGoOn());
      return true;
    }
    into.resize(before);
    if (list.reset().error() != simdjson::SUCCESS) malformed();
    return false;
  }

  [[nodiscard]] bool begin(ondemand::array list) {
    Frame frame;
    if (failed || list.begin().get(frame.item) != simdjson::SUCCESS) {
      malformed();
      return false;
    }
    return push(std::move(frame));
  }

  [[nodiscard]] bool takeKey(std::string_view& key) {
    Frame& frame = frames.back();
    auto field = *frame.member;
    if (field.error() != simdjson::SUCCESS || field.unescaped_key().get(key) != simdjson::SUCCESS) {
      malformed();
      return false;
    }
    current = field.value_unsafe().value();
    frame.key = {};
    frame.begun = false;  // a fault in the keys is one of the object
    if (!frame.keys.insert(key).second) {
      fail(jsonError("the key \"" + std::string(key) + "\" appears twice; keep one", pointer()));
    } else if (frame.keys.size() > JsonLimits::keys) {
      fail(jsonError("more than " + std::to_string(JsonLimits::keys) + " keys in one object; P² files need ten",
                     pointer()));
    }
    frame.key = key;
    frame.begun = true;
    return !failed;
  }

  [[nodiscard]] std::string pointer() const {
    std::string steps;
    for (const Frame& frame : frames) {
      if (frame.begun) steps += frame.object ? jsonPointerStep(frame.key) : "/" + std::to_string(frame.index);
    }
    return steps;
  }

  std::string whole;  // with what simdjson needs behind it
  std::string_view text;
  std::stop_token stop;
  ondemand::parser parser;
  ondemand::document document;
  ondemand::value current;
  bool unread = true;  // nothing of `current` has been read
  std::vector<Frame> frames;
  std::size_t values = 0;
  std::size_t containers = 0;
  bool failed = false;
  std::optional<Error> problem;
};

Error jsonError(std::string message, std::string pointer) { return {std::move(message), std::move(pointer)}; }

std::string jsonPointerStep(std::string_view key) {
  std::string step = "/";
  for (const char c : key) step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return step;
}

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
  Frame frame{true};
  frame.member = begin;
  return m_state->push(std::move(frame));
}

bool JsonStream::nextMember(std::string_view& key) {
  if (!failed() && m_state->frames.back().begun && m_state->unread) skip();
  if (failed()) return false;
  Frame& frame = m_state->frames.back();
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
  Frame& frame = m_state->frames.back();
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
    refuse("a text", need);
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
    return this->list(need, [](std::size_t) {});  // which says what is wrong
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

}  // namespace p2
