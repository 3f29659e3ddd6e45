import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sources } from './compile.ts';

/** Files of musl to compile. The whole of it has thirteen hundred, nearly all of what a static program takes to make. */
export const muslList = join(import.meta.dirname, '../parts/musl.txt');

/** Names of a processor: musl's, and those of the folders with headers of musl and of Linux. */
export interface Cpu {
  name: string;
  headers: string;
  linux: string;
}

const FLAGS = [
  ...['-std=c99', '-ffreestanding', '-fexcess-precision=standard', '-frounding-math', '-fno-strict-aliasing'],
  ...['-Os', '-fomit-frame-pointer', '-fno-unwind-tables', '-fno-asynchronous-unwind-tables'],
  ...['-ffunction-sections', '-fdata-sections', '-Qunused-arguments', '-w', '-D_XOPEN_SOURCE=700'],
];

/** The options by which C finds the headers of musl. */
export function muslHeaders(libraries: string, cpu: Cpu): string[] {
  const folders = [cpu.headers, 'generic-musl', cpu.linux, 'any-linux-any'];
  return folders.flatMap((folder) => ['-isystem', join(libraries, 'libc/include', folder)]);
}

/** Musl's files for a processor, in place of a library that is compiled whole. */
export async function muslSources(libraries: string, cpu: Cpu): Promise<Sources> {
  const root = join(libraries, 'libc/musl');
  const inside = [`arch/${cpu.name}`, 'arch/generic', 'src/include', 'src/internal', 'include'];
  const lines = (await readFile(muslList, 'utf8')).split('\n').filter((line) => line && !line.startsWith('#'));
  return {
    files: lines.flatMap((line) => fileFor(root, line, cpu) ?? []),
    flags: [...FLAGS, ...inside.map((folder) => `-I${join(root, folder)}`), ...muslHeaders(libraries, cpu)],
  };
}

/** Prefers the file of a processor to the common one. Undefined if the processor needs neither. */
function fileFor(root: string, path: string, cpu: Cpu): string | undefined {
  const own = path.replace(/([^/]+)$/, `${cpu.name}/$1`);
  const candidates = [`${own}.c`, `${own}.s`, `${own}.S`, `${path}.c`].map((file) => join(root, file));
  return candidates.find((file) => existsSync(file));
}
