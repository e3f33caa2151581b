// What one_file.cmake tries to link: something of each archive that may ask for more libraries.
// Declared here, since only the linker is asked.
#include <fmt/format.h>

#include <string>

extern "C" {
const void* TLS_client_method();
void* SSL_CTX_new(const void* method);
int idn2_to_ascii_8z(const char* input, char** output, int flags);
const char* zlibVersion();
}

int main() {
  char* name = nullptr;
  const int result = idn2_to_ascii_8z("localhost", &name, 0);
  const std::string text =
      fmt::format("{} {:.3f} {}", zlibVersion(), 1.5, SSL_CTX_new(TLS_client_method()) != nullptr);
  return text.empty() ? result : 0;
}
