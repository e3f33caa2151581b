#include "dialects/carronade/tls_options.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.h"

namespace carronade::dialects {
namespace {

tl::expected<std::string, SpecError> load(const std::string& path, const char* what) {
  if (path.empty()) return "";
  Expected<std::string> content = base::read_file(path);
  if (content) return std::move(*content);
  return fault(fmt::format("Failed to load {} file: {}", what, content.error().text));
}

// PKCS#12 begins, in DER or BER, with a sequence whose first element is the version, 3 (RFC 7292).
bool is_pkcs12(std::string_view content) {
  if (content.size() < 2 || content[0] != 0x30) return false;
  const auto length = static_cast<unsigned char>(content[1]);
  const size_t more = length > 0x80 ? length - 0x80U : 0;
  return more <= 8 && content.substr(2).size() > more &&
         content.substr(2 + more).starts_with(std::string_view("\x02\x01\x03", 3));
}

}  // namespace

SpecResult set_tls(const Options& o, Form form, TlsSpec& tls) {
  const auto certificate = load(o.certificate_file, "cert");
  if (!certificate) return tl::unexpected(certificate.error());
  if (const auto key = load(o.key_file, "key"); !key) return tl::unexpected(key.error());
  if (const auto bundle = load(o.pfx_file, "pfx"); !bundle) return tl::unexpected(bundle.error());
  for (const std::string& path : o.ca_files) {
    if (const auto ca = load(path, "ca"); !ca) return tl::unexpected(ca.error());
  }
  const bool bundled = is_pkcs12(*certificate);
  if (!o.pfx_file.empty() && (!o.certificate_file.empty() || !o.key_file.empty())) {
    return fault("--pfx holds a certificate and its key: leave --cert and --key out");
  }
  if (bundled && !o.key_file.empty()) {
    return fault(o.certificate_file + " is PKCS#12 and holds its key: leave --key out");
  }
  if (o.certificate_file.empty() && !o.key_file.empty()) {
    return fault("--key needs the certificate that it belongs to: add --cert FILE");
  }
  tls.server_name = o.servername;
  // autocannon takes a CA and then accepts every certificate.
  tls.verify = o.verify.value_or(form == Form::kPlain && !o.ca_files.empty());
  tls.ca_files = o.ca_files;
  if (!bundled) tls.certificate_file = o.certificate_file;
  tls.pkcs12_file = bundled ? o.certificate_file : o.pfx_file;
  tls.key_file = o.key_file;
  tls.passphrase = o.passphrase;
  tls.resume = o.resume;
  return {};
}

}  // namespace carronade::dialects
