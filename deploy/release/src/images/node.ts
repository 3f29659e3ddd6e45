import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchNode } from '@warren/agent/packaging/parts';
import { runtimeProblem } from '@warren/agent/packaging/support';
import { processors, type Processor } from '@warren/images/targets';
import { digestOfFile } from '../files.ts';

/** A Node for one processor: a folder with `bin/node` and `LICENSE`. */
export interface NodeBuild {
  folder: string;
  version: string;
  /** Of the program. */
  sha256: string;
}

const NAME = /^node-v(\d+\.\d+\.\d+)-linux-(x64|arm64)$/;

/** One of nodejs.org's archives, unpacked. @throws Error unless there is exactly one for the processor */
async function unpackedNode(dist: string, processor: Processor): Promise<{ folder: string; version: string }> {
  const arch = processors[processor];
  const found = (await readdir(dist)).flatMap((name) => {
    const [, version, of] = NAME.exec(name) ?? [];
    return version && of === arch ? { folder: join(dist, name), version } : [];
  });
  const [one] = found;
  if (one && found.length === 1) return one;
  const expected = `expected one folder node-v24.22.1-linux-${arch}, an unpacked archive of nodejs.org`;
  throw new Error(`WARREN_NODE_DIST is ${dist}, which has ${found.length} for ${processor}: ${expected}`);
}

/**
 * Finds the Node that images of a processor get: of the folder that WARREN_NODE_DIST names, else of the npm registry by the lock file.
 * @throws Error for one that is out of support
 */
export async function findNode(processor: Processor): Promise<NodeBuild> {
  const dist = process.env['WARREN_NODE_DIST'];
  const found = dist ? await unpackedNode(dist, processor) : await fetchNode(processors[processor]);
  const problem = runtimeProblem(found.version, new Date());
  if (problem) throw new Error(`images: ${problem}`);
  return { ...found, sha256: await digestOfFile(join(found.folder, 'bin/node')) };
}

/** What is known against a Node in the hub, though the agent may be shipped with it. */
export const hubProblem = (version: string) => runtimeProblem(version, new Date(), false);
