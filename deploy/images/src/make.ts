import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import type { Progress } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { buildImage, exportedSize, imageName, imageSize, type BuildOptions, type Naming } from './docker.ts';
import { stage } from './stage.ts';
import { ownProcessor, targetNames, type Processor, type Target } from './targets.ts';

/** Maximum size of an image in bytes, as every machine that runs it downloads it. */
const LARGEST = 250e6;
/** The agent's packages contain Node three more times; they are downloaded once per version of the hub. */
const LARGEST_PACKAGES = 280e6;

export interface MakeOptions extends Naming {
  base?: string | undefined;
  processors?: readonly Processor[];
  push?: boolean;
}

export async function productVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** @returns an image's size, for people @throws Error if it is too large */
export function smallEnough(target: Target, name: string, size: number): string {
  const largest = target === 'packages' ? LARGEST_PACKAGES : LARGEST;
  const [is, limit] = [size, largest].map((bytes) => `${Math.round(bytes / 1e6)} MB`) as [string, string];
  if (size <= largest) return is;
  throw new Error(
    `${name} has ${is}, expected ${limit} at most: docker history says of one that is here what takes them`,
  );
}

/** Builds an image and checks its size, before a push. @returns its size, for people */
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

/** Builds all images from the build. @throws Error if one is too large */
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
