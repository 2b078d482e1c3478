# What `cmake --install` lays down, at a prefix that may be moved: the programs beside each other in bin, since the window
# starts the bscope beside it; the CUDA plugin in lib/bubblescope, where CudaPlugin::defaultFile() looks; scenarios to
# copy from; what shells and desktops read. Lessons, scenarios and translations are in the programs as well.
# Three components, each a package of its own (cpack -G DEB): bscope, bubblescope and bscope-cuda; one archive of all
# (cpack -G TGZ).
install(TARGETS bscope COMPONENT bscope)
install(DIRECTORY scenarios DESTINATION share/bubblescope COMPONENT bscope FILES_MATCHING PATTERN *.json)
install(FILES README.md README.zh-CN.md LICENSE DESTINATION share/doc/bubblescope COMPONENT bscope)
if(TARGET bscope_cuda)
  set_target_properties(bscope_cuda PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON) # cuBLAS is not where loaders look
  install(TARGETS bscope_cuda LIBRARY DESTINATION lib/bubblescope COMPONENT bscope-cuda)
endif()
if(TARGET bubblescope)
  install(TARGETS bubblescope COMPONENT bubblescope)
  install(FILES resources/desktop/bubblescope.desktop DESTINATION share/applications COMPONENT bubblescope)
  install(FILES resources/desktop/bubblescope.metainfo.xml DESTINATION share/metainfo COMPONENT bubblescope)
  install(FILES resources/desktop/bubblescope.xml DESTINATION share/mime/packages COMPONENT bubblescope)
  install(FILES resources/icons/bubblescope.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT bubblescope)
  install(DIRECTORY ${BUBBLESCOPE_ICONS}/ DESTINATION share/icons/hicolor COMPONENT bubblescope)
endif()

# Manual pages and completions are made from what the installed-from programs print as their help.
foreach(program bscope bubblescope)
  if(TARGET ${program})
    install(CODE "set(program $<TARGET_FILE:${program}>)" COMPONENT ${program})
    install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/FromHelp.cmake COMPONENT ${program})
  endif()
endforeach()

set(CPACK_PACKAGE_NAME bubblescope)
set(CPACK_PACKAGE_CONTACT "The Bubblescope authors <bubblescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "pipeline-parallel training, run and shown live")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL bscope)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_BSCOPE_PACKAGE_NAME bscope)
set(CPACK_COMPONENT_BSCOPE_DESCRIPTION "pipeline-parallel training, run and timed operation by operation
 The engine and the command line: runs schedules, reads recordings of other programs.")
set(CPACK_DEBIAN_BSCOPE_PACKAGE_RECOMMENDS openmpi-bin)
if(TARGET bubblescope)
  list(APPEND CPACK_COMPONENTS_ALL bubblescope)
  set(CPACK_DEBIAN_BUBBLESCOPE_PACKAGE_NAME bubblescope)
  set(CPACK_DEBIAN_BUBBLESCOPE_PACKAGE_DEPENDS "bscope (= ${PROJECT_VERSION}), fonts-inter, fonts-noto-cjk")
  set(CPACK_DEBIAN_BUBBLESCOPE_PACKAGE_SUGGESTS "ffmpeg") # films as MP4 and WebP
  set(CPACK_COMPONENT_BUBBLESCOPE_DESCRIPTION "pipeline-parallel training, run and shown live
 The window: timeline, bubble, memory, lessons, and the runs of other programs.")
endif()
if(TARGET bscope_cuda)
  list(APPEND CPACK_COMPONENTS_ALL bscope-cuda)
  set(CPACK_DEBIAN_BSCOPE-CUDA_PACKAGE_NAME bscope-cuda)
  # cuBLAS is NVIDIA's package, or none at all.
  set(CPACK_DEBIAN_BSCOPE-CUDA_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_BSCOPE-CUDA_PACKAGE_DEPENDS "bscope (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_BSCOPE-CUDA_DESCRIPTION "ranks of bscope on NVIDIA GPUs
 The plugin for CUDA ${CUDAToolkit_VERSION_MAJOR}, whose libraries have to be there.")
endif()
include(CPack)
