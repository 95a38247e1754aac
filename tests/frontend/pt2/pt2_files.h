// Archives of torch.export put together by hand, around small programs.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "hostile_files.h"

namespace quantc::frontend {

inline SharedBytes shared_bytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return own_bytes({bytes.begin(), bytes.end()});
}

/// A node with a result of its own name, and perhaps more; arguments as JSON:
/// `"self": {"as_tensor": ...}`.
struct TestNode {
  std::string name;
  std::string target;  ///< "relu.default".
  std::vector<std::pair<std::string, std::string>> arguments;
  std::vector<std::string> more_results = {};
};

/// An argument that is a tensor.
inline std::string tensor(const std::string& name) {
  return fmt::format(R"({{"as_tensor": {{"name": "{}"}}}})", name);
}

inline std::string node_json(const TestNode& node) {
  std::vector<std::string> inputs;
  for (const auto& [name, value] : node.arguments) {
    inputs.push_back(fmt::format(R"({{"name": "{}", "arg": {}}})", name, value));
  }
  std::string outputs = tensor(node.name);
  for (const std::string& result : node.more_results) outputs += ", " + tensor(result);
  return fmt::format(
      R"({{"name": "{0}", "target": "torch.ops.aten.{1}", "inputs": [{2}], "outputs": [{3}]}})",
      node.name, node.target, fmt::join(inputs, ", "), outputs);
}

/// A program with input x f32[2,3], a parameter w f32[3] and these outputs.
inline std::string program_json(const std::vector<TestNode>& nodes,
                                const std::vector<std::string>& outputs) {
  std::vector<std::string> node_list;
  node_list.reserve(nodes.size());
  for (const TestNode& node : nodes) node_list.push_back(node_json(node));
  std::vector<std::string> output_specs;
  output_specs.reserve(outputs.size());
  for (const std::string& output : outputs) {
    output_specs.push_back(fmt::format(R"({{"user_output": {{"arg": {}}}}})", tensor(output)));
  }
  return fmt::format(
      R"({{"schema_version": {{"major": 8, "minor": 2}}, "graph_module": {{
        "graph": {{"nodes": [{}], "tensor_values": {{"x": {{"dtype": 7,
          "sizes": [{{"as_int": 2}}, {{"as_int": 3}}], "strides": [{{"as_int": 3}}, {{"as_int": 1}}],
          "storage_offset": {{"as_int": 0}}}}}}}},
        "signature": {{"input_specs": [
            {{"parameter": {{"arg": {{"name": "p_w"}}, "parameter_name": "w"}}}},
            {{"user_input": {{"arg": {}}}}}],
          "output_specs": [{}]}}}}}})",
      fmt::join(node_list, ", "), tensor("x"), fmt::join(output_specs, ", "));
}

/// An archive of the old layout with that program; w is {1, 2, 3}.
inline SharedBytes archive_of(const std::string& program) {
  const std::string weights =
      zip_of({{"w/data.pkl", tensor_pickle(3, {3}, {1})},
              {"w/data/0", bytes_of(1.0F) + bytes_of(2.0F) + bytes_of(3.0F)}});
  return shared_bytes(zip_of({{"serialized_exported_program.json", program},
                              {"serialized_state_dict.pt", weights},
                              {"serialized_constants.pt", ""},
                              {"version", "8.2"}}));
}

}  // namespace quantc::frontend
