import { join } from 'node:path';
import { compileForArm } from './compile.ts';

const DEFINES = ['-DNODE_ADDON_API_DISABLE_CPP_EXCEPTIONS', '-DNODE_GYP_MODULE_NAME=pty', '-DBUILDING_NODE_EXTENSION'];

/**
 * Compiles the terminal module for 32-bit ARM, for which no prebuilt one exists, from the same version's source.
 * @param modules folder with `node-pty`, `node-addon-api` and `node-api-headers`
 * @returns path of the module
 */
export function compilePty(modules: string): Promise<string> {
  const includes = ['node-api-headers/include', 'node-addon-api'].map((folder) => `-I${join(modules, folder)}`);
  return compileForArm({
    name: 'pty',
    language: 'c++',
    source: join(modules, 'node-pty/src/unix/pty.cc'),
    flags: ['-std=c++20', '-DNAPI_VERSION=8', ...DEFINES, ...includes, '-lutil'],
    inputs: [join(modules, 'node-api-headers/package.json')],
  });
}
