// Archives that are damaged, of another version, or no archives of torch.export at all.
#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.h"
#include "frontend/checkpoint/zip_reader.h"
#include "frontend/pt2/import.h"
#include "pt2_files.h"

namespace quantc::frontend {
namespace {

using testing::HasSubstr;

constexpr const char* kLinear = "tests/data/pt2/linear_schema8.12.pt2";

std::string text_of(const SharedBytes& data) {
  return {reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size()};
}

std::string message_of(const SharedBytes& file) {
  try {
    import_pt2(file, "damaged");
  } catch (const InternalError& error) {
    return std::string("internal: ") + error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

std::vector<Member> linear_members() {
  std::vector<Member> members;
  for (const ZipMember& member : read_zip(map_file(kLinear))) {
    members.push_back({member.name, text_of(member.data)});
  }
  return members;
}

// The archive of a linear layer in which `from` in the member becomes `to`; an empty `from` stands
// for the whole member.
SharedBytes edited(const std::string& member, const std::string& from, const std::string& to) {
  std::vector<Member> members = linear_members();
  const auto found = std::ranges::find_if(
      members, [&](const Member& m) { return m.name == "linear_3/" + member; });
  EXPECT_NE(found, members.end()) << member;
  const std::size_t at = found->data.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  found->data.replace(at, from.empty() ? found->data.size() : from.size(), to);
  return shared_bytes(zip_of(members));
}

struct Edit {
  const char* member;
  const char* from;
  const char* to;
  const char* message;
};

constexpr const char* kModel = "models/model.json";

TEST(DamagedArchive, TheUneditedOneIsRead) {
  EXPECT_EQ(message_of(edited(kModel, "{", "{")), "none");
}

TEST(DamagedArchive, EveryEditIsNamed) {
  const std::vector<Edit> edits = {
      {"models/model.json", "", "weights", "program: expected JSON"},
      {"models/model.json", "", "[1]", "program: the program: expected an object, found [1]"},
      {"models/model.json", R"("graph_module")", R"("other")",
       "program: expected the member graph_module"},
      {"models/model.json", R"("major": 8)", R"("major": 9)",
       "program: expected schema version 5 to 8, which torch 2.3 and later write, found 9 of "
       "torch"},
      {"models/model.json", R"("major": 8)", R"("major": "8")",
       R"(program: major: expected an integer, found "8")"},
      {"models/model.json", "aten.linear.default", "aten.bilinear.default",
       "linear: aten.bilinear.default is not supported"},
      {"models/model.json", R"({"as_tensor": {"name": "p_linear_bias"}}, "kind")",
       R"({"as_int": 3}, "kind")",
       "aten.linear.default: linear: argument bias: expected a tensor, found an integer"},
      {"models/model.json", R"("parameter_name": "linear.bias")", R"("parameter_name": "bias")",
       "bias: the program needs this tensor, but the archive does not hold it"},
      {"models/model.json", R"("as_int": 3)", R"("as_expr": {"expr_str": "s0"})", "none"},
      {"data/weights/model_weights_config.json", "", R"({"config": 1})",
       "config: expected an object"},
      {"data/weights/model_weights_config.json", R"("weight_0")", R"("weight_9")",
       "linear.weight: the member linear_3/data/weights/weight_9 is missing"},
      {"data/weights/model_weights_config.json", R"("dtype": 7)", R"("dtype": 9)", "found code 9"},
      {"data/weights/model_weights_config.json", R"("as_int": 3)", R"("as_int": 4)",
       "linear.weight: expected a view inside of its storage"},
      {"data/weights/model_weights_config.json", R"("use_pickle": false)", R"("use_pickle": true)",
       "found a pickled tensor"},
      {"data/weights/weight_1", "", "12345678",
       "linear.bias: expected a view inside of its storage"},
      {"archive_version", "", "1", R"(linear_3/archive_version: expected "0", found "1")"},
      {"archive_format", "", "pt3", R"(linear_3/archive_format: expected "pt2", found "pt3")"},
      {"byteorder", "", "big", R"(linear_3/byteorder: expected "little", found "big")"},
  };
  for (const Edit& edit : edits) {
    SCOPED_TRACE(std::string(edit.from) + " -> " + edit.to);
    EXPECT_THAT(message_of(edited(edit.member, edit.from, edit.to)), HasSubstr(edit.message));
  }
}

TEST(DamagedArchive, SymbolicInputsAreRefused) {
  std::string program = program_json({}, {"x"});
  program.replace(program.find(R"({"as_int": 2})"), 13, R"({"as_expr": {"expr_str": "s0"}})");
  EXPECT_THAT(message_of(archive_of(program)),
              HasSubstr("input x: expected fixed sizes, found s0; export without dynamic_shapes"));
}

TEST(DamagedArchive, EmptyInputsAreRefused) {
  std::string program = program_json(
      {{"roll",
        "roll.default",
        {{"self", tensor("x")}, {"shifts", R"({"as_int": 1})"}, {"dims", R"({"as_int": 0})"}}}},
      {"roll"});
  program.replace(program.find(R"({"as_int": 2})"), 13, R"({"as_int": 0})");
  EXPECT_THAT(message_of(archive_of(program)),
              HasSubstr("input x: size: expected sizes of 1 or more, found [0,3]"));
}

TEST(DamagedArchive, ProgramsThatKeepStateAreRefused) {
  std::string program = program_json({}, {"x"});
  program.replace(program.find("user_output"), 11, "buffer_mutation");
  EXPECT_THAT(message_of(archive_of(program)),
              HasSubstr("expected outputs of kind user_output, found buffer_mutation"));
}

TEST(DamagedArchive, OtherMembersThanOneProgramAreNamed) {
  std::vector<Member> members = linear_members();
  std::erase_if(members, [](const Member& m) { return m.name.ends_with("weights_config.json"); });
  EXPECT_THAT(message_of(shared_bytes(zip_of(members))),
              HasSubstr("linear_3/data/weights/model_weights_config.json, which torch 2.9"));
  members = linear_members();
  members.push_back({"linear_3/models/second.json", "{}"});
  EXPECT_THAT(message_of(shared_bytes(zip_of(members))),
              HasSubstr("expected one program, found 2 (model, second)"));
  std::erase_if(members, [](const Member& m) { return m.name.ends_with(".json"); });
  EXPECT_THAT(message_of(shared_bytes(zip_of(members))), HasSubstr("expected a program below"));
}

TEST(DamagedArchive, FilesOfOtherKindsAreNamed) {
  EXPECT_THAT(message_of(shared_bytes("")), HasSubstr("found a file that is no zip"));
  EXPECT_THAT(message_of(map_file("tests/data/checkpoint/toy_zip.pth")),
              HasSubstr("found a file of torch.save, which holds weights but no program"));
  EXPECT_THAT(message_of(shared_bytes(zip_of({{"m/constants.pkl", ""}, {"m/data.pkl", ""}}))),
              HasSubstr("found a TorchScript archive"));
  EXPECT_THAT(message_of(shared_bytes(zip_of({{"a", "b"}}))), HasSubstr("found another zip"));
}

TEST(DamagedArchive, EveryTruncationEndsInAnInputError) {
  for (const char* name : {"linear_schema8.12.pt2", "toy_fp_torch2.6.pt2"}) {
    const std::string whole = text_of(map_file(std::string("tests/data/pt2/") + name));
    for (std::size_t size = 0; size < whole.size(); size += 61) {
      EXPECT_THROW(import_pt2(shared_bytes(whole.substr(0, size)), "cut"), InputError) << size;
    }
  }
}

// Any error is fine, a crash or an InternalError is not.
TEST(DamagedArchive, FlippedBytesOfTheProgramNeverBreakARule) {
  const std::string whole = text_of(map_file(kLinear));
  const std::size_t begin = whole.find(R"({"graph_module")");
  ASSERT_NE(begin, std::string::npos);
  for (std::size_t at = begin; at < begin + 3298; ++at) {
    for (const char flipped : {'\0', '0', '"', '}', '9'}) {
      std::string damaged = whole;
      damaged[at] = flipped;
      EXPECT_THAT(message_of(shared_bytes(damaged)), testing::Not(HasSubstr("internal:"))) << at;
    }
  }
}

TEST(ImportPt2, ErrorsNameTheFile) {
  try {
    import_pt2("tests/data/checkpoint/toy_zip.pth");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("tests/data/checkpoint/toy_zip.pth: expected"));
  }
}

}  // namespace
}  // namespace quantc::frontend
