#include "net/tls_error.h"

#include <fmt/format.h>

#include "base/text.h"

namespace carronade::net {

std::string tls_reason(unsigned long code) {
  if (code == 0) return "OpenSSL gives no reason";
  if (ERR_SYSTEM_ERROR(code)) return base::errno_text(ERR_GET_REASON(code));
  const char* reason = ERR_reason_error_string(code);
  if (reason != nullptr) return reason;
  return fmt::format("OpenSSL error {:08X}", code);
}

std::string take_tls_reason() {
  const unsigned long code = ERR_peek_error();
  std::string reason = tls_reason(code);
  ERR_clear_error();
  return reason;
}

}  // namespace carronade::net
