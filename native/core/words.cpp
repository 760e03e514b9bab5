// Errors, messages, the log, and the end of the program.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <tenon/log.h>

namespace tenon {

const char* to_string(Error error) {
  switch (error) {
#define X(name, code) \
  case Error::name:   \
    return #name;
    TENON_ERRORS(X)
#undef X
  }
  return "an error that is not known";
}

#if TENON_WORDS
void Message::vadd(const char* format, va_list values) {
  const size_t used = std::strlen(text);
  std::vsnprintf(text + used, capacity - used, format, values);
}

void Message::add(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vadd(format, values);
  va_end(values);
}

Error Message::say(Error error, const char* format, ...) {
  clear();
  va_list values;
  va_start(values, format);
  vadd(format, values);
  va_end(values);
  return error;
}
#endif

// --- the log --------------------------------------------------------------------------------------------------

namespace {

void to_standard_error(LogLevel level, const char* file, int line, const char* text) {
  if (level >= LogLevel::Info)
    std::fprintf(stderr, "%c %s:%d: %s\n", "DIEF"[static_cast<int>(level)], file, line, text);
}

LogSink sink = to_standard_error;
void (*abort_function)() = std::abort;

void vlog(LogLevel level, const char* file, int line, const char* format, va_list values) {
  if (!sink) return;
  Message message;
  message.vadd(format, values);
  sink(level, file, line, message.text);
}

}  // namespace

void set_log(LogSink function) { sink = function; }
void set_abort(void (*function)()) { abort_function = function; }

void log(LogLevel level, const char* file, int line, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vlog(level, file, line, format, values);
  va_end(values);
}

void log_words(const char* file, int line, const char* format, ...) {
  if (!*format) return;
  va_list values;
  va_start(values, format);
  vlog(LogLevel::Error, file, line, format, values);
  va_end(values);
}

void die(const char* file, int line, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vlog(LogLevel::Fatal, file, line, format, values);
  va_end(values);
  abort_function();
  std::abort();
}

}  // namespace tenon
