// Words for whoever watches, and checks that end the program. The runtime itself uses neither: it returns errors.
#pragma once

#include "error.h"

namespace tenon {

enum class LogLevel : uint8_t { Debug, Info, Error, Fatal };

// Where words go: standard error from Info on, until told otherwise. Null is nowhere.
using LogSink = void (*)(LogLevel level, const char* file, int line, const char* text);
void set_log(LogSink sink);
void log(LogLevel level, const char* file, int line, const char* format, ...) ET_PRINTFLIKE(4, 5);

// The same at level Error, and nothing for no words.
void log_words(const char* file, int line, const char* format, ...);

// What die() calls after its last words: std::abort, until told otherwise. It must not return.
void set_abort(void (*function)());

}  // namespace tenon

// ET_LOG_ENABLED=0 takes the log out of a build, as TENON_WORDS=0 takes all words.
#ifndef ET_LOG_ENABLED
#define ET_LOG_ENABLED TENON_WORDS
#endif
#if ET_LOG_ENABLED
#define ET_LOG(level, ...) ::tenon::log(::tenon::LogLevel::level, __FILE__, __LINE__, __VA_ARGS__)
#else
#define ET_LOG(level, ...) ((void)0)
#endif

#define ET_CHECK_MSG(condition, ...)                                              \
  do {                                                                            \
    if (ET_UNLIKELY(!(condition))) ::tenon::die(__FILE__, __LINE__, __VA_ARGS__); \
  } while (0)
#define ET_CHECK(condition) ET_CHECK_MSG(condition, "%s does not hold", #condition)
#ifdef NDEBUG
#define ET_DCHECK_MSG(condition, ...) ((void)0)
#define ET_DCHECK(condition) ((void)0)
#else
#define ET_DCHECK_MSG(condition, ...) ET_CHECK_MSG(condition, __VA_ARGS__)
#define ET_DCHECK(condition) ET_CHECK(condition)
#endif
#define ET_ASSERT_MESSAGE_EMIT(...) ET_LOG(Fatal, __VA_ARGS__)
#define ET_ASSERT_UNREACHABLE() ::tenon::die(__FILE__, __LINE__, "this place cannot be reached, and was")
#define ET_ASSERT_UNREACHABLE_MSG(...) ::tenon::die(__FILE__, __LINE__, __VA_ARGS__)

// --- early returns ------------------------------------------------------------------------------------------------

#define ET_CHECK_OR_RETURN_ERROR(condition, error, ...) \
  do {                                                  \
    if (ET_UNLIKELY(!(condition))) {                    \
      ET_LOG(Error, __VA_ARGS__);                       \
      return ::tenon::Error::error;                     \
    }                                                   \
  } while (0)
#define ET_CHECK_OK_OR_RETURN_ERROR(expression, ...)          \
  do {                                                        \
    const ::tenon::Error tenon_error = (expression);          \
    if (ET_UNLIKELY(tenon_error != ::tenon::Error::Ok)) {     \
      ::tenon::log_words(__FILE__, __LINE__, "" __VA_ARGS__); \
      return tenon_error;                                     \
    }                                                         \
  } while (0)
#define ET_CHECK_OR_RETURN_FALSE(condition, ...) \
  do {                                           \
    if (ET_UNLIKELY(!(condition))) {             \
      ET_LOG(Error, __VA_ARGS__);                \
      return false;                              \
    }                                            \
  } while (0)
#define ET_LOG_AND_RETURN_IF_FALSE(condition) ET_CHECK_OR_RETURN_FALSE(condition, "%s does not hold", #condition)
#define ET_LOG_MSG_AND_RETURN_IF_FALSE(condition, ...) ET_CHECK_OR_RETURN_FALSE(condition, __VA_ARGS__)

#define TENON_JOINED(a, b) a##b
#define TENON_JOIN(a, b) TENON_JOINED(a, b)
#define TENON_ASSIGN_AT(name, variable, result) \
  auto name = (result);                         \
  if (!name.ok()) return name.error();          \
  variable = std::move(*name)
#define ET_ASSIGN_OR_RETURN(variable, result) TENON_ASSIGN_AT(TENON_JOIN(tenon_result_, __LINE__), variable, result)
#define ET_UNWRAP(result, ...)                           \
  ({                                                     \
    auto tenon_result = (result);                        \
    if (!tenon_result.ok()) return tenon_result.error(); \
    std::move(*tenon_result);                            \
  })

// --- in kernels ---------------------------------------------------------------------------------------------------

#define ET_KERNEL_CHECK_MSG(context, condition, error, value, ...) \
  do {                                                             \
    if (ET_UNLIKELY(!(condition))) {                               \
      (context).fail(::tenon::Error::error, __VA_ARGS__);          \
      return value;                                                \
    }                                                              \
  } while (0)
#define ET_KERNEL_CHECK(context, condition, error, value) \
  ET_KERNEL_CHECK_MSG(context, condition, error, value, "%s does not hold", #condition)
