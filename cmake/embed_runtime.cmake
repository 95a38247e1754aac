# cmake -DOUTPUT=file -DROOT=runtime -P embed_runtime.cmake: writes the runtime's sources as C++ raw
# strings.
file(GLOB_RECURSE files ${ROOT}/*.c ${ROOT}/*.h)
set(rows "")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"QUANTC(${text})QUANTC\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"codegen/runtime_files.h\"

namespace quantc::codegen {

std::span<const RuntimeFile> runtime_files() {
  static constexpr RuntimeFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace quantc::codegen
")
