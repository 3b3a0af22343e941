// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// P2_SANITIZED is defined where address or thread sanitizer is compiled in: they need all addresses there are, and
/// look for leaks. P2_THREAD_SANITIZED where it is the thread sanitizer. gcc and clang say so in different words.
#if defined(__SANITIZE_THREAD__)
#define P2_THREAD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define P2_THREAD_SANITIZED
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(P2_THREAD_SANITIZED)
#define P2_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define P2_SANITIZED
#endif
#endif
