// Carries the precompiled headers of tests; see CMakeLists.txt.
int main() {
    return 0;
}
