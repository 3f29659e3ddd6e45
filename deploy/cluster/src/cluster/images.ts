import { copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FROM, makeWarren, NAMING } from '@warren/e2e/containers/images';
import type { Engine } from '@warren/e2e/engine';
import { imageName } from '@warren/images/docker';
import { targetNames } from '@warren/images/targets';
import { toolsFolder } from '@warren/local/steps/go-tools';
import { docker, load } from './docker.ts';
import { programsFolder } from './programs.ts';
import { home, NODES } from './settings.ts';

export const NODE = 'warren-cluster/node:bookworm';
export const PAUSE = 'warren-cluster/pause:1';
export const TOOLS = 'warren-cluster/tools:1';
export const SERVERS = 'warren-cluster/servers:1';
const files = join(import.meta.dirname, '../../images');

/** Programs of the tools' image, by their folders. */
const tools = {
  [programsFolder]: ['coredns', 'metrics-server', 'traefik', 'keda', 'keda-adapter', 'prometheus-kubernetes'],
  [toolsFolder]: ['versitygw'],
};

const build = (name: string, file: string, base: string, context: string) =>
  docker('build', '--quiet', '--tag', name, '--build-arg', `BASE=${base}`, '--file', join(files, file), context);

async function buildTools(base: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const context = await mkdtemp(join(home, 'tools-'));
  try {
    await mkdir(join(context, 'bin'));
    for (const [folder, names] of Object.entries(tools)) {
      for (const name of names) {
        const [from, to] = [join(folder, name), join(context, 'bin', name)];
        await link(from, to).catch(() => copyFile(from, to));
      }
    }
    await build(TOOLS, 'tools.Dockerfile', base, context);
  } finally {
    await rm(context, { recursive: true });
  }
}

/** Builds the images of the cluster. */
export async function makeImages(engine: Engine): Promise<void> {
  const debian = await engine.image();
  await build(NODE, 'node.Dockerfile', debian, files);
  await build(PAUSE, 'pause.Dockerfile', debian, files);
  await buildTools(debian);
}

/** Builds Warren's images with the tags of a version and the former one, and those of bundled servers. @returns their names */
export async function makeProduct(engine: Engine): Promise<string[]> {
  await makeWarren(engine);
  await build(SERVERS, 'servers.Dockerfile', await engine.image(), files);
  const tags = [FROM.tag, NAMING.tag];
  return [
    SERVERS,
    ...targetNames.flatMap((name) => tags.map((tag) => imageName(name, { prefix: NAMING.prefix, tag }))),
  ];
}

/** Copies images to all nodes. */
export async function loadEverywhere(images: string[]): Promise<void> {
  await Promise.all(NODES.map((node) => load(node, images)));
}
