# The program and the addon for Node are one file each: they contain their libraries. They run on
# any Linux whose glibc is not older than this machine's, and the program starts in half the time,
# since hardly anything is left to be loaded, relocated and looked up. Tests are linked with the
# shared ones, which is quicker.
#
# Sets one_file, and CARRONADE_ARCHIVES where that is ON.
set(CARRONADE_ONE_FILE AUTO CACHE STRING
  "Link the libraries into the program: ON, OFF, or AUTO: in a release, where it can be done")
set(one_file OFF)
if(CARRONADE_ONE_FILE STREQUAL AUTO)
  if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CARRONADE_SANITIZE)
    set(one_file ON)
  endif()
elseif(CARRONADE_ONE_FILE)
  set(one_file ON)
endif()

# Says why the program is linked with shared libraries, or ends where that is not what was asked.
macro(carronade_not_one_file reason)
  set(one_file OFF)
  if(CARRONADE_ONE_FILE STREQUAL AUTO)
    message(WARNING "${reason}: the program is linked with shared libraries, and starts slower")
  else()
    message(FATAL_ERROR "${reason}. Configure with -DCARRONADE_ONE_FILE=OFF to do without")
  endif()
endmacro()

if(one_file)
  set(CARRONADE_ARCHIVES)
  foreach(name libssl.a libcrypto.a libidn2.a libunistring.a libz.a libyaml-cpp.a libpcre2-8.a
          libluajit-5.1.a)
    find_library(CARRONADE_${name} NAMES ${name})
    mark_as_advanced(CARRONADE_${name})
    if(CARRONADE_${name})
      list(APPEND CARRONADE_ARCHIVES ${CARRONADE_${name}})
    elseif(one_file)
      carronade_not_one_file("${name} is not here")
    endif()
  endforeach()
  # From OpenSSL 3.2 on, distributions compress certificates with it.
  find_library(CARRONADE_libzstd.a NAMES libzstd.a)
  mark_as_advanced(CARRONADE_libzstd.a)
  if(CARRONADE_libzstd.a)
    list(APPEND CARRONADE_ARCHIVES ${CARRONADE_libzstd.a})
  endif()
endif()

if(one_file AND NOT CARRONADE_LINKS_AS_ONE_FILE)
  try_compile(CARRONADE_LINKS_AS_ONE_FILE ${CMAKE_BINARY_DIR}/one_file_probe
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/one_file_probe.cc ${CMAKE_CURRENT_LIST_DIR}/fmt_code.cc
    LINK_LIBRARIES -Wl,--start-group ${CARRONADE_ARCHIVES} -Wl,--end-group Threads::Threads
      ${CMAKE_DL_LIBS}
    OUTPUT_VARIABLE output CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  if(NOT CARRONADE_LINKS_AS_ONE_FILE)
    file(WRITE ${CMAKE_BINARY_DIR}/one_file_probe.log "${output}")
    carronade_not_one_file(
      "The archives do not link, see ${CMAKE_BINARY_DIR}/one_file_probe.log")
  endif()
endif()

if(one_file)
  # Debian has no static libfmt. It is not compiled into each file that formats (FMT_HEADER_ONLY):
  # that makes those three times slower to compile.
  add_library(carronade_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_code.cc)
  target_link_libraries(carronade_fmt PRIVATE carronade_options fmt::fmt)
endif()

# carronade_link_one_file(TARGET LIBRARIES…): our libraries and those that they need, with archives
# instead of shared libraries. All in one group, since archives do not name what they need.
function(carronade_link_one_file target)
  set(ours)
  set(rest ${ARGN} carronade_fmt)
  while(rest)
    list(POP_FRONT rest name)
    if(NOT name MATCHES "^carronade_" OR name IN_LIST ours)
      continue()
    endif()
    get_target_property(needed ${name} INTERFACE_LINK_LIBRARIES)
    if(needed)
      list(APPEND rest ${needed})
    endif()
    get_target_property(type ${name} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND ours ${name})
    endif()
  endwhile()

  set(files)
  foreach(name ${ours})
    list(APPEND files $<TARGET_FILE:${name}>)
  endforeach()
  add_dependencies(${target} ${ours})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${files})
  target_link_libraries(${target} PRIVATE carronade_options
    -Wl,--start-group ${files} ${CARRONADE_ARCHIVES} -Wl,--end-group
    Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--gc-sections)
endfunction()
