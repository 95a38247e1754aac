#include "frontend/pt2/pt2_archive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/error.h"
#include "frontend/checkpoint/zip_reader.h"

namespace quantc::frontend {
namespace {

constexpr std::string_view kOldProgram = "serialized_exported_program.json";
constexpr std::string_view kFormat = "archive_format";
constexpr std::string_view kModels = "models/";
constexpr std::string_view kJson = ".json";

using Members = std::map<std::string, SharedBytes, std::less<>>;

SharedBytes find_or_empty(const Members& members, const std::string& name) {
  const auto found = members.find(name);
  return found != members.end() ? found->second : SharedBytes{};
}

std::string text_of(const SharedBytes& data) {
  return {reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size()};
}

TensorSource named_torch_tensors(const Members& members, const std::string& name) {
  return with_context(name, [&] { return torch_tensors(find_or_empty(members, name)); });
}

// torch 2.3 to 2.7; the members stand at the top.
Pt2Archive read_old_layout(const Members& members) {
  return {members.at(std::string(kOldProgram)),
          named_torch_tensors(members, "serialized_state_dict.pt"),
          named_torch_tensors(members, "serialized_constants.pt"),
          find_or_empty(members, "serialized_example_inputs.pt")};
}

// The NAME of the only models/NAME.json.
std::string model_name(const Members& members, const std::string& root) {
  const std::string prefix = fmt::format("{}{}", root, kModels);
  std::vector<std::string> names;
  for (const auto& [name, data] : members) {
    if (!name.starts_with(prefix) || !name.ends_with(kJson)) continue;
    names.push_back(name.substr(prefix.size(), name.size() - prefix.size() - kJson.size()));
  }
  if (names.empty())
    throw InputError(fmt::format("expected a program below {}, found none", prefix));
  if (names.size() > 1) {
    throw UnsupportedError(
        fmt::format("expected one program, found {} ({}); export each into a file of its own",
                    names.size(), fmt::join(names, ", ")));
  }
  return names.front();
}

void require_member(const Members& members, const std::string& name, std::string_view expected) {
  const std::string found = text_of(find_or_empty(members, name));
  if (found == expected) return;
  throw UnsupportedError(fmt::format(R"({}: expected "{}", found "{}")", name, expected, found));
}

// torch 2.9 and later: everything stands below one folder.
Pt2Archive read_new_layout(const std::vector<ZipMember>& listed, const Members& members,
                           const std::string& root) {
  require_member(members, root + "archive_format", "pt2");
  require_member(members, root + "archive_version", "0");
  require_member(members, root + "byteorder", "little");
  const std::string model = model_name(members, root);
  const auto tensors = [&](std::string_view kind) {
    const std::string folder = fmt::format("{}data/{}/", root, kind);
    const std::string config = fmt::format("{}{}_{}_config.json", folder, model, kind);
    const auto found = members.find(config);
    if (found == members.end()) {
      throw UnsupportedError(fmt::format(
          "expected the member {}, which torch 2.9 and later write, found none; export the model "
          "with such a version",
          config));
    }
    return with_context(config, [&] { return raw_tensors(found->second, folder, listed); });
  };
  return {members.at(fmt::format("{}{}{}{}", root, kModels, model, kJson)), tensors("weights"),
          tensors("constants"),
          find_or_empty(members, fmt::format("{}data/sample_inputs/{}.pt", root, model))};
}

[[noreturn]] void refuse_other_zip(const std::vector<ZipMember>& members) {
  const auto holds = [&](std::string_view end) {
    return std::ranges::any_of(members, [&](const auto& m) { return m.name.ends_with(end); });
  };
  std::string found = "another zip";
  if (holds("data.pkl")) found = "a file of torch.save, which holds weights but no program";
  if (holds("constants.pkl")) found = "a TorchScript archive";
  throw InputError(
      fmt::format("expected an archive of torch.export.save, found {}; write one with "
                  "torch.export.save(torch.export.export(model.eval(), (input,)), path)",
                  found));
}

}  // namespace

Pt2Archive read_pt2_archive(const SharedBytes& file) {
  if (!looks_like_zip(file.bytes)) {
    throw InputError("expected an archive of torch.export.save, found a file that is no zip");
  }
  const std::vector<ZipMember> listed = read_zip(file);
  Members members;
  for (const ZipMember& member : listed) members.emplace(member.name, member.data);
  if (members.contains(kOldProgram)) return read_old_layout(members);
  for (const ZipMember& member : listed) {
    if (!member.name.ends_with(fmt::format("/{}", kFormat))) continue;
    return read_new_layout(listed, members,
                           member.name.substr(0, member.name.size() - kFormat.size()));
  }
  refuse_other_zip(listed);
}

std::vector<ir::Tensor> sample_inputs(const Pt2Archive& archive) {
  return with_context("sample inputs", [&] { return torch_tensor_list(archive.sample_inputs); });
}

}  // namespace quantc::frontend
