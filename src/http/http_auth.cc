#include "http/http_auth.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/text.h"

namespace carronade::http {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Reads a challenge field from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_[0])) rest_.remove_prefix(1);
  }
  void skip_separators() {
    while (!rest_.empty() && (is_blank(rest_[0]) || rest_[0] == ',')) rest_.remove_prefix(1);
  }
  void skip_one() { rest_.remove_prefix(1); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Up to a blank, a comma, an equals sign or a quote.
  std::string_view take_word() {
    size_t size = rest_.find_first_of(" \t,=\"");
    if (size == std::string_view::npos) size = rest_.size();
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }
  // A token, or a quoted string without its quotes and escapes.
  std::string take_value() {
    if (!take('"')) return std::string(take_word());
    std::string value;
    while (!rest_.empty()) {
      char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') break;
      if (c == '\\' && !rest_.empty()) {
        c = rest_[0];
        rest_.remove_prefix(1);
      }
      value += c;
    }
    return value;
  }

 private:
  std::string_view rest_;
};

void set_algorithm(Challenge& challenge, std::string value) {
  std::string name = base::to_lower(value);
  if (name.ends_with("-sess")) {
    challenge.session = true;
    name.resize(name.size() - 5);
  }
  challenge.hash = name == "md5"       ? DigestHash::kMd5
                   : name == "sha-256" ? DigestHash::kSha256
                                       : DigestHash::kOther;
  challenge.algorithm = std::move(value);
}

void set_qop(Challenge& challenge, std::string_view value) {
  challenge.has_qop = true;
  for (const std::string_view kind : base::split(value, ',')) {
    if (base::iequals(base::trim(kind), "auth")) challenge.qop_auth = true;
  }
}

void set_parameter(Challenge& challenge, std::string_view name, std::string value) {
  const bool digest = challenge.scheme == AuthScheme::kDigest;
  if (base::iequals(name, "realm")) {
    challenge.realm = std::move(value);
  } else if (digest && base::iequals(name, "nonce")) {
    challenge.nonce = std::move(value);
  } else if (digest && base::iequals(name, "opaque")) {
    challenge.opaque = std::move(value);
  } else if (digest && base::iequals(name, "stale")) {
    challenge.stale = base::iequals(value, "true");
  } else if (digest && base::iequals(name, "algorithm")) {
    set_algorithm(challenge, std::move(value));
  } else if (digest && base::iequals(name, "qop")) {
    set_qop(challenge, value);
  }
}

Challenge begin_challenge(std::string_view scheme) {
  Challenge challenge;
  challenge.scheme_name = std::string(scheme);
  if (base::iequals(scheme, "basic")) challenge.scheme = AuthScheme::kBasic;
  if (base::iequals(scheme, "digest")) challenge.scheme = AuthScheme::kDigest;
  return challenge;
}

int strength(const Challenge& challenge) {
  if (!challenge.usable()) return 0;
  if (challenge.scheme == AuthScheme::kBasic) return 1;
  return challenge.hash == DigestHash::kMd5 ? 2 : 3;
}

// As a quoted string has to be written.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::vector<Challenge> parse_challenges(std::string_view value) {
  std::vector<Challenge> challenges;
  Cursor cursor(value);
  for (cursor.skip_separators(); !cursor.at_end(); cursor.skip_separators()) {
    const std::string_view word = cursor.take_word();
    if (word.empty()) {
      cursor.skip_one();  // a stray '=' or quote
      continue;
    }
    cursor.skip_blanks();
    if (!cursor.take('=')) {
      challenges.push_back(begin_challenge(word));
      continue;
    }
    // More of them, or nothing behind it, is the padding of a token68 as NTLM writes it.
    cursor.skip_blanks();
    std::string text = cursor.take_value();
    if (!challenges.empty()) set_parameter(challenges.back(), word, std::move(text));
  }
  return challenges;
}

const Challenge* strongest(const std::vector<Challenge>& challenges) {
  const Challenge* best = nullptr;
  for (const Challenge& challenge : challenges) {
    if (strength(challenge) > (best == nullptr ? 0 : strength(*best))) best = &challenge;
  }
  return best;
}

std::string basic_authorization(const Credentials& credentials) {
  return "Basic " + base::base64(credentials.user + ":" + credentials.password);
}

Authenticator::Authenticator(Challenge challenge, Credentials credentials, std::string client_nonce)
    : challenge_(std::move(challenge)),
      credentials_(std::move(credentials)),
      client_nonce_(std::move(client_nonce)) {
  if (challenge_.scheme == AuthScheme::kBasic) {
    secret_ = basic_authorization(credentials_);
    return;
  }
  secret_ =
      hash(fmt::format("{}:{}:{}", credentials_.user, challenge_.realm, credentials_.password));
  if (challenge_.session) {
    secret_ = hash(fmt::format("{}:{}:{}", secret_, challenge_.nonce, client_nonce_));
  }
}

std::string Authenticator::hash(std::string_view text) const {
  return challenge_.hash == DigestHash::kSha256 ? base::sha256_hex(text) : base::md5_hex(text);
}

std::string Authenticator::authorization(std::string_view method, std::string_view target) {
  if (challenge_.scheme == AuthScheme::kBasic) return secret_;
  const std::string count = fmt::format("{:08x}", ++count_);
  const std::string request = hash(fmt::format("{}:{}", method, target));
  const std::string response =
      challenge_.qop_auth ? hash(fmt::format("{}:{}:{}:{}:auth:{}", secret_, challenge_.nonce,
                                             count, client_nonce_, request))
                          : hash(fmt::format("{}:{}:{}", secret_, challenge_.nonce, request));
  std::string text = fmt::format(R"(Digest username="{}", realm="{}", nonce="{}", uri="{}")",
                                 escaped(credentials_.user), escaped(challenge_.realm),
                                 escaped(challenge_.nonce), target);
  if (!challenge_.algorithm.empty()) text += ", algorithm=" + challenge_.algorithm;
  text += fmt::format(R"(, response="{}")", response);
  if (!challenge_.opaque.empty())
    text += fmt::format(R"(, opaque="{}")", escaped(challenge_.opaque));
  if (challenge_.qop_auth) text += ", qop=auth, nc=" + count;
  if (challenge_.qop_auth || challenge_.session)
    text += fmt::format(R"(, cnonce="{}")", client_nonce_);
  return text;
}

}  // namespace carronade::http
