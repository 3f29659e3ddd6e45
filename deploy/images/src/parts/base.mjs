// While an image is made: writes what it has of its base, Node and libraries of the distribution, as CycloneDX 1.5 (base.cdx.json),
// and their licences. The first argument is the root of what is taken over, the others are the libraries.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const [out, ...libraries] = process.argv.slice(2);
const ask = (program, ...args) => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** Components of Node, from its own list. */
const inside = () =>
  Object.entries(process.versions)
    .filter(([name]) => !['node', 'modules', 'napi'].includes(name))
    .map(([name, version]) => ({ type: 'library', name, version, purl: `pkg:generic/${name}@${version}` }));

/** Finds the Debian package of a library; undefined on another distribution. */
const packageOf = (library) =>
  ask('dpkg-query', '-S', `*/${basename(library)}`)
    .split('\n')[0]
    ?.split(':')[0] ?? '';

function debian(name) {
  const [version, arch] = ask('dpkg-query', '-W', '-f', '${Version} ${Architecture}\\n', name)
    .split('\n')[0]
    .split(' ');
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}`;
  return { type: 'library', name, version, purl, 'bom-ref': purl };
}

function takeLicence(from) {
  if (!existsSync(from)) return;
  mkdirSync(dirname(`${out}${from}`), { recursive: true });
  cpSync(from, `${out}${from}`, { dereference: true });
}

const packages = [...new Set(libraries.map(packageOf).filter(Boolean))].sort();
for (const name of packages) takeLicence(`/usr/share/doc/${name}/copyright`);
takeLicence('/usr/local/LICENSE');

const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
const named = (key) => new RegExp(`^${key}="?([^"\n]*)`, 'm').exec(system)?.[1] ?? 'unknown';
const node = {
  type: 'application',
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
  licenses: [{ license: { id: 'MIT' } }],
  components: inside(),
};
const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'operating-system', name: named('ID'), version: named('VERSION_ID') } },
  components: [node, ...packages.map(debian)],
};
mkdirSync(`${out}/app`, { recursive: true });
writeFileSync(`${out}/app/base.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`);
