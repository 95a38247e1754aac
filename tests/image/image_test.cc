// Damaged pictures give errors; crops land where TorchVision puts them. Pixel values are judged by
// tests/oracle/preprocess_oracle.py.
#include <gmock/gmock.h>

#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/scratch_folder.h"
#include "image/preprocess.h"

namespace quantc::image {
namespace {

namespace fs = std::filesystem;

// A picture whose red channel counts the columns and whose green one counts the rows.
Image ramp(std::int64_t width, std::int64_t height) {
  Image image{width, height, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      image.rgb.insert(image.rgb.end(),
                       {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 200});
    }
  }
  return image;
}

struct CropRow {
  std::int64_t width, height, crop;
  int first_column, first_row;  ///< Of the cropped picture; round-half-even((size - crop) / 2).
};

TEST(Crop, OffsetsRoundHalfToEven) {
  const CropRow rows[] = {{10, 10, 4, 3, 3}, {9, 11, 4, 2, 4}, {5, 7, 4, 0, 2}, {4, 4, 4, 0, 0}};
  for (const CropRow& row : rows) {
    const Image cropped = center_crop(ramp(row.width, row.height), row.crop);
    EXPECT_EQ(cropped.rgb[0], row.first_column) << row.width;
    EXPECT_EQ(cropped.rgb[1], row.first_row) << row.height;
  }
}

TEST(Resize, ShorterSideTruncatesTheLonger) {
  const Image wide = resize_shorter_side(ramp(199, 100), 33, Filter::kBilinear);
  EXPECT_EQ(wide.width, 65);  // int(33 * 199 / 100)
  EXPECT_EQ(wide.height, 33);
  const Image tall = resize_shorter_side(ramp(100, 199), 33, Filter::kBicubic);
  EXPECT_EQ(tall.height, 65);
}

void expect_refused(const std::vector<std::byte>& bytes, const fs::path& file) {
  write_file(file, std::vector{std::span<const std::byte>(bytes)});
  EXPECT_THROW(decode_file(file), Error) << bytes.size() << " bytes";
}

TEST(Decode, TruncatedPicturesAreRefused) {
  const ScratchFolder folder;
  for (const char* name : {"data/photos/rocket.jpg", "data/photos/chelsea.png"}) {
    const SharedBytes file = map_file(name);
    const std::vector<std::byte> whole(file.bytes.begin(), file.bytes.end());
    for (std::size_t part = 0; part < 64; ++part) {
      const auto size = static_cast<std::ptrdiff_t>(whole.size() * part / 64);
      expect_refused({whole.begin(), whole.begin() + size}, folder.file("cut"));
    }
  }
}

struct Refusal {
  std::string content;
  const char* message;
};

TEST(Decode, OtherFilesAreRefusedWithTheirName) {
  const std::string bmp_header = std::string("BM") + std::string(8, '\0') +
                                 std::string("\x36\0\0\0\x28\0\0\0", 8);
  const Refusal refusals[] = {
      {"", "found another format"},
      {"GIF89a", "found another format"},
      {"BM", "truncated"},
      {bmp_header + std::string("\xff\xff\xff\x7f\xff\xff\xff\x7f\1\0\x18\0\0\0\0\0", 16) +
           std::string(24, '\0'),
       "expected a picture of 1 to"},
      {bmp_header + std::string("\1\0\0\0\1\0\0\0\1\0\x18\0\1\0\0\0", 16) + std::string(24, '\0'),
       "compression 1"},
  };
  const ScratchFolder folder;
  for (const Refusal& refusal : refusals) {
    write_file(folder.file("picture"), refusal.content);
    try {
      decode_file(folder.file("picture"));
      ADD_FAILURE() << refusal.message;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(refusal.message));
      EXPECT_THAT(error.what(), testing::HasSubstr("picture"));
    }
  }
}

}  // namespace
}  // namespace quantc::image
