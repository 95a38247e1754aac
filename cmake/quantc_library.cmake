# quantc_library(NAME DEPENDS target...): the library quantc_NAME made of every .cc file in this
# folder and below. A library sees only the headers of what it names in DEPENDS and of what those
# depend on: every library exports its own folder under build/include/quantc_NAME, not all of src/,
# so that a header of a later stage cannot be included by an earlier one.
function(quantc_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(include_root ${CMAKE_BINARY_DIR}/include/quantc_${name})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY ${include_root}/${parent})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${include_root}/${folder} SYMBOLIC)
  add_library(quantc_${name} STATIC ${sources})
  target_include_directories(quantc_${name} PUBLIC ${include_root})
  target_link_libraries(quantc_${name} PUBLIC ${arg_DEPENDS})
endfunction()

# quantc_test(NAME SOURCES file... DEPENDS target...): one GoogleTest program, run from the
# repository's root, where tests find their data.
function(quantc_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 60)
endfunction()
