import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import type { Progress } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { buildImage, exportedSize, imageName, imageSize, type BuildOptions, type Naming } from './docker.ts';
import { stage } from './stage.ts';
import { ownProcessor, targetNames, type Processor, type Target } from './targets.ts';

/** What an image may be, in bytes: it is fetched by every machine that runs it. */
const LARGEST = 250e6;
/** The agent's packages hold Node three times more; they are fetched once for each version of the hub. */
const LARGEST_PACKAGES = 280e6;

export interface MakeOptions extends Naming {
  base?: string | undefined;
  processors?: readonly Processor[];
  push?: boolean;
}

export async function productVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** @returns an image's size, for people @throws when it is too large */
export function smallEnough(target: Target, name: string, size: number): string {
  const largest = target === 'packages' ? LARGEST_PACKAGES : LARGEST;
  const [is, limit] = [size, largest].map((bytes) => `${Math.round(bytes / 1e6)} MB`) as [string, string];
  if (size <= largest) return is;
  throw new Error(
    `${name} has ${is}, expected ${limit} at most: docker history says of one that is here what takes them`,
  );
}

/** Makes an image and holds it to its size; one that is pushed before it is. @returns what it has, for people */
async function makeImage(target: Target, build: BuildOptions, note: (text: string) => void): Promise<string> {
  const name = imageName(target, build);
  if (!build.push) {
    await buildImage(target, build, note);
    return smallEnough(target, name, await imageSize(name));
  }
  const sizes: string[] = [];
  for (const processor of build.processors) {
    const size = await exportedSize(target, processor, build, note);
    sizes.push(`${processor} ${smallEnough(target, `${name} for ${processor}`, size)}`);
  }
  await buildImage(target, build, note);
  return `${sizes.join(', ')}, pushed`;
}

/** Makes all images of what has been built. @throws when one is larger than images may be */
export async function makeImages(options: MakeOptions, progress: Progress): Promise<void> {
  const version = await productVersion();
  const revision = await command('git', ['rev-parse', 'HEAD'], { cwd: root }).catch(() => 'unknown');
  const build: BuildOptions = {
    prefix: options.prefix,
    tag: options.tag,
    base: options.base,
    version,
    revision: revision.trim(),
    processors: options.processors ?? [ownProcessor()],
    push: options.push ?? false,
  };
  await progress.step('Parts', () => stage(version, build.processors));
  for (const target of targetNames) {
    await progress.step(imageName(target, build), async (note) => note(await makeImage(target, build, note)));
  }
}
