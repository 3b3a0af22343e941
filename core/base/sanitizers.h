// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// P2_SANITIZED is defined where address or thread sanitizer is compiled in: they need all addresses there are, and
/// look for leaks. gcc and clang say so in different words.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define P2_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define P2_SANITIZED
#endif
#endif
