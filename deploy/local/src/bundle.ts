import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';
import { hub, root, services } from './settings.ts';

/** Packages that are not bundled. */
const beside = [
  // Instrumented by OpenTelemetry's hooks, which see only modules that Node loads.
  'pg',
  // Native modules, found relative to their code, and files that are read from their package.
  'bufferutil',
  'sharp',
  /^swagger-ui-dist\//,
  // Optional packages of Nest that are not installed.
  /^@fastify\/static$/,
  /^@(grpc|mikro-orm)\//,
  /^@nestjs\/(microservices|mongoose|sequelize|websockets)/,
  /^class-(transformer|validator)/,
];

/** Omits source maps of packages, which are large and would be read for the first stack trace. */
const PACKAGES = 'packages';
const groups = [{ name: PACKAGES, test: /node_modules\/(?!@opentelemetry\/(?!api\/))/ }];

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

const compiled: Plugin = {
  name: 'compiled',
  /** Source maps point to the TypeScript sources. */
  load: {
    filter: { id: /^(?!.*node_modules).*\/dist\/.*\.js$/ },
    handler: async (id) => ({ code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') }),
  },
  /** A package's own `require` would load a second copy from node_modules. */
  transform: {
    filter: { id: /node_modules/, code: OWN_REQUIRE },
    handler: (code) => ({ code: code.replace(OWN_REQUIRE, ''), map: null }),
  },
};

/** V8 keeps the source in memory, with two bytes per character if a single one is beyond Latin-1. */
const resident = { charset: 'ascii', comments: false } as const;

async function write(folder: string, { fileName, name, code, map }: OutputChunk): Promise<void> {
  const file = join(folder, fileName);
  if (name === PACKAGES || !map) return writeFile(file, code);
  await writeFile(`${file}.map`, JSON.stringify({ ...map, sourcesContent: undefined }));
  await writeFile(file, `${code}//# sourceMappingURL=${fileName}.map\n`);
}

/** Bundles a compiled service with its packages into a few files, as reading thousands is most of its start. */
async function bundle(service: string): Promise<void> {
  const folder = join(root, 'services', service, 'dist');
  const input = { bundle: join(folder, 'main.js') };
  const made = await rolldown({ input, cwd: root, platform: 'node', external: beside, plugins: [compiled] });
  const { output } = await made.generate({
    // The folder of the sources in source maps.
    dir: folder,
    format: 'esm',
    // Nest and TypeORM use the names of classes.
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

/** Worker threads of a service by file name; each is bundled into one file with only its code. */
const workers: [service: string, entry: string, name: string][] = [
  ['gateway', 'gateway/dist/auth/saml/verifier/saml.worker.js', 'bundle.saml.worker'],
  [hub, 'gateway/dist/auth/saml/verifier/saml.worker.js', 'bundle.saml.worker'],
  ['audit', 'audit/dist/recordings/search/screen.worker.js', 'bundle.screen.worker'],
  [hub, 'audit/dist/recordings/search/screen.worker.js', 'bundle.screen.worker'],
];

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

/** The program of `npm run bundle`. */
for (const service of [...services, hub]) await bundle(service);
for (const worker of workers) await bundleWorker(worker);
