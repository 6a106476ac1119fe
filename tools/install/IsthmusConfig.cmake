# find_package(Isthmus) defines Isthmus::isthmus, the C library. The paths
# follow from the place of this file, so that the tree may be moved.

get_filename_component(_isthmus_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET Isthmus::isthmus)
  add_library(Isthmus::isthmus SHARED IMPORTED)
  set_target_properties(Isthmus::isthmus PROPERTIES
    IMPORTED_LOCATION "${_isthmus_prefix}/lib/libisthmus.so.0"
    IMPORTED_SONAME "libisthmus.so.0"
    INTERFACE_INCLUDE_DIRECTORIES "${_isthmus_prefix}/include")
endif()

unset(_isthmus_prefix)
