// Pictures cut, with bytes changed, or with sizes that they do not have: a picture or a refusal,
// without taking memory that the bytes present cannot fill.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "allocation_watch.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "image/image.h"

namespace quantc::image {
namespace {

using testing::HasSubstr;

const std::string kFolder = "tests/data/fuzz/image/";
const std::vector<const char*> kGood = {"s2.jpg",  "progressive.jpg", "cmyk.jpg",
                                        "rgb.png", "palette.png",     "gray1_interlaced.png",
                                        "rgb.bmp", "palette4_7.bmp"};

// Deflate's best ratio, 8 pixels in a byte, 3 colors a pixel; JPEG stays below that.
constexpr std::size_t kMaxGrowth = 1032 * 8 * 3;

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& name) {
  const SharedBytes file = map_file(kFolder + name);
  return {file.bytes.begin(), file.bytes.end()};
}

// The refusal; empty: accepted.
std::string refusal(const Bytes& bytes) {
  fuzz::reset_allocation_watch();
  std::string message;
  try {
    decode(bytes);
  } catch (const InternalError& error) {
    ADD_FAILURE() << error.what();
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_LE(fuzz::largest_allocation(), std::max<std::size_t>(bytes.size() * kMaxGrowth, 1000));
  return message;
}

TEST(Damage, EveryCutIsRefused) {
  for (const char* name : kGood) {
    const Bytes whole = bytes_of(name);
    EXPECT_EQ(refusal(whole), "") << name;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // The filler of a BMP's last row may be missing.
      if (std::string(name).ends_with(".bmp") && size + 4 > whole.size()) continue;
      const auto end = whole.begin() + static_cast<std::ptrdiff_t>(size);
      EXPECT_NE(refusal({whole.begin(), end}), "") << name << " cut at " << size;
    }
  }
}

TEST(Damage, ChangedBytesAreSurvived) {
  for (const char* name : kGood) {
    const Bytes whole = bytes_of(name);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const int mask : {0x01, 0x80, 0xFF}) {
        SCOPED_TRACE(testing::Message() << name << " byte " << i);
        Bytes changed = whole;
        changed[i] ^= static_cast<std::byte>(mask);
        refusal(changed);
      }
    }
  }
}

struct Claim {
  const char* file;
  const char* message;
};

TEST(Damage, SizesThatTheDataCannotFillAreRefusedBeforeMemoryIsTaken) {
  const Claim claims[] = {
      {"claims_65535.png", "65535 x 65535; larger ones are refused as decompression bombs"},
      {"claims_65535.jpg", "65500 x 65500; larger ones are refused as decompression bombs"},
      {"claims_65535.bmp", "65535 x 65535; larger ones are refused as decompression bombs"},
      {"claims_13000.png", "bytes for 13000 x 13000 pixels"},
      {"claims_13000.jpg", "bytes for 13000 x 13000 pixels"},
      {"claims_13000_progressive.jpg", "bytes for 13000 x 13000 pixels"},
      {"claims_13000.bmp", "truncated"},
      {"claims_wide_row.png", "bytes for 178956970 x 1 pixels"},
      {"arithmetic.jpg", "found arithmetic coding"},
  };
  for (const Claim& claim : claims) {
    EXPECT_THAT(refusal(bytes_of(claim.file)), HasSubstr(claim.message)) << claim.file;
    EXPECT_LT(fuzz::largest_allocation(), 10000U) << claim.file;
  }
}

}  // namespace
}  // namespace quantc::image
