// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/result.h"

namespace p2::fuzz {

/// Ends the process where something does not hold: a fuzzer keeps the text, a test says which one it was.
inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: does not hold: %s\n", what);
  std::abort();
}

/// Whether there is a value; an error must be a sentence.
template <class T>
bool read(const Result<T>& result) {
  if (!result.ok()) expect(!result.error().text().empty(), "an error has words");
  return result.ok();
}

/// What is written of a value is read, and written the same again. For documents, which keep the text they came from.
template <class T, class Write, class Read>
void expectStable(const T& value, Write write, Read readAgain) {
  const std::string written = write(value);
  const auto again = readAgain(written);
  if (!again.ok()) std::fprintf(stderr, "fuzz: %s\n", again.error().text().c_str());
  expect(again.ok(), "what was written is read");
  expect(write(*again) == written, "what is read is written the same again");
}

/// What was written of a value is read as the same value.
template <class T>
void expectSame(const Result<T>& again, const T& value) {
  if (!again.ok()) std::fprintf(stderr, "fuzz: %s\n", again.error().text().c_str());
  expect(again.ok(), "what was written is read");
  expect(*again == value, "what is read again is the same");
}

}  // namespace p2::fuzz
