// The client's side of HTTP authentication: what a WWW-Authenticate or Proxy-Authenticate field
// asks for, and the Authorization value that answers it. Basic (RFC 7617) and Digest (RFC 7616)
// with MD5 and SHA-256, their session forms, and quality of protection `auth` or none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carronade/expected.h"

namespace carronade::http {

enum class AuthScheme : uint8_t { kBasic, kDigest, kOther };
enum class DigestHash : uint8_t { kMd5, kSha256, kOther };

struct Challenge {
  AuthScheme scheme = AuthScheme::kOther;
  std::string scheme_name;  // as written: "Digest"
  std::string realm;
  // Of Digest only.
  std::string nonce;
  std::string opaque;
  std::string algorithm;  // as written, "" when it was not
  DigestHash hash = DigestHash::kMd5;
  bool session = false;   // algorithm …-sess
  bool has_qop = false;   // quality of protection was named …
  bool qop_auth = false;  // … and `auth` is among it
  bool stale = false;     // the credentials were right, the nonce was too old

  // Whether Authenticator can answer it.
  bool usable() const {
    if (scheme == AuthScheme::kBasic) return true;
    return scheme == AuthScheme::kDigest && hash != DigestHash::kOther && !nonce.empty() &&
           (!has_qop || qop_auth);
  }
};

// The challenges of one field's value, in order. What is no challenge is passed over.
std::vector<Challenge> parse_challenges(std::string_view value);

// The one to answer: Digest with SHA-256 before MD5 before Basic; nullptr when none is usable.
const Challenge* strongest(const std::vector<Challenge>& challenges);

struct Credentials {
  std::string user;
  std::string password;
};

// "Basic dTpw"
std::string basic_authorization(const Credentials& credentials);

// Answers one usable challenge, request after request. One thread.
class Authenticator {
 public:
  // `client_nonce` is told to the server: any text without quotes, another one for each user.
  Authenticator(Challenge challenge, Credentials credentials, std::string client_nonce);

  // The Authorization value of the next request; `target` as in its request line. Each call counts
  // the nonce up.
  std::string authorization(std::string_view method, std::string_view target);

  const Challenge& challenge() const { return challenge_; }

 private:
  std::string hash(std::string_view text) const;

  Challenge challenge_;
  Credentials credentials_;
  std::string client_nonce_;
  std::string secret_;  // what is hashed of user, realm and password, hashed
  uint32_t count_ = 0;
};

}  // namespace carronade::http
