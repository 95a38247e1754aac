// Reads the `.pt2` archives of torch.export, float programs and those quantized by PT2E.
#pragma once

#include <filesystem>
#include <string>

#include "base/mapped_file.h"
#include "frontend/pt2/pt2_archive.h"
#include "ir/graph.h"

namespace quantc::frontend {

/// The program of the file as a graph, named after the file, its nodes named as in the program. Its
/// inputs are the user's inputs only: parameters, buffers and constants are constants of the graph,
/// views on the mapped file where they are aligned. In-place operators become functional.
/// InputError if the file is damaged; UnsupportedError for another version, symbolic sizes, and
/// with the list of all operators that are not supported. Each names the file. Its checksums must
/// be right.
ir::Graph import_pt2(const std::filesystem::path& path);

/// The same of a file's bytes, or its parts; errors do not name the file, checksums do not matter.
ir::Graph import_pt2(const SharedBytes& file, const std::string& name);
ir::Graph import_pt2(const Pt2Archive& archive, const std::string& name);

}  // namespace quantc::frontend
