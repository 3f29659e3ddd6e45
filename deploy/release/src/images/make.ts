import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@warren/agent/packaging/run';
import { smallEnough } from '@warren/images/make';
import { contextOf, dockerfile } from '@warren/images/places';
import { stage } from '@warren/images/stage';
import { processors, targetNames, type Processor, type Target } from '@warren/images/targets';
import type { Progress } from '@warren/local/progress';
import { work } from '../places.ts';
import type { Source } from '../ready.ts';
import { planOf, type CopyStep } from './dockerfile.ts';
import { stableTar, writeLayer, type Layer } from './layer.ts';
import { writeImage, writeIndexes, writeLayout, type MadeImage } from './layout.ts';
import { makeRuntime, type Runtime } from './runtime.ts';

const all = Object.keys(processors) as Processor[];
const layout = join(work, 'layout');
const blobs = join(layout, 'blobs/sha256');

/** What a step of the Dockerfile copies, as a folder here. */
function folderOfCopy(
  { stage: from, from: path }: CopyStep,
  target: Target,
  processor: Processor,
  runtime: Runtime,
): string {
  return from === 'base' ? runtime.root : join(contextOf(target), path.replace('${TARGETARCH}', processor));
}

const sizeOf = async (folder: string) => Number((await run('du', ['--summarize', '--bytes', folder])).split('\t')[0]);

async function makeImage(
  { version, commit, epoch }: Source,
  { target, processor, runtime }: { target: Target; processor: Processor; runtime: Runtime },
  made: Map<string, Layer>,
): Promise<MadeImage> {
  const { config, copies } = planOf(await readFile(dockerfile, 'utf8'), target);
  const layers: Layer[] = [];
  let size = 0;
  for (const copy of copies) {
    const folder = folderOfCopy(copy, target, processor, runtime);
    size += await sizeOf(folder);
    const layer = made.get(folder) ?? (await writeLayer({ folder, to: copy.to, owner: copy.owner, epoch }, blobs));
    made.set(folder, layer);
    layers.push(layer);
  }
  smallEnough(target, `${target} for ${processor}`, size);
  const label = (name: string) => `org.opencontainers.image.${name}`;
  const created = new Date(epoch * 1000).toISOString();
  Object.assign(config.Labels, {
    [label('version')]: version,
    [label('revision')]: commit,
    [label('created')]: created,
  });
  return writeImage({ name: `warren/${target}:${version}`, processor, config, layers, epoch }, blobs);
}

/** Packs a layout's own files and the blobs that belong to it. */
async function pack(file: string, name: string, members: Set<string>, epoch: number): Promise<void> {
  const folder = join(work, name);
  await mkdir(join(folder, 'blobs/sha256'), { recursive: true });
  for (const one of members) await link(join(blobs, one), join(folder, 'blobs/sha256', one));
  await run('chmod', ['-R', 'u=rwX,go=rX', folder]);
  await run('tar', ['-cf', file, ...stableTar(epoch), '-C', folder, '.']);
  await rm(folder, { recursive: true });
}

/** Makes the images of all processors into the release's folder. @returns what each processor's images stand on */
export async function makeReleaseImages(source: Source, folder: string, progress: Progress) {
  const { version, epoch } = source;
  await rm(layout, { recursive: true, force: true });
  await progress.step('Parts of the images', () => stage(version, all));
  const runtimes = {} as Record<Processor, Runtime>;
  const images: MadeImage[] = [];
  for (const processor of all) {
    const runtime = await progress.step(`Node and libraries for ${processor}`, () => makeRuntime(processor));
    runtimes[processor] = runtime;
    await progress.step(`Images for ${processor}`, async (note) => {
      const made = new Map<string, Layer>();
      for (const target of targetNames) {
        note(target);
        await run('chmod', ['-R', 'u=rwX,go=rX', join(contextOf(target), processor)]);
        images.push(await makeImage(source, { target, processor, runtime }, made));
      }
      const name = `warren-${version}-images-${processor}`;
      const own = images.filter((one) => one.processor === processor);
      await rm(join(work, name), { recursive: true, force: true });
      await pack(join(folder, `${name}.tar`), name, await writeLayout(join(work, name), own), epoch);
    });
  }
  const name = `warren-${version}-images-index`;
  await rm(join(work, name), { recursive: true, force: true });
  await pack(join(folder, `${name}.tar`), name, await writeIndexes(join(work, name), images, blobs), epoch);
  await rm(layout, { recursive: true });
  return { runtimes, images };
}
