// A shared library that is no plugin.
extern "C" int bscope_not_a_plugin() {
    return 0;
}
