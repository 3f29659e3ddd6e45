import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { command } from '@warren/local/command';
import { Parser } from 'tar';
import { contextOf, dockerfile } from './places.ts';
import { ownProcessor, type Processor, type Target } from './targets.ts';
import { madeAt } from './time.ts';

export interface Naming {
  /** Prefix of images' names: `warren` or `registry.example.com/warren`. */
  prefix: string;
  tag: string;
}

export interface BuildOptions extends Naming {
  /** An image with Node 24; defaults to the Dockerfile's. */
  base: string | undefined;
  version: string;
  /** The commit that is built. */
  revision: string;
  processors: readonly Processor[];
  /** Pushes the images to their registry instead of storing them here. */
  push: boolean;
}

export const imageName = (target: Target, { prefix, tag }: Naming) => `${prefix}/${target}:${tag}`;

/** Returns the build arguments of every image. */
function common({ base, version, revision }: BuildOptions): string[] {
  const labels = { version, revision, created: madeAt().toISOString() };
  const given = Object.entries(labels).flatMap(([name, value]) => [
    '--label',
    `org.opencontainers.image.${name}=${value}`,
  ]);
  return ['--file', dockerfile, ...(base ? ['--build-arg', `BASE_IMAGE=${base}`] : []), ...given];
}

/** @param out stream for its stdout; without it, stdout goes to `note` like stderr */
async function docker(args: string[], note: (text: string) => void, out?: NodeJS.WritableStream): Promise<void> {
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of out ? [child.stderr] : [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-16_384);
      note(data.toString().trim().split('\n').at(-1)?.slice(0, 60) ?? '');
    });
  }
  const [[code]] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    ...(out ? [pipeline(child.stdout, out)] : []),
  ]);
  if (code !== 0) throw new Error(`docker ${args[0]} ended with code ${code}\n${said.trim()}`);
}

/** Builds an image. Docker needs buildx for several processors, and to push. */
export async function buildImage(target: Target, options: BuildOptions, note: (text: string) => void): Promise<void> {
  const named = ['--target', target, '--tag', imageName(target, options)];
  const [only] = options.processors;
  if (options.processors.length === 1 && only === ownProcessor() && !options.push) {
    // The classic builder does not set it, and supports the whole file.
    return docker(
      ['build', ...common(options), ...named, '--build-arg', `TARGETARCH=${only}`, contextOf(target)],
      note,
    );
  }
  const platforms = options.processors.map((name) => `linux/${name}`).join(',');
  const out = options.push ? '--push' : '--load';
  await docker(
    ['buildx', 'build', ...common(options), ...named, '--platform', platforms, out, contextOf(target)],
    note,
  );
}

/** Returns the size of an image's files in bytes, from the engine. */
export async function imageSize(name: string): Promise<number> {
  return Number(await command('docker', ['image', 'inspect', '--format', '{{.Size}}', name]));
}

/**
 * The same of an image that is to be pushed, for one of its processors: made, and looked at file by file on its way out of the builder,
 * since no engine has it. Pushing it afterwards rebuilds nothing.
 */
export async function exportedSize(
  target: Target,
  processor: Processor,
  options: BuildOptions,
  note: (text: string) => void,
): Promise<number> {
  let size = 0;
  const files = new Parser({
    onReadEntry: (entry) => {
      size += entry.size;
      entry.resume();
    },
  });
  const out = ['--target', target, '--platform', `linux/${processor}`, '--output', 'type=tar,dest=-'];
  await docker(['buildx', 'build', ...common(options), ...out, contextOf(target)], note, files);
  return size;
}
