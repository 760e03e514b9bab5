// Kernels by name: tables linked together, searched where they lie.
#include <tenon/registry.h>

#include <cstring>

namespace tenon {

// By bytes. A name from a file may hold a zero; one of a kernel ends there.
int OperatorName::compare(const char* whole) const {
  const std::string_view parts[] = {name, overload.empty() ? "" : ".", overload};
  for (const std::string_view& part : parts) {
    for (const char letter : part) {
      const int difference = static_cast<unsigned char>(letter) - static_cast<unsigned char>(*whole);
      if (difference || !*whole) return difference ? difference : 1;
      ++whole;
    }
  }
  return *whole ? -1 : 0;
}

namespace {

bool is_same_key(const char* a, const char* b) { return a == b || (a && b && !std::strcmp(a, b)); }

// Where the rows of an operator begin in a table that is in order.
size_t first_row(const KernelTable& table, const OperatorName& name) {
  size_t low = 0;
  for (size_t high = table.rows.size(); low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (name.compare(table.rows[middle].name_) > 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Calls `take(row)` for the rows of an operator until it is true.
template <class Take>
const Kernel* first_where(const KernelTable& table, const OperatorName& name, Take&& take) {
  for (size_t i = table.sorted ? first_row(table, name) : 0; i < table.rows.size(); ++i) {
    const Kernel& row = table.rows[i];
    if (name.compare(row.name_)) {
      if (table.sorted) return nullptr;
    } else if (take(row)) {
      return &row;
    }
  }
  return nullptr;
}

const Kernel* find_exactly(const KernelTable& table, const OperatorName& name, const char* key) {
  return first_where(table, name, [&](const Kernel& row) { return is_same_key(row.kernel_key_.data(), key); });
}

Error say_twice(Message* why, const Kernel& row, const char* first, const char* second) {
  if (!why) return Error::RegistrationAlreadyRegistered;
  const char* key = row.kernel_key_.data();
  const char* remedy = first == second ? "Leave one out." : "Leave one out, or give one library a higher precedence.";
  return why->say(Error::RegistrationAlreadyRegistered,
                  "%s%s%s%s has a kernel in the library %s, and another in %s. %s", row.name_, key ? " (" : "",
                  key ? key : "", key ? ")" : "", first, second, remedy);
}

}  // namespace

const Kernel* find(const KernelTable& table, const OperatorName& name, const char* key) {
  const Kernel* found = key ? find_exactly(table, name, key) : nullptr;
  return found ? found : find_exactly(table, name, nullptr);
}

Error Registry::add(KernelTable& table, Message* why) {
  for (const KernelTable* each = first_; each; each = each->next) {
    if (each == &table) return Error::Ok;
  }
  for (const Kernel& row : table.rows) {
    const OperatorName name(row.name_);
    const char* key = row.kernel_key_.data();
    const Kernel* earlier = find_exactly(table, name, key);
    if (!earlier) {
      if (!why) return Error::InvalidArgument;
      return why->say(Error::InvalidArgument,
                      "the library %s says that its kernels are in order, and %s is not. "
                      "Sort them by name, or do not say so.",
                      table.library, row.name_);
    }
    if (earlier != &row) return say_twice(why, row, table.library, table.library);
    for (const KernelTable* other = first_; other; other = other->next) {
      if (other->precedence == table.precedence && find_exactly(*other, name, key)) {
        return say_twice(why, row, other->library, table.library);
      }
    }
  }
  KernelTable** place = &first_;
  while (*place && (*place)->precedence >= table.precedence) place = &(*place)->next;
  table.next = *place;
  *place = &table;
  return Error::Ok;
}

void Registry::remove(KernelTable& table) {
  for (KernelTable** place = &first_; *place; place = &(*place)->next) {
    if (*place != &table) continue;
    *place = table.next;
    table.next = nullptr;
    return;
  }
}

const Kernel* Registry::find(const OperatorName& name, const char* key) const {
  const Kernel* fallback = nullptr;
  for (const KernelTable* table = first_; table; table = table->next) {
    if (const Kernel* found = key ? find_exactly(*table, name, key) : nullptr) return found;
    if (!fallback) fallback = find_exactly(*table, name, nullptr);
    if (fallback && (!table->next || table->next->precedence < table->precedence)) return fallback;
  }
  return fallback;
}

const Kernel* Registry::find(const OperatorName& name, Span<const TensorMeta> metas) const {
  KeyText key;
  return key.set(metas) ? find(name, key.text) : nullptr;
}

bool Registry::has(const OperatorName& name) const {
  for (const KernelTable* table = first_; table; table = table->next) {
    if (first_where(*table, name, [](const Kernel&) { return true; })) return true;
  }
  return false;
}

// --- keys -------------------------------------------------------------------------------------------------------

bool KeyText::put(ScalarType type, ArrayRef<DimOrderType> order, size_t dim) {
  const auto number = [&](unsigned value) {
    if (value >= 10) text[size_++] = static_cast<char>('0' + value / 10 % 10);
    text[size_++] = static_cast<char>('0' + value % 10);
  };
  if (size_ + 4 + 3 * dim + 1 > capacity) return false;
  if (size_) {
    text[size_++] = '|';
  } else {
    text[size_++] = 'v';
    text[size_++] = '1';
    text[size_++] = '/';
  }
  number(static_cast<unsigned>(type));
  text[size_++] = ';';
  for (size_t i = 0; i < dim; ++i) {
    if (i) text[size_++] = ',';
    number(i < order.size() ? order[i] : static_cast<unsigned>(i));
  }
  text[size_] = 0;
  return true;
}

bool KeyText::set(Span<EValue* const> values) {
  size_ = 0;
  text[0] = 0;
  for (const EValue* each : values) {
    if (!each->isTensor()) continue;
    const TensorImpl& tensor = *each->payload.as_tensor;
    if (!put(tensor.scalar_type(), tensor.dim_order(), tensor.sizes().size())) return false;
  }
  return true;
}

bool KeyText::set(Span<const TensorMeta> metas) {
  size_ = 0;
  text[0] = 0;
  for (const TensorMeta& each : metas) {
    if (!put(each.dtype_, each.dim_order_, each.dim_order_.size())) return false;
  }
  return true;
}

}  // namespace tenon
