// Sizes, crops and refusals. Pixel values are judged by tests/oracle/preprocess_oracle.py; the
// tables' expected values come from TorchVision 0.14's Resize and CenterCrop.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/scratch_folder.h"
#include "image/preprocess.h"

namespace quantc::image {
namespace {

using testing::HasSubstr;

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

using Pixel = std::array<int, 3>;

Pixel pixel(const Image& image, std::int64_t x, std::int64_t y) {
  const auto at = static_cast<std::size_t>((y * image.width + x) * 3);
  return {image.rgb.at(at), image.rgb.at(at + 1), image.rgb.at(at + 2)};
}

struct CropRow {
  std::int64_t width, height, crop;
  std::int64_t left, top;  ///< Black columns and rows in front of the picture.
  std::int64_t shown_width, shown_height;
  int first_column, first_row;  ///< Of the picture, shown there.
};

TEST(Crop, OffsetsRoundHalfToEvenAndSmallPicturesArePadded) {
  const std::vector<CropRow> rows = {
      {10, 10, 4, 0, 0, 4, 4, 3, 3}, {9, 11, 4, 0, 0, 4, 4, 2, 4},  {5, 7, 4, 0, 0, 4, 4, 0, 2},
      {7, 5, 4, 0, 0, 4, 4, 2, 0},   {13, 15, 4, 0, 0, 4, 4, 4, 6}, {4, 4, 4, 0, 0, 4, 4, 0, 0},
      {3, 9, 4, 0, 0, 3, 4, 0, 2},   {9, 3, 4, 0, 0, 4, 3, 2, 0},   {1, 1, 4, 1, 1, 1, 1, 0, 0},
      {2, 3, 5, 1, 1, 2, 3, 0, 0},   {1, 2, 6, 2, 2, 1, 2, 0, 0},
  };
  for (const CropRow& row : rows) {
    const Image cropped = center_crop(ramp(row.width, row.height), row.crop);
    ASSERT_EQ(cropped.rgb.size(), static_cast<std::size_t>(row.crop * row.crop * 3));
    for (std::int64_t y = 0; y < row.crop; ++y) {
      for (std::int64_t x = 0; x < row.crop; ++x) {
        const auto from_x = x - row.left, from_y = y - row.top;
        const bool shown =
            from_x >= 0 && from_x < row.shown_width && from_y >= 0 && from_y < row.shown_height;
        const Pixel expected{row.first_column + static_cast<int>(from_x),
                             row.first_row + static_cast<int>(from_y), 200};
        EXPECT_EQ(pixel(cropped, x, y), shown ? expected : Pixel{})
            << row.width << " x " << row.height << " to " << row.crop << " at " << x << "," << y;
      }
    }
  }
}

struct SizeRow {
  std::int64_t width, height, size;
  std::int64_t new_width, new_height;
};

TEST(Resize, ShorterSideTruncatesTheLonger) {
  const std::vector<SizeRow> rows = {
      {199, 100, 33, 65, 33},      {100, 199, 33, 33, 65}, {1546, 1213, 256, 326, 256},
      {1213, 1546, 232, 232, 295}, {3, 7, 5, 5, 11},       {7, 3, 2, 4, 2},
      {50, 50, 50, 50, 50},        {1, 40, 3, 3, 120},     {640, 427, 518, 776, 518},
      {500, 3, 1, 166, 1},
  };
  for (const SizeRow& row : rows) {
    for (const Filter filter : {Filter::kBilinear, Filter::kBicubic}) {
      const Image resized = resize_shorter_side(ramp(row.width, row.height), row.size, filter);
      EXPECT_EQ(resized.width, row.new_width) << row.width << " x " << row.height;
      EXPECT_EQ(resized.height, row.new_height) << row.width << " x " << row.height;
      EXPECT_EQ(resized.rgb.size(), static_cast<std::size_t>(row.new_width * row.new_height * 3));
    }
  }
}

TEST(Resize, TheRightSizeIsNotResampled) {
  const Image image = ramp(50, 70);
  EXPECT_EQ(resize_shorter_side(image, 50, Filter::kBicubic).rgb, image.rgb);
}

TEST(Preprocess, ImpossibleSettingsAreRefused) {
  const Image image = ramp(8, 6);
  const Preprocessing good{4, 4, Filter::kBilinear, {0.5F, 0.5F, 0.5F}, {0.25F, 0.25F, 0.25F}};
  EXPECT_EQ(preprocess(image, good).shape(), (ir::Shape{1, 3, 4, 4}));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-3}, most, most / 3}) {
    Preprocessing resize = good, crop = good;
    resize.resize = size;
    crop.crop = size;
    EXPECT_THROW(preprocess(image, resize), InputError) << size;
    EXPECT_THROW(preprocess(image, crop), InputError) << size;
  }
  for (const float std : {0.0F, -1.0F, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    Preprocessing scaled = good;
    scaled.std[1] = std;
    EXPECT_THROW(preprocess(image, scaled), InputError) << std;
  }
  EXPECT_THROW(preprocess(Image{}, good), InputError);
}

