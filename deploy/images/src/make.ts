import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import type { Progress } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { buildImage, imageName, imageSize, type BuildOptions, type Naming } from './docker.ts';
import { stage } from './stage.ts';
import { ownProcessor, targetNames, type Processor } from './targets.ts';

export interface MakeOptions extends Naming {
  base?: string | undefined;
  processors?: readonly Processor[];
  push?: boolean;
}

export async function productVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Makes all images of what has been built. */
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
      const size = build.push ? 'pushed' : `${Math.round((await imageSize(name)) / 1e6)} MB`;
      note(size);
    });
  }
}
