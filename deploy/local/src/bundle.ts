import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';
import { hub, root, services } from './settings.ts';

/** What stays where it is installed. */
const beside = [
  // Traced by hooks of OpenTelemetry, which see what Node itself loads.
  'pg',
  // Native, which is looked for beside the code that asks, and files that are read from where they are.
  'bufferutil',
  'sharp',
  'swagger-ui-dist',
  // What Nest would use if it were installed.
  /^@fastify\/static$/,
  /^@(grpc|mikro-orm)\//,
  /^@nestjs\/(microservices|mongoose|sequelize|websockets)/,
  /^class-(transformer|validator)/,
];

/** Packages get no source map: it would be large, and read when a process writes its first trace. */
const PACKAGES = 'packages';
const groups = [{ name: PACKAGES, test: /node_modules\/(?!@opentelemetry\/(?!api\/))/ }];

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

const compiled: Plugin = {
  name: 'compiled',
  /** Maps lead to what was written, not to what was compiled of it. */
  load: {
    filter: { id: /^(?!.*node_modules).*\/dist\/.*\.js$/ },
    handler: async (id) => ({ code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') }),
  },
  /** What a package asks for by a `require` that it makes itself would be loaded a second time, from beside. */
  transform: {
    filter: { id: /node_modules/, code: OWN_REQUIRE },
    handler: (code) => ({ code: code.replace(OWN_REQUIRE, ''), map: null }),
  },
};

/** V8 keeps the source for as long as a process runs, with two bytes per character once a single one is beyond Latin-1. */
const resident = { charset: 'ascii', comments: false } as const;

async function write(folder: string, { fileName, name, code, map }: OutputChunk): Promise<void> {
  const file = join(folder, fileName);
  if (name === PACKAGES || !map) return writeFile(file, code);
  await writeFile(`${file}.map`, JSON.stringify({ ...map, sourcesContent: undefined }));
  await writeFile(file, `${code}//# sourceMappingURL=${fileName}.map\n`);
}

/** Puts a compiled service, with the packages that it needs, into a few files: to find and read thousands is most of its start. */
async function bundle(service: string): Promise<void> {
  const folder = join(root, 'services', service, 'dist');
  const input = { bundle: join(folder, 'main.js') };
  const made = await rolldown({ input, cwd: root, platform: 'node', external: beside, plugins: [compiled] });
  const { output } = await made.generate({
    // The folder of the maps' sources.
    dir: folder,
    format: 'esm',
    // Nest and TypeORM go by the names of classes.
    keepNames: true,
    sourcemap: 'hidden',
    ...resident,
    entryFileNames: '[name].mjs',
    chunkFileNames: 'bundle.[name].mjs',
    codeSplitting: { groups },
  });
  await made.close();
  for (const one of output) if (one.type === 'chunk') await write(folder, one);
}

/** Threads of a service, by what their file is called: each is one file that holds only what the thread runs. */
const workers: [service: string, entry: string, name: string][] = ['gateway', hub].map((service) => [
  service,
  'gateway/dist/auth/saml/verifier/saml.worker.js',
  'bundle.saml.worker',
]);

async function bundleWorker([service, entry, name]: (typeof workers)[number]): Promise<void> {
  const folder = join(root, 'services', service, 'dist');
  const made = await rolldown({
    input: { [name]: join(root, 'services', entry) },
    cwd: root,
    platform: 'node',
    plugins: [compiled],
  });
  const { output } = await made.generate({
    dir: folder,
    format: 'esm',
    sourcemap: 'hidden',
    ...resident,
    entryFileNames: '[name].mjs',
    codeSplitting: false,
  });
  await made.close();
  for (const one of output) if (one.type === 'chunk') await write(folder, one);
}

/** `npm run bundle`. */
for (const service of [...services, hub]) await bundle(service);
for (const worker of workers) await bundleWorker(worker);
