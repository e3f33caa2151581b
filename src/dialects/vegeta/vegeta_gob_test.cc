// The bytes below are what test/data/vegeta/gob_peer.go writes with Go 1.19's encoding/gob; the
// end-to-end test compares with that program itself.
#include <gtest/gtest.h>

#include <string>

#include "dialects/vegeta/vegeta_codec_test_support.h"
#include "dialects/vegeta/vegeta_gob_encoder.h"
#include "dialects/vegeta/vegeta_gob_types.h"
#include "dialects/vegeta/vegeta_gob_wire.h"

namespace carronade::dialects::vegeta {
namespace {

// gob_peer encode < three_results.json
constexpr std::string_view kThreeResults =
    "ff97ff8103010106526573756c7401ff8200010c010641747461636b010c0001035365710106000104436f64"
    "65010600010954696d657374616d7001ff840001074c6174656e6379010400010842797465734f7574010600"
    "01074279746573496e01060001054572726f72010c000104426f6479010a0001064d6574686f64010c000103"
    "55524c010c0001074865616465727301ff8800000010ff830501010454696d6501ff8400000017ff87040101"
    "0648656164657201ff8800010c01ff8600000cff85020102ff8600010c000072ff82010362696702ffc8010f"
    "010000000edd4c03100ee6b280003c01fd25ad0e01030105020568656c6c6f0104504f53540121687474703a"
    "2f2f3132372e302e302e313a383038302f613f623d3126633d3c323e01010c436f6e74656e742d5479706502"
    "0a746578742f706c61696e01780042ff820201020f010000000edd4c031000000001ffff01fe025803174765"
    "742022687474703a2f2f78223a207265667573656402034745540108687474703a2f2f780054ff8202f8ffff"
    "ffffffffffff01fe01f7010f010000000e7791f6ff1dcd6500ffff01f8fffffffffffffffe01f8ffffffffff"
    "ffffff01ff800117353033205365727669636520556e617661696c61626c65040000";
// gob_peer foreign
constexpr std::string_view kForeign =
    "ffb6ff8103010107466f726569676e01ff8200010f0104466c6167010200010355524c010c00010450616972"
    "010e0001064c656176657301ff86000104436f646501060001044772696401ff8a00010642794e616d6501ff"
    "8c000108416e797468696e6701100001074c6174656e63790104000108496e7374616e747301ff9000010546"
    "6c6f6174010800010954696d657374616d7001ff8e0001074e6f7468696e670110000103526177010a000103"
    "53657101060000001aff850201010b5b5d6d61696e2e4c65616601ff860001ff8400002fff83030101044c65"
    "616601ff8400010301044e616d65010c00010553636f726501080001044e65787401ff840000001aff890101"
    "01095b325d5b335d696e7401ff8a0001ff88010400000eff87010102ff880001040106000025ff8b04010114"
    "6d61705b737472696e675d6d61696e2e4c65616601ff8c00010c01ff8400001aff8f0201010b5b5d74696d65"
    "2e54696d6501ff900001ff8e000010ff8d0501010454696d6501ff8e000000ffc4ff8201010109687474703a"
    "2f2f682f01fef03fffc0010301016101fef83f01010162020101630000000001016101fef83f010101620201"
    "016300000001ffcc01020302040603070afe04b001020000017801016101fef83f0101016202010163000000"
    "01096d61696e2e4c656166ff841201016101fef83f010101620201016300000001fd1e848001020f01000000"
    "0edce5e800075bcd15ffff0f010000000edce5e800075bcd15ffff01fed03f010f010000000edce5e800075b"
    "cd15ffff020200ff00ff81ff8201010109687474703a2f2f682f01fef03fffc0010301016101fef83f010101"
    "62020101630000000001016101fef83f010101620201016300000001ffcc01020302040603070afe04b00102"
    "0000017801016101fef83f0101016202010163000000010e6d61705b737472696e675d696e74ff91040102ff"
    "9200010c010400004bff92050001016e0e01fd1e848001020f010000000edce5e800075bcd15ffff0f010000"
    "000edce5e800075bcd15ffff01fed03f010f010000000edce5e801075bcd15ffff020200ff010100ffb6ff82"
    "01010109687474703a2f2f682f01fef03fffc0010301016101fef83f01010162020101630000000001016101"
    "fef83f010101620201016300000001ffcc01020302040603070afe04b001020000017801016101fef83f0101"
    "0162020101630000000106737472696e670c0600047465787401fd1e848001020f010000000edce5e800075b"
    "cd15ffff0f010000000edce5e800075bcd15ffff01fed03f010f010000000edce5e802075bcd15ffff020200"
    "ff010200";

Decoded decode(std::string bytes, Detail detail = Detail::kAll) {
  return decode_all(Encoding::kGob, std::move(bytes), detail);
}

TEST(VegetaGob, WritesWhatGoWrites) {
  EXPECT_EQ(encode_all(Encoding::kGob, three_results()), from_hex(kThreeResults));
}

TEST(VegetaGob, ReadsWhatGoWrote) {
  const Decoded decoded = decode(from_hex(kThreeResults));
  EXPECT_EQ(decoded.error, "");
  EXPECT_EQ(encode_all(Encoding::kJson, decoded.results),
            encode_all(Encoding::kJson, three_results()));
}

TEST(VegetaGob, PassesOverUnknownFieldsOfEveryKind) {
  for (const Detail detail : {Detail::kAll, Detail::kFigures}) {
    const Decoded decoded = decode(from_hex(kForeign), detail);
    ASSERT_EQ(decoded.error, "");
    ASSERT_EQ(decoded.results.size(), 3);
    for (size_t i = 0; i < 3; ++i) {
      const Result& result = decoded.results[i];
      EXPECT_EQ(result.seq, i);
      EXPECT_EQ(result.code, 204);
      EXPECT_EQ(result.latency_ns, 1'000'000);
      EXPECT_EQ(result.url, "http://h/");
      EXPECT_EQ(result.timestamp_unix_ns,
                1'700'000'000'123'456'789 + static_cast<int64_t>(i) * 1'000'000'000);
      EXPECT_EQ(result.zone_minutes, -1);
    }
  }
}

TEST(VegetaGob, FiguresAloneLeaveOutBodiesAndHeaders) {
  const Decoded decoded = decode(from_hex(kThreeResults), Detail::kFigures);
  ASSERT_EQ(decoded.results.size(), 3);
  EXPECT_EQ(decoded.results[0].body, "");
  EXPECT_TRUE(decoded.results[0].headers.empty());
  EXPECT_EQ(decoded.results[0].bytes_in, 5);
  EXPECT_EQ(decoded.results[2].error, "503 Service Unavailable");
}

TEST(VegetaGob, EveryCutIsAnErrorOrAWholeNumberOfResults) {
  for (const std::string_view hex : {kThreeResults, kForeign}) {
    const std::string bytes = from_hex(hex);
    int whole = 0;
    for (size_t size = 0; size < bytes.size(); ++size) {
      const Decoded decoded = decode(bytes.substr(0, size));
      if (decoded.error.empty()) {
        ++whole;
        continue;
      }
      EXPECT_TRUE(decoded.error.starts_with("corrupt gob stream at byte ")) << decoded.error;
    }
    // Behind each message but the last. The interface in the second foreign result is cut in two.
    EXPECT_GE(whole, 7);
  }
}

TEST(VegetaGob, NoChangedByteDoesHarm) {
  for (const std::string_view hex : {kThreeResults, kForeign}) {
    const std::string bytes = from_hex(hex);
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xf8', '\xff'}) {
        std::string changed = bytes;
        changed[i] = value;
        EXPECT_LE(decode(std::move(changed)).results.size(), 200);
      }
    }
  }
}

std::string message(const std::string& payload) {
  std::string out;
  gob::append_bytes(payload, out);
  return out;
}

// Type 65: a struct with one field.
std::string definition(std::string_view field, int64_t type) {
  std::string payload = from_hex("ff81 03 01 01 01 54 01 ff82 00 01 01 01");
  gob::append_bytes(field, payload);
  gob::append_unsigned(1, payload);
  gob::append_signed(type, payload);
  return message(payload + std::string(3, '\0'));
}

TEST(VegetaGob, FieldsMustHaveTheRightType) {
  const std::string value = message(from_hex("ff82 01 05 00"));
  EXPECT_EQ(decode(definition("Seq", gob::kUint) + value).results.at(0).seq, 5);
  const std::string wrong = decode(definition("Seq", gob::kInt) + value).error;
  EXPECT_TRUE(wrong.ends_with(": the field Seq has the wrong type")) << wrong;
  const std::string none = decode(definition("Other", gob::kUint) + value).error;
  EXPECT_TRUE(none.ends_with(": a struct without any field of a result")) << none;
  const std::string code =
      decode(definition("Code", gob::kUint) + message(from_hex("ff82 01 fd 010000 00"))).error;
  EXPECT_TRUE(code.ends_with(": Code is out of range")) << code;
}

TEST(VegetaGob, RefusesWhatIsNoStream) {
  const auto error = [](std::string_view hex) { return decode(from_hex(hex)).error; };
  EXPECT_EQ(error("7b22"), "corrupt gob stream at byte 0: no definition");
  EXPECT_EQ(error("80"), "corrupt gob stream at byte 0: no length of a message");
  EXPECT_EQ(error("00ff"), "corrupt gob stream at byte 0: a message of 0 bytes");
  EXPECT_EQ(error("f8 0000010000000000 ff"),
            "corrupt gob stream at byte 0: a message of 1099511627776 bytes");
  // Seed `least_gob_type` of the fuzzer: the negative of the least number does not exist.
  EXPECT_EQ(error("0a f8 ffffffffffffffff 00"),
            "corrupt gob stream at byte 0: no definition of a type");
  EXPECT_EQ(error("03 ff82 00"),
            "corrupt gob stream at byte 0: a value of type 65, which is no struct of this stream");
  EXPECT_EQ(error("0f ff81 03 01 01 01 54 01 ff82 00 01 01"),
            "corrupt gob stream at byte 0: the stream ends in the middle of a result");
}

TEST(VegetaGob, ManyHeadersOfALongNameAreRefused) {
  Result result;
  result.has_headers = true;
  const std::string name(100'000, 'n');
  for (int i = 0; i < 200; ++i) result.headers.push_back({name, "v"});
  const std::string bytes = encode_all(Encoding::kGob, {result});
  EXPECT_LT(bytes.size(), 110'000);  // the name is there once
  const std::string error = decode(bytes).error;
  EXPECT_TRUE(error.ends_with(": too many headers")) << error;
}

TEST(VegetaGob, ATypeThatContainsItselfWithoutEnd) {
  // 65: slice of 65; nested until the bytes are used up, and deeper than anyone means to.
  std::string value = from_hex("ff84 01");
  value += std::string(1'000, '\1');
  const std::string bytes = message(from_hex("ff81 02 01 02 ff82 00 01 ff82 00 00")) +
                            message(from_hex("ff83 03 01 01 01 54 01 ff84 00 01 02") +
                                    from_hex("01 01 41 01 ff82 00 01 03 536571 01 06 00 00 00")) +
                            message(value);
  const std::string error = decode(bytes).error;
  EXPECT_TRUE(error.ends_with(": a field is cut off")) << error;
}

TEST(VegetaGob, NumbersAreAsShortAsGoMakesThem) {
  const auto bytes = [](uint64_t number) {
    std::string out;
    gob::append_unsigned(number, out);
    return out;
  };
  EXPECT_EQ(bytes(0), from_hex("00"));
  EXPECT_EQ(bytes(127), from_hex("7f"));
  EXPECT_EQ(bytes(128), from_hex("ff80"));
  EXPECT_EQ(bytes(256), from_hex("fe0100"));
  EXPECT_EQ(bytes(UINT64_MAX), from_hex("f8ffffffffffffffff"));
  for (const int64_t number : {INT64_MIN, INT64_C(-129), INT64_C(-1), INT64_C(0), INT64_MAX}) {
    std::string out;
    gob::append_signed(number, out);
    EXPECT_EQ(gob::Cursor(out).signed_number(), number);
  }
}

}  // namespace
}  // namespace carronade::dialects::vegeta
