import { join } from 'node:path';
import { compileForArm, type Sources } from './compile.ts';

const DEFINES = ['-DNODE_ADDON_API_DISABLE_CPP_EXCEPTIONS', '-DNODE_GYP_MODULE_NAME=pty', '-DBUILDING_NODE_EXTENSION'];
const parts = join(import.meta.dirname, '../parts');

/** C++ whose symbols stay inside the module, so that the linker drops what it leaves unused. */
const COMMON = [
  ...['-std=c++20', '-nostdinc++', '-O2', '-funwind-tables', '-ffunction-sections', '-fdata-sections'],
  ...['-fvisibility=hidden', '-fvisibility-inlines-hidden', '-D_LIBCPP_ABI_VERSION=1', '-D_LIBCPP_ABI_NAMESPACE=__1'],
  ...['-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS', '-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS'],
  ...['-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS', '-D_LIBCPP_PSTL_CPU_BACKEND_SERIAL'],
  '-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE',
];
const OF_LIBCXX = [
  ...['-w', '-faligned-allocation', '-D_LIBCPP_BUILDING_LIBRARY', '-D_LIBCPP_HAS_NO_PRAGMA_SYSTEM_HEADER'],
  ...['-DLIBCXX_BUILDING_LIBCXXABI', '-D_LIBCPP_DISABLE_NEW_DELETE_DEFINITIONS'],
];
const OF_LIBCXXABI = [
  ...['-w', '-fstrict-aliasing', '-DHAVE___CXA_THREAD_ATEXIT_IMPL', '-D_LIBCPP_DISABLE_EXTERN_TEMPLATE'],
  ...['-D_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS', '-D_LIBCXXABI_BUILDING_LIBRARY'],
];
const OF_LIBUNWIND = ['-w', '-D_LIBUNWIND_IS_NATIVE_ONLY', '-D_LIBUNWIND_HIDE_SYMBOLS', '-fno-exceptions', '-fno-rtti'];

/** The parts of C++ that the module needs, since a whole library takes minutes of a processor. */
function cplusplus(libraries: string, headers: string[]): Sources[] {
  const at = (folder: string, ...names: string[]) => names.map((name) => join(libraries, folder, 'src', name));
  const include = (folder: string) => `-I${join(libraries, folder, 'src')}`;
  const flags = [...COMMON, ...headers, include('libcxx')];
  const unwinding = ['Unwind-EHABI.cpp', 'libunwind.cpp', 'UnwindRegistersSave.S', 'UnwindRegistersRestore.S'];
  return [
    {
      files: [join(parts, 'libcxx.cc'), ...at('libcxx', 'error_category.cpp', 'condition_variable_destructor.cpp')],
      flags: [...flags, ...OF_LIBCXX],
    },
    { files: [join(parts, 'libcxxabi.cc')], flags: [...flags, ...OF_LIBCXXABI, include('libcxxabi')] },
    { files: at('libunwind', ...unwinding), flags: [...COMMON, ...headers, ...OF_LIBUNWIND] },
  ];
}

/**
 * Compiles the terminal module for 32-bit ARM, for which no prebuilt one exists, from the same version's source.
 * @param modules folder with `node-pty`, `node-addon-api` and `node-api-headers`
 * @returns path of the module
 */
export function compilePty(modules: string): Promise<string> {
  const includes = ['node-api-headers/include', 'node-addon-api'].map((folder) => `-I${join(modules, folder)}`);
  const source = join(modules, 'node-pty/src/unix/pty.cc');
  return compileForArm({
    name: 'pty',
    // Node's own C++ library comes first otherwise, and an exception that ends in the wrong one ends the process.
    options: ['-lutil', '-Bsymbolic'],
    sources: (libraries) => {
      const headers = ['libcxx', 'libcxxabi', 'libunwind'].map((name) => `-I${join(libraries, name, 'include')}`);
      const flags = [...COMMON, ...headers, '-DNAPI_VERSION=8', ...DEFINES, ...includes];
      return [...cplusplus(libraries, headers), { files: [source], flags }];
    },
    inputs: [
      ...[source, join(modules, 'node-api-headers/package.json'), import.meta.filename],
      ...['libcxx.cc', 'libcxxabi.cc'].map((name) => join(parts, name)),
    ],
  });
}
