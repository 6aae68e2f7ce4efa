// Functions compiled for several levels of x86-64, of which one is chosen at run time. They give the
// same results to the last bit, as nothing is fused.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EXACTDICE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EXACTDICE_CLONES
#endif
