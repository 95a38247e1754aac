#include "frontend/pt2/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "frontend/checkpoint/zip_reader.h"
#include "frontend/pt2/aten_ops.h"
#include "frontend/pt2/aten_schema.h"
#include "frontend/pt2/call.h"
#include "frontend/pt2/environment.h"
#include "frontend/pt2/program.h"
#include "frontend/pt2/tensor_meta.h"
#include "ir/verify.h"

namespace quantc::frontend {
namespace {

void require_known_ops(const Program& program) {
  std::set<std::string> unknown;
  const ProgramNode* first = nullptr;
  for (const ProgramNode& node : program.nodes) {
    if (find_aten_op(node.target) != nullptr) continue;
    if (first == nullptr) first = &node;
    unknown.insert(node.target);
  }
  if (first == nullptr) return;
  throw UnsupportedError(fmt::format(
      "{}: {} is not supported; operators of this program that are not: {}. Export with "
      "torch.export.export and without run_decompositions, or replace them",
      first->name, first->target, fmt::join(unknown, ", ")));
}

// No operator's result is empty either: the shape rules see to that.
void require_elements(const std::string& name, const ir::Shape& shape) {
  if (std::ranges::all_of(shape, [](std::int64_t size) { return size >= 1; })) return;
  throw UnsupportedError(
      fmt::format("{}: expected sizes of 1 or more, found {}", name, ir::to_string(shape)));
}

class Importer {
 public:
  Importer(const Program& program, const Pt2Archive& archive, std::string name)
      : program_(program), archive_(archive), environment_(program) {
    graph_.name = std::move(name);
  }

  ir::Graph run() {
    for (const InputSpec& input : program_.inputs) bind_input(input);
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      with_context(program_.nodes[i].target, [&] { import_node(program_.nodes[i], i); });
    }
    for (const std::string& output : program_.outputs) bind_output(output);
    graph_ = ir::without_dead_nodes(graph_);
    if (graph_.outputs.empty()) throw UnsupportedError("expected an output, found none");
    ir::verify(graph_);
    return std::move(graph_);
  }

 private:
  void bind_input(const InputSpec& input) {
    if (input.kind == InputKind::kIgnored) return;
    if (input.kind == InputKind::kUser) return bind_user_input(input.value);
    const bool with_weights = input.kind == InputKind::kParameter ||
                              (input.kind == InputKind::kBuffer && input.persistent);
    const TensorSource& source = with_weights ? archive_.weights : archive_.constants;
    // A tensor that nobody reads need not be there or be readable.
    if (!environment_.is_read(input.value)) return;
    ir::Tensor tensor = source(input.key);
    require_elements(input.key, tensor.shape());
    environment_.define(input.value, {graph_.add_constant(input.key, std::move(tensor))});
  }

  void bind_user_input(const std::string& name) {
    const auto meta = program_.tensors.find(name);
    if (meta == program_.tensors.end()) {
      throw InputError(fmt::format("input {}: its type is missing", name));
    }
    with_context("input " + name, [&] {
      ir::TensorType type{dtype_of(meta->second.dtype), static_shape(meta->second)};
      require_elements("size", type.shape);
      environment_.define(name, {graph_.add_input(name, std::move(type))});
    });
  }

  void bind_output(const std::string& name) {
    with_context("output " + name,
                 [&] { graph_.outputs.push_back(value_in(graph_, environment_.operand(name))); });
  }

  void import_node(const ProgramNode& node, std::size_t at) {
    const AtenOp& op = *find_aten_op(node.target);
    const std::vector<Parameter> parameters = parse_signature(op.signature);
    Call call(graph_, environment_, node,
              with_context(node.name, [&] { return bind(parameters, node.inputs); }));
    const Operands results = op.import(call);
    require_outputs(node, results.size());
    if (op.result == Result::kNew) return define_new(node, results);
    const std::string& first = call.tensor_name(parameters.front().name);
    with_context(node.name, [&] {
      if (op.result == Result::kInPlace) change(first, results.front(), at);
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (op.result == Result::kView) {
          environment_.define_view(node.outputs[i], first, results[i]);
        } else {
          environment_.define_alias(node.outputs[i], first, results[i]);
        }
      }
    });
  }

  // What else an operator computes, such as statistics for training, may not be read.
  void require_outputs(const ProgramNode& node, std::size_t results) const {
    if (results > node.outputs.size()) {
      throw InputError(fmt::format("{}: expected {} results, found {}", node.name, results,
                                   node.outputs.size()));
    }
    for (std::size_t i = results; i < node.outputs.size(); ++i) {
      if (!environment_.is_read(node.outputs[i])) continue;
      throw UnsupportedError(fmt::format("{}: its result {}, {}, is read; only the first {} can be",
                                         node.name, i, node.outputs[i], results));
    }
  }

  void define_new(const ProgramNode& node, const Operands& results) {
    with_context(node.name, [&] {
      for (std::size_t i = 0; i < results.size(); ++i) {
        environment_.define(node.outputs[i], results[i]);
      }
    });
  }

  // A network that changes its parameters would answer differently each time.
  void change(const std::string& name, const Operand& changed, std::size_t at) {
    const Operand& target = environment_.operand(name);
    if (!target.host && graph_.is_constant(target.value)) {
      throw UnsupportedError(fmt::format("changes {}, a parameter or buffer of the model",
                                         graph_.value(target.value).name));
    }
    environment_.change(name, changed, at);
  }

  const Program& program_;
  const Pt2Archive& archive_;
  Environment environment_;
  ir::Graph graph_;
};

}  // namespace

ir::Graph import_pt2(const Pt2Archive& archive, const std::string& name) {
  const Program program =
      with_context("program", [&] { return parse_program(archive.program_text()); });
  require_known_ops(program);
  return Importer(program, archive, name).run();
}

ir::Graph import_pt2(const SharedBytes& file, const std::string& name) {
  return import_pt2(read_pt2_archive(file), name);
}

ir::Graph import_pt2(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return with_context(path.string(), [&] {
    ir::Graph graph = import_pt2(file, path.stem().string());
    require_intact_zip(file);
    return graph;
  });
}

}  // namespace quantc::frontend
