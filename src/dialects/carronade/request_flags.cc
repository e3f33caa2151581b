#include "cli/flag_setters.h"
#include "dialects/carronade/flag_parts.h"

namespace carronade::dialects {
namespace {

using cli::ArgKind;

}  // namespace

cli::FlagTable request_flags(Options& o) {
  return {
      {.name = "method",
       .letter = 'm',
       .kind = ArgKind::kValue,
       .hint = "METHOD",
       .section = "Request",
       .doc = "any HTTP method, sent as written",
       .default_text = "GET",
       .compat = "better: any token; the strict form takes autocannon's nine",
       .set = cli::set_text(o.method)},
      {.name = "headers",
       .aliases = {"header"},
       .letter = 'H',
       .kind = ArgKind::kValue,
       .hint = "K=V",
       .section = "Request",
       .doc = "a header, K=V or K:V, cut at whichever comes first",
       .more = "It replaces a default header of the same name in any letter case; repeated names "
               "are all sent, in order. One space after the separator is dropped.",
       .compat = "different: repeated names are all sent and one space after the separator is "
                 "dropped; in the strict form the last of a name wins and the value is verbatim",
       .repeatable = true,
       .set = cli::add_text(o.headers)},
      {.name = "body",
       .letter = 'b',
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "Request",
       .doc = "the body, or a WebSocket's message, sent byte for byte",
       .compat = "better: always text, also when it looks like a number or a group",
       .set = cli::set_text(o.body)},
      {.name = "input",
       .letter = 'i',
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Request",
       .doc = "the body or message from a file, byte for byte; - is standard input",
       .compat = "better: any bytes, not only UTF-8; `-i -` reads standard input",
       .set = cli::set_path(o.input)},
      {.name = "binary",
       .section = "Request",
       .doc = "with ws:// and wss://: send the message of -b or -i as a binary one, not as text",
       .compat = "new",
       .set = cli::set_switch(o.binary)},
      {.name = "expectBody",
       .letter = 'E',
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "Request",
       .doc = "the body that each response must have; others are counted as mismatches",
       .compat = "same",
       .set = cli::set_text(o.expect_body)},
      {.name = "socketPath",
       .letter = 'S',
       .kind = ArgKind::kValue,
       .hint = "PATH",
       .section = "Request",
       .doc = "connect to this Unix socket; the URL gives Host and path",
       .compat = "same",
       .set = cli::set_path(o.socket_path)},
      {.name = "proxy",
       .kind = ArgKind::kValue,
       .hint = "URL",
       .section = "Request",
       .doc = "go through this HTTP proxy, http://[user:pass@]host:port",
       .more =
           "To https, wss and ws URLs by a tunnel (CONNECT) for each connection; an http URL is "
           "asked for in absolute form.",
       .compat = "new",
       .set = cli::set_text(o.proxy)},
      {.name = "local-address",
       .kind = ArgKind::kWords,
       .hint = "LIST",
       .section = "Request",
       .doc = "addresses or blocks to connect from, in turn: 10.0.0.5,10.0.0.8/29",
       .more = "One address has about 28,000 ports for one destination. On 127.0.0.0/8 more "
               "addresses are used by themselves when there are more connections than that.",
       .compat = "new",
       .repeatable = true,
       .set = cli::add_list(o.local_addresses)},
      {.name = "form",
       .letter = 'F',
       .kind = ArgKind::kValue,
       .hint = "FORM",
       .section = "Request",
       .doc = "a multipart/form-data body, from JSON or a file with it",
       .more =
           "{\"NAME\": {\"type\": \"text\", \"value\": TEXT}} is a field, {\"NAME\": {\"type\": "
           "\"file\", \"path\": PATH}} a file, whose \"options\" may hold filename, filepath and "
           "contentType. The method is POST unless -m says otherwise.",
       .compat = "better: the method is POST when none is given; in the strict form GET, as "
                 "autocannon's command line has it. A field may be empty (not in the strict form)",
       .set = cli::set_path(o.form)},
      {.name = "har",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Request",
       .doc = "the requests of a HAR file, those for the origin of each URL, in turn",
       .more =
           "Each connection begins with the first entry. Method, path, headers and body are the "
           "entry's; its headers replace those of -H in any letter case. What belongs to the "
           "recorded connection is left out: Connection and its kin, Host, HTTP/2's "
           "pseudo-headers, the fragment. Entries of other origins are skipped with a warning. "
           "-m, -b, -i and -F have no effect.",
       .compat = "different: see \"HAR files\" below; the strict form sends what autocannon sends",
       .set = cli::set_path(o.har_file)},
  };
}

cli::FlagTable placeholder_flags(Options& o) {
  return {
      {.name = "idReplacement",
       .letter = 'I',
       .section = "Placeholders",
       .doc = "replace each [<id>] in URL, headers and body by an id of the request",
       .more = "22 URL-safe characters, a dash and 10 digits that count up; unique over all "
               "connections and workers. All of one request are the same.",
       .compat = "better: Content-Length is always right, ids are unique over workers, and bodies "
                 "may be any bytes",
       .set = cli::set_switch(o.ids)},
      {.name = "template",
       .section = "Placeholders",
       .doc = "fill in {{uuid}} {{counter}} {{random A B}} {{timestamp}} {{csv.COLUMN}}",
       .more =
           "In the path of the URL, in header values and in the body, anew for each request. "
           "{{random 1 100}} is a whole number from 1 to 100, {{timestamp}} the time in ms since "
           "1970. A name that is not known is an error before anything is sent.",
       .compat = "new",
       .set = cli::set_switch(o.templates)},
      {.name = "data",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "Placeholders",
       .doc = "a CSV file whose first row names the columns of {{csv.COLUMN}}",
       .more = "Turns --template on. Each request takes a row; one cursor serves all workers.",
       .compat = "new",
       .set = cli::set_path(o.data_file)},
      {.name = "data-mode",
       .kind = ArgKind::kValue,
       .hint = "MODE",
       .section = "Placeholders",
       .doc = "rows in sequence and from the beginning again, shuffle, or once",
       .more = "Shuffle draws another order for each round, from --seed. Once ends the run behind "
               "the last row; it is refused beside --forever and a warm-up of its own, which would "
               "send each row again.",
       .default_text = "sequence",
       .compat = "new",
       .set = cli::set_choice<DataMode>(o.data_mode, {{"sequence", DataMode::kSequence},
                                                      {"shuffle", DataMode::kShuffle},
                                                      {"once", DataMode::kOnce}})},
  };
}

cli::FlagTable tls_flags(Options& o) {
  return {
      {.name = "servername",
       .letter = 's',
       .kind = ArgKind::kValue,
       .hint = "NAME",
       .section = "TLS",
       .doc = "server name of the handshake (SNI); --servername= sends none",
       .default_text = "the URL's host, none for an IP address",
       .compat = "same",
       .set = cli::set_text(o.servername)},
      {.name = "verify",
       .section = "TLS",
       .doc = "refuse servers whose certificate or name does not check out",
       .more = "On when --ca is given.",
       .compat = "new: autocannon never verifies",
       .set = cli::set_switch(o.verify)},
      {.name = "ca",
       .kind = ArgKind::kWords,
       .hint = "FILE",
       .section = "TLS",
       .doc = "certificate authorities in PEM, instead of the system's; turns --verify on",
       .more = "Several files as --ca [ a b ] or by repetition.",
       .compat = "different: it turns verification on; in the strict form it does not, as in "
                 "autocannon, where a CA never rejects anything",
       .repeatable = true,
       .set = cli::add_words(o.ca_files)},
      {.name = "cert",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "TLS",
       .doc = "client certificate chain in PEM, or PKCS#12 with its key",
       .compat = "better: PKCS#12 too",
       .set = cli::set_path(o.certificate_file)},
      {.name = "key",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "TLS",
       .doc = "its private key in PEM; looked for in the --cert file when absent",
       .compat = "same",
       .set = cli::set_path(o.key_file)},
      {.name = "pfx",
       .kind = ArgKind::kValue,
       .hint = "FILE",
       .section = "TLS",
       .doc = "client certificate, chain and key in PKCS#12 (.p12, .pfx)",
       .compat = "new",
       .set = cli::set_path(o.pfx_file)},
      {.name = "passphrase",
       .kind = ArgKind::kValue,
       .hint = "TEXT",
       .section = "TLS",
       .doc = "passphrase of the private key or the PKCS#12 file",
       .compat = "new",
       .set = cli::set_text(o.passphrase)},
      {.name = "resume",
       .section = "TLS",
       .doc = "make a full TLS handshake on every reconnect",
       .default_text = "on",
       .compat = "new: sessions are resumed by default",
       .set = cli::set_switch(o.resume)},
  };
}

}  // namespace carronade::dialects
