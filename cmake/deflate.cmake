# Debian's libdeflate has no package configuration. Only its checksum is needed, several times as fast
# as zlib's.
find_path(DEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
find_library(DEFLATE_LIBRARY deflate REQUIRED)
add_library(deflate::deflate UNKNOWN IMPORTED)
set_target_properties(deflate::deflate PROPERTIES IMPORTED_LOCATION ${DEFLATE_LIBRARY}
                                                  INTERFACE_INCLUDE_DIRECTORIES ${DEFLATE_INCLUDE_DIR})
