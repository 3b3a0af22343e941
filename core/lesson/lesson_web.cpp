// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_web.h"

#include "lesson/answer_code.h"
#include "lesson/detail/web_parts.h"
#include "text/html.h"

namespace p2::inline lesson {
namespace {

/// Base64, as browsers read it.
std::string encoded(std::string_view text) {
  constexpr std::string_view kBase64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, text.size() - at);
    for (std::size_t i = 0; i < 3; ++i) bits = bits << 8U | (i < count ? static_cast<unsigned char>(text[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= count ? kBase64Letters[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return out;
}

Result<Json> pageJson(const LessonPage& page, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto prepared, preparePage(page, stop));
  P2_TRY_ASSIGN(auto task, webTask(prepared, std::move(stop)));
  const LessonTask& asked = prepared.page.task;
  Json json{{"text", prepared.page.text}, {"question", asked.question}, {"scene", webScene(prepared)}};
  json["task"] = std::move(task.asked);
  task.key["hints"] = asked.hints;
  task.key["done"] = asked.done;
  json["key"] = encoded(task.key.dump());
  return json;
}

void replace(std::string& text, std::string_view mark, const std::string& value) {
  const std::size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), value);
}

}  // namespace

Result<std::string> lessonToPage(const Lesson& lesson, std::stop_token stop) {
  Json data{{"format", "p2-lesson-page"},
            {"title", lesson.title},
            {"minutes", lesson.minutes},
            {"fingerprint", fingerprintOf(lesson)},
            {"pages", Json::array()}};
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    auto page = pageJson(lesson.pages[i], stop);
    if (!page.ok()) {
      const Error& error = page.error();
      return error.kind == ErrorKind::Cancelled ? error
                                                : error.at("/pages/" + std::to_string(i) + error.where.position);
    }
    data["pages"].push_back(std::move(page).value());
  }
  // Inside of a script no text may look like its end.
  std::string text;
  for (const char c : data.dump()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  std::string html(lessonPage());
  replace(html, "__TITLE__", htmlText(lesson.title));
  replace(html, "__PALETTE__", std::string(lessonPalette()));
  replace(html, "__DATA__", text);
  return html;
}

}  // namespace p2::inline lesson
