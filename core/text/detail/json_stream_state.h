// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <new>
#include <optional>
#include <set>

#include "base/utf8.h"
#include "text/detail/json_digits.h"
#include "text/detail/json_syntax.h"
#include "text/json_stream.h"

namespace p2::inline text {

/// State of a reading: simdjson's document, the lists and objects around the value, the counts, and the first problem.
/// Private to json_stream.cpp.
struct JsonStream::State {
  static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  static constexpr std::size_t kStopEvery = 4096;  // values

  /// A list or an object that is being read.
  struct Frame {
    bool object = false;
    bool begun = false;
    std::size_t index = 0;
    std::string_view key = {};
    std::set<std::string_view> keys = {};
    simdjson::ondemand::array_iterator item = {};
    simdjson::ondemand::object_iterator member = {};
  };

  State(std::string given, std::stop_token token) : whole(std::move(given)), stop(std::move(token)) {
    text = whole;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    problem = unreadableError(text);
    failed = problem.has_value();
    if (failed) return;
    const std::size_t begin = whole.size() - text.size();
    const std::size_t size = text.size();
    whole.append(simdjson::SIMDJSON_PADDING, ' ');
    text = std::string_view(whole).substr(begin, size);
    const auto error = parser.iterate(text.data(), size, whole.size() - begin).get(document);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
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

  /// The text from the value's first byte on; only the bracket of a list or object.
  [[nodiscard]] std::string_view token() {
    if (!atRoot()) return trimmedJson(current.raw_json_token());
    return trimmedJson(text.substr(text.find_first_not_of(kJsonBlanks)));
  }

  void fail(const Error& error) {
    if (!failed) problem = error;
    failed = true;
  }
  /// Marks the text as not JSON. jsonSyntaxError() describes the error.
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
  [[nodiscard]] bool takeWholes(simdjson::ondemand::array& list, std::vector<double>& into) {
    constexpr std::size_t kLongest = std::size_t{1} << 20;  // bytes that are read without listening for a stop
    const std::size_t before = into.size();
    std::string_view raw;
    // After a list without an end there is nothing left to go back in.
    if (list.raw_json().get(raw) != simdjson::SUCCESS) {
      malformed();
      return false;
    }
    if (raw.size() <= kLongest && appendShortWholes(trimmedJson(raw), into)) {
      const std::size_t known = values;
      values += into.size() - before;
      (void)(values / kStopEvery == known / kStopEvery || mayGoOn());
      return true;
    }
    into.resize(before);
    if (list.reset().error() != simdjson::SUCCESS) malformed();
    return false;
  }

  [[nodiscard]] bool begin(simdjson::ondemand::array list) {
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
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::value current;
  bool unread = true;  // `current` is unread
  std::vector<Frame> frames;
  std::size_t values = 0;
  std::size_t containers = 0;
  bool failed = false;
  std::optional<Error> problem;
};

}  // namespace p2::inline text
