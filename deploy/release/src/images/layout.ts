import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Processor } from '@warren/images/targets';
import type { ImageConfig } from './dockerfile.ts';
import type { Blob, Layer } from './layer.ts';

/** https://github.com/opencontainers/image-spec/blob/v1.1.0/media-types.md */
const MEDIA = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

interface Descriptor extends Blob {
  mediaType: string;
  platform?: { architecture: string; os: string };
  annotations?: Record<string, string>;
}

/** An image of one processor in a layout. */
export interface MadeImage {
  /** As in warren/gateway:1.2.3. */
  name: string;
  processor: Processor;
  manifest: Descriptor;
  config: Blob;
  layers: Layer[];
}

const digestFile = (digest: string) => digest.replace('sha256:', '');

async function writeJson(blobs: string, value: unknown): Promise<Blob> {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = createHash('sha256').update(bytes).digest('hex');
  await mkdir(blobs, { recursive: true });
  await writeFile(join(blobs, digest), bytes);
  return { digest: `sha256:${digest}`, size: bytes.length };
}

/** Writes configuration and manifest of an image whose layers are there. */
export async function writeImage(
  image: { name: string; processor: Processor; config: ImageConfig; layers: Layer[]; epoch: number },
  blobs: string,
): Promise<MadeImage> {
  const { name, processor, layers } = image;
  const created = new Date(image.epoch * 1000).toISOString();
  const config = await writeJson(blobs, {
    created,
    architecture: processor,
    os: 'linux',
    config: image.config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created, created_by: 'make release' })),
  });
  const manifest = await writeJson(blobs, {
    schemaVersion: 2,
    mediaType: MEDIA.manifest,
    config: { mediaType: MEDIA.config, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: MEDIA.layer, digest, size })),
  });
  const platform = { architecture: processor, os: 'linux' };
  return { name, processor, manifest: { mediaType: MEDIA.manifest, ...manifest, platform }, config, layers };
}

/** Names by which programs find an image in a layout: skopeo and others by the first, containerd by the second. */
const named = (name: string, descriptor: Descriptor): Descriptor => ({
  ...descriptor,
  annotations: { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': `docker.io/${name}` },
});

async function writeTop(folder: string, manifests: Descriptor[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const index = { schemaVersion: 2, mediaType: MEDIA.index, manifests };
  await writeFile(join(folder, 'index.json'), JSON.stringify(index));
}

/**
 * Writes what makes blobs a layout of one processor's images, for `docker load` too, whose older versions read `manifest.json` alone.
 * @returns the blobs that belong to it
 */
export async function writeLayout(folder: string, images: readonly MadeImage[]): Promise<Set<string>> {
  await writeTop(
    folder,
    images.map(({ name, manifest }) => named(name, manifest)),
  );
  const path = ({ digest }: Blob) => `blobs/sha256/${digestFile(digest)}`;
  const docker = images.map(({ name, config, layers }) => ({
    Config: path(config),
    RepoTags: [name],
    Layers: layers.map(path),
  }));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(docker));
  return new Set(
    images.flatMap(({ manifest, config, layers }) =>
      [manifest, config, ...layers].map(({ digest }) => digestFile(digest)),
    ),
  );
}

/** Writes an index over the processors of each image, and what makes all of them one layout. @returns the indexes' blobs */
export async function writeIndexes(folder: string, images: readonly MadeImage[], blobs: string): Promise<Set<string>> {
  const byName = Map.groupBy(images, ({ name }) => name);
  const indexes: Descriptor[] = [];
  for (const [name, all] of byName) {
    const manifests = all.map(({ manifest }) => manifest);
    const index = await writeJson(blobs, { schemaVersion: 2, mediaType: MEDIA.index, manifests });
    indexes.push(named(name, { mediaType: MEDIA.index, ...index }));
  }
  await writeTop(folder, indexes);
  return new Set(indexes.map(({ digest }) => digestFile(digest)));
}
