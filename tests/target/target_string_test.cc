// The target string: what is read, what is refused and how.
#include <gmock/gmock.h>

#include "base/error.h"
#include "target/capability.h"
#include "target/target.h"

namespace quantc::target {
namespace {

using testing::HasSubstr;

struct Good {
  const char* text;
  Target target;
};

TEST(TargetString, IsRead) {
  const std::vector<Good> rows = {
      {"c_static", {"c7x", false, false}},
      {"c_static -mcpu=c7x", {"c7x", false, false}},
      {"c_static -mcpu=native", {"native", false, false}},
      {"c_static -mmalib=1", {"c7x", true, false}},
      {"c_static -mmalib=0", {"c7x", false, false}},
      {"c_static -mmalib=1 -mmalib-rounding=truncate", {"c7x", true, true}},
      {"c_static -mmalib-rounding=half-up -mmalib=1", {"c7x", true, false}},
      {"  c_static \t -mcpu=c7x   -mmalib=1 ", {"c7x", true, false}},
      {"c_static -mmalib=1 -mmalib=0", {"c7x", false, false}},  // the last one counts
  };
  for (const Good& row : rows) EXPECT_EQ(parse_target(row.text), row.target) << row.text;
}

struct Bad {
  const char* text;
  const char* expected;
  const char* found;
};

TEST(TargetString, IsRefusedByTheWordThatIsWrong) {
  const std::vector<Bad> rows = {
      {"", "c_static first", "found ''"},
      {"   ", "c_static first", "found ''"},
      {"llvm", "c_static first", "found 'llvm'"},
      {"C_STATIC", "c_static first", "found 'C_STATIC'"},
      {"-mcpu=c7x", "c_static first", "found '-mcpu=c7x'"},
      {"c_static,-mcpu=c7x", "c_static first", "found 'c_static,-mcpu=c7x'"},
      {"c_static c_static", "-mcpu=, -mmalib= or -mmalib-rounding=", "found 'c_static'"},
      {"c_static -march=armv8", "-mcpu=, -mmalib= or -mmalib-rounding=", "found '-march=armv8'"},
      {"c_static -mcpu", "-mcpu=, -mmalib= or -mmalib-rounding=", "found '-mcpu'"},
      {"c_static mmalib=1", "-mcpu=, -mmalib= or -mmalib-rounding=", "found 'mmalib=1'"},
      {"c_static -mcpu=", "-mcpu= one of c7x, native", "found ''"},
      {"c_static -mcpu=C7X", "-mcpu= one of c7x, native", "found 'C7X'"},
      {"c_static -mcpu=c7x,native", "-mcpu= one of c7x, native", "found 'c7x,native'"},
      {"c_static -mmalib=", "-mmalib=0 or -mmalib=1", "found ''"},
      {"c_static -mmalib=2", "-mmalib=0 or -mmalib=1", "found '2'"},
      {"c_static -mmalib=true", "-mmalib=0 or -mmalib=1", "found 'true'"},
      {"c_static -mmalib=1 -mmalib=01", "-mmalib=0 or -mmalib=1", "found '01'"},
      {"c_static -mmalib-rounding=up", "-mmalib-rounding=half-up or", "found 'up'"},
  };
  for (const Bad& row : rows) {
    try {
      parse_target(row.text);
      ADD_FAILURE() << "accepted: " << row.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("target: expected "))) << row.text;
      EXPECT_THAT(error.what(), HasSubstr(row.expected)) << row.text;
      EXPECT_THAT(error.what(), HasSubstr(row.found)) << row.text;
    }
  }
}

TEST(TargetString, SurvivesPrinting) {
  for (const char* mcpu : {"c7x", "native"}) {
    for (const bool mmalib : {false, true}) {
      for (const bool truncates : {false, true}) {
        const Target target{mcpu, mmalib, truncates};
        EXPECT_EQ(parse_target(to_string(target)), target) << to_string(target);
      }
    }
  }
  EXPECT_EQ(to_string({"c7x", true, true}),
            "c_static -mcpu=c7x -mmalib=1 -mmalib-rounding=truncate");
}

// What the C runtime has kernels for: qc_conv2d_i8_f32 and qc_avg_pool_i8_f32 write float32,
// qc_conv2d_* and qc_add_i8 have bounds that carry activations.
TEST(Capability, FollowsTheKernels) {
  struct Row {
    ir::Op op;
    IntegerRole role;
    bool writes_float, absorbs;
  };
  const std::vector<Row> rows = {
      {ir::Conv2d{}, IntegerRole::kWeighted, true, true},
      {ir::Linear{}, IntegerRole::kWeighted, true, true},
      {ir::Add{}, IntegerRole::kElementwise, false, true},
      {ir::MaxPool2d{}, IntegerRole::kPassThrough, false, false},
      {ir::AvgPool2d{}, IntegerRole::kAverage, true, false},
      {ir::AdaptiveAvgPool2d{}, IntegerRole::kAverage, true, false},
      {ir::Concat{}, IntegerRole::kConcat, false, false},
      {ir::Flatten{}, IntegerRole::kPassThrough, false, false},
      {ir::Relu{}, IntegerRole::kActivation, false, false},
      {ir::Clip{}, IntegerRole::kActivation, false, false},
      {ir::Softmax{}, IntegerRole::kNone, false, false},
      {ir::ConvTranspose2d{}, IntegerRole::kNone, false, false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(integer_role(row.op), row.role) << ir::name_of(row.op);
    EXPECT_EQ(can_emit_float(row.role), row.writes_float) << ir::name_of(row.op);
    EXPECT_EQ(absorbs_activation(row.role), row.absorbs) << ir::name_of(row.op);
  }
}

}  // namespace
}  // namespace quantc::target
