# The program and the addon for Node are one file each: they contain their libraries. They run on
# any Linux whose glibc is not older than this machine's, and start in half the time, since nothing
# is left to be loaded, relocated and looked up. Tests are linked with the shared ones, which is
# quicker.
set(one_file_default OFF)
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CARRONADE_SANITIZE)
  set(one_file_default ON)
endif()
option(CARRONADE_ONE_FILE "Link the libraries into the program" ${one_file_default})
if(CARRONADE_NODE AND NOT CARRONADE_ONE_FILE)
  message(FATAL_ERROR "CARRONADE_NODE needs CARRONADE_ONE_FILE: it is installed without libraries")
endif()

if(CARRONADE_ONE_FILE)
  set(CARRONADE_ARCHIVES)
  foreach(name libssl.a libcrypto.a libidn2.a libunistring.a libz.a libyaml-cpp.a libpcre2-8.a
          libluajit-5.1.a)
    find_library(CARRONADE_${name} NAMES ${name})
    mark_as_advanced(CARRONADE_${name})
    if(NOT CARRONADE_${name})
      message(FATAL_ERROR "${name} is not here. Without it the program can be linked with shared "
        "libraries: cmake --preset release -DCARRONADE_ONE_FILE=OFF")
    endif()
    list(APPEND CARRONADE_ARCHIVES ${CARRONADE_${name}})
  endforeach()
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
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
endfunction()
