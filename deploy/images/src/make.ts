import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import type { Progress } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { buildImage, imageName, imageSize, type BuildOptions, type Naming } from './docker.ts';
import { stage } from './stage.ts';
import { ownProcessor, targetNames, type Processor } from './targets.ts';

/** What an image may be, in bytes: it is fetched by every machine that runs it. */
const LARGEST = 250e6;

export interface MakeOptions extends Naming {
  base?: string | undefined;
  processors?: readonly Processor[];
  push?: boolean;
}

export async function productVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** An image's size in bytes. @throws when it is too large */
async function smallEnough(name: string): Promise<number> {
  const size = await imageSize(name);
  if (size <= LARGEST) return size;
  const [is, limit] = [size, LARGEST].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
  throw new Error(`${name} has ${is}, expected ${limit} at most: docker history ${name} says what takes them`);
}

/** Makes all images of what has been built. @throws when one is larger than images may be */
export async function makeImages(options: MakeOptions, progress: Progress): Promise<void> {
  const version = await productVersion();
  const revision = await command('git', ['rev-parse', 'HEAD'], { cwd: root }).catch(() => 'unknown');
  const build: BuildOptions = {
    ...{ prefix: options.prefix, tag: options.tag, base: options.base, version, revision: revision.trim() },
    ...{ processors: options.processors ?? [ownProcessor()], push: options.push ?? false },
  };
  await progress.step('Parts', () => stage(version, build.processors));
  for (const target of targetNames) {
    const name = imageName(target, build);
    await progress.step(name, async (note) => {
      await buildImage(target, build, note);
      note(build.push ? 'pushed' : `${Math.round((await smallEnough(name)) / 1e6)} MB`);
    });
  }
}
