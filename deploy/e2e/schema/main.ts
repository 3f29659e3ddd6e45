import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { terminalProgress } from '@warren/local/progress';
import { startStack } from '../stack/stack.ts';
import { Hub } from '../support/matrix/hub.ts';
import { sessionCookie } from '../support/matrix/sign-in.ts';
import { person, type Who } from '../support/people.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TOOL = join(ROOT, '.warren/tools/schemathesis');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const RESULTS = join(ROOT, 'test-results');
const SECONDS = Number(process.env['WARREN_SCHEMA_SECONDS'] ?? 120);
const WHO: readonly Who[] = ['owner', 'superAdmin'];

/** Ends the token of the test or never ends itself: streams, and what acts on one's own user. */
const LEFT_OUT = ['streamEvents', 'endSession', 'endOtherSessions'];
/** What is promised of every answer. The others judge how strictly input is refused, which the matrix of operations does better. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** Runs a program whose output is shown. @returns its exit code */
async function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { cwd: RESULTS, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** A device links again after it has renewed its key, so the next call may find it offline: 503, as described. */
const OFFLINE = `[[operations]]
include-name = "POST /api/devices/{id}/rotate_key"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
`;

/** Installs Schemathesis in a virtual environment, unless the pinned versions are there. */
async function install(): Promise<string> {
  const [program, stamp] = [join(TOOL, 'bin/schemathesis'), join(TOOL, 'requirements.txt')];
  const wanted = await readFile(REQUIREMENTS, 'utf8');
  if (existsSync(program) && (await readFile(stamp, 'utf8').catch(() => '')) === wanted) return program;
  if ((await run('python3', ['-m', 'venv', '--clear', TOOL])) !== 0)
    throw new Error('expected python3 with its venv module');
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', REQUIREMENTS];
  if ((await run(join(TOOL, 'bin/pip'), pip)) !== 0) throw new Error('Schemathesis could not be installed');
  await writeFile(stamp, wanted);
  return program;
}

/** Makes a token with all permissions of a person. */
async function tokenOf(hub: Hub, who: Who): Promise<string> {
  const cookie = await sessionCookie(hub.origin, person(who).email);
  const { permissions } = await hub.must<{ permissions: string[] }>(cookie, 'GET', '/auth/saml/getsession');
  const wanted = { name: `Schema ${who}`, permissions, days: 1 };
  return (await hub.must<{ secret: string }>(cookie, 'POST', '/api/profile/tokens', wanted)).secret;
}

/** Has operations that read one device read the one that is there, so that their answers have content. */
async function configure(device: string): Promise<string> {
  const file = join(RESULTS, 'schemathesis.toml');
  const paths = ['', '/presence', '/metrics', '/events', '/terminals', '/round_trip'].map(
    (end) => `/api/devices/{id}${end}`,
  );
  const operations = [...paths, '/api/get-socket-token/{id}', '/socketsio/get_device_info/{id}'];
  const part = (path: string) =>
    `[[operations]]\ninclude-name = "GET ${path}"\nparameters = { "path.id" = "${device}" }\n`;
  await writeFile(file, [...operations.map(part), OFFLINE].join('\n'));
  return file;
}

/** Starts a hub, and holds it to its OpenAPI document. */
async function main(): Promise<number> {
  const program = await install();
  // Rates are for people and programs, not for this one.
  const own = { RATE_LIMITS: 'No', WARREN_SERVICES: 'together' };
  const stack = await startStack(terminalProgress(process.stdout), join(RESULTS, 'schema.logs'), undefined, own);
  const codes: number[] = [];
  try {
    const hub = new Hub(stack.facts.hub);
    const config = await configure(stack.facts.device.id);
    for (const who of WHO) {
      console.log(`\nAs ${who}, ${SECONDS} s`);
      const token = await tokenOf(hub, who);
      const left = LEFT_OUT.flatMap((id) => ['--exclude-operation-id', id]);
      const args = [
        '--config-file',
        config,
        'run',
        `${hub.origin}/api/openapi.json`,
        '-H',
        `Authorization: Bearer ${token}`,
      ];
      const how = ['--checks', CHECKS.join(','), '--max-time', String(SECONDS), '--continue-on-failure', '--no-shrink'];
      codes.push(await run(program, [...args, ...how, ...left, '--warnings', 'off']));
    }
  } finally {
    await stack.stop();
  }
  return Math.max(...codes);
}

process.exitCode = await main();
