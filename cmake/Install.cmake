# What `cmake --install` lays down, at a prefix that may be moved: the programs beside each other in bin, since the window
# starts the bscope beside it; the CUDA plugin in lib/bubblescope, where CudaPlugin::defaultFile() looks; scenarios to
# copy from. Lessons, scenarios and translations are in the programs as well.
install(TARGETS bscope)
if(TARGET bscope_cuda)
  set_target_properties(bscope_cuda PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON) # cuBLAS is not where loaders look
  install(TARGETS bscope_cuda LIBRARY DESTINATION lib/bubblescope)
endif()
if(TARGET bubblescope)
  install(TARGETS bubblescope)
  install(FILES resources/bubblescope.desktop DESTINATION share/applications)
  install(FILES resources/bubblescope-mime.xml DESTINATION share/mime/packages RENAME bubblescope.xml)
  install(FILES resources/icons/bubblescope.svg DESTINATION share/icons/hicolor/scalable/apps)
endif()
install(DIRECTORY scenarios DESTINATION share/bubblescope FILES_MATCHING PATTERN *.json)
install(FILES README.md README.zh-CN.md LICENSE DESTINATION share/doc/bubblescope)