TEST(Decode, TruncatedPicturesAreRefused) {
  for (const char* name : {"data/photos/rocket.jpg", "data/photos/chelsea.png"}) {
    const SharedBytes file = map_file(name);
    const std::size_t size = file.bytes.size();
    EXPECT_NO_THROW(decode(file.bytes)) << name;
    for (std::size_t cut = 0; cut < size; cut += cut < 1000 || cut + 64 >= size ? 1 : 4001) {
      // A copy of just this size, so that a read beyond it shows in sanitizer builds.
      const std::vector<std::byte> part(file.bytes.begin(),
                                        file.bytes.begin() + static_cast<std::ptrdiff_t>(cut));
      EXPECT_THROW(decode(part), InputError) << name << " cut to " << cut << " bytes";
    }
  }
}

struct Bmp {
  std::uint32_t data_offset = 54;
  std::uint32_t info_size = 40;
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::uint16_t bits = 24;
  std::uint32_t compression = 0;
  std::uint32_t colors = 0;
  std::string rest = {};  ///< Palette and pixels.
};

std::string file_of(const Bmp& bmp) {
  std::string file = "BM" + std::string(52, '\0');
  const auto put = [&](std::size_t offset, auto value) {
    std::memcpy(file.data() + offset, &value, sizeof(value));
  };
  put(10, bmp.data_offset);
  put(14, bmp.info_size);
  put(18, bmp.width);
  put(22, bmp.height);
  put(28, bmp.bits);
  put(30, bmp.compression);
  put(46, bmp.colors);
  return file + bmp.rest;
}

Image decode_text(const std::string& text) { return decode(std::as_bytes(std::span(text))); }

TEST(Decode, BmpPaddingAndOrder) {
  // Two rows of one BGR pixel; the last row's filler is missing.
  const std::string rows("\x01\x02\x03\x00\x04\x05\x06", 7);
  const Image up = decode_text(file_of({.height = 2, .rest = rows}));
  EXPECT_THAT(up.rgb, testing::ElementsAre(6, 5, 4, 3, 2, 1));
  const Image down = decode_text(file_of({.height = -2, .rest = rows}));
  EXPECT_THAT(down.rgb, testing::ElementsAre(3, 2, 1, 6, 5, 4));
}

struct Refusal {
  std::string content;
  const char* message;
};

TEST(Decode, OtherFilesAreRefusedWithTheirName) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  const std::string pixel(4, '\0');
  const std::vector<Refusal> refusals = {
      {"", "found an empty file"},
      {"GIF89a", "found another format"},
      {"\x89PNG\r\n", "found another format"},
      {"\xff\xd8", "found another format"},
      {"\xff\xd8\xff", "damaged JPEG"},
      {"\x89PNG\r\n\x1a\n", "damaged PNG"},
      {"BM", "truncated"},
      {file_of({.rest = "\1\2"}), "truncated"},
      {file_of({.data_offset = 0xffffffff, .rest = pixel}), "truncated"},
      {file_of({.data_offset = 30, .rest = pixel}), "expected pixels from byte 54 on, found 30"},
      {file_of({.data_offset = 54, .bits = 8, .colors = 1, .rest = pixel + pixel}),
       "expected pixels from byte 58 on, found 54"},
      {file_of({.info_size = 0xffffffff, .bits = 8, .rest = pixel}), "truncated"},
      {file_of({.info_size = 12, .rest = pixel}), "OS/2"},
      {file_of({.width = 0, .rest = pixel}), "found 0 x 1"},
      {file_of({.width = -1, .rest = pixel}), "found -1 x 1"},
      {file_of({.height = kLeast, .rest = pixel}), "found 1 x 2147483648"},
      {file_of({.bits = 8, .rest = pixel}), "truncated"},
      {file_of({.bits = 8, .colors = 0xffffffff, .rest = pixel}), "truncated"},
      {file_of({.data_offset = 58, .bits = 8, .colors = 1, .rest = pixel + "\1"}),
       "expected colors below 1, the palette's size, found 1"},
      {file_of({.bits = 0, .rest = pixel}), "found 0 bits"},
      {file_of({.bits = 16, .rest = pixel}), "found 16 bits"},
      {file_of({.compression = 1, .rest = pixel}), "compression 1"},
      {file_of({.bits = 32, .compression = 3, .rest = pixel}), "truncated"},
  };
  const ScratchFolder folder;
  for (const Refusal& refusal : refusals) {
    write_file(folder.file("picture"), refusal.content);
    try {
      decode_file(folder.file("picture"));
      ADD_FAILURE() << refusal.message;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(refusal.message));
      EXPECT_THAT(error.what(), HasSubstr(folder.file("picture").string()));
    }
  }
  EXPECT_THROW(decode_file(folder.file("missing")), InputError);
  EXPECT_THROW(decode_file(folder.path()), InputError);
}

}  // namespace
}  // namespace quantc::image
