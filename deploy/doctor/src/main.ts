#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { bundle } from './bundle/command.ts';
import { examine, untilSettled } from './examine.ts';
import { readOptions, UsageError } from './options.ts';
import { exitCode, report } from './report.ts';

const USAGE = `Checks a running Warren, from where it is run: give it the environment of the services.

  HUB_URL                                   the public address (needed)
  DEVICE_DOMAIN, SAML_PROVIDERS             as the gateway has them
  IDENTITY_, TENANCY_, DEVICES_, FLEET_, AUDIT_DATABASE_URL as the migrations have them
  REDIS_URL, NATS_URL                       as a service has them, with their _USER, _PASSWORD and files
  SMTP_URL, MAIL_FROM                       as tenancy has them
  HUB_CA_FILE                               an authority that is not the system's

  --json        an array of {check, status, detail, advice}
  --settle 20   checks again while something fails, for so many seconds: the network of a new pod may need them
  --help        this text

Ends with 0 when nothing failed, 1 when something did, 2 when nothing to check is configured.

  bundle   collects what support needs into a .tar.gz, without secrets:
    --out FILE             where to, - for stdout; by default a name with the time, in this folder
    --since 24h            how old the lines of --logs may be: minutes, hours or days
    --anonymous            pseudonyms for e-mail and IP addresses
    --max-mb 50            the most that it holds, before it is compressed
    --logs FOLDER          log files
    --ops NAME=HOST:PORT   a process whose metrics it reads; may be given several times
    --input -              a tar archive of further files from stdin (bundle.sh, support-bundle.sh)
`;

const MAX_SETTLE_S = 300;

async function check(args: string[]): Promise<void> {
  const { json, settle } = readFlags(args);
  const options = readOptions(process.env);
  const found = await untilSettled(() => examine(options), settle * 1_000);
  process.stdout.write(report(found, json));
  process.exitCode = exitCode(found);
}

function readFlags(args: string[]): { json: boolean; settle: number } {
  const { tokens } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, settle: { type: 'string' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = { json: false, settle: 0 };
  for (const token of tokens) {
    if (token.kind === 'option' && token.name === 'json') flags.json = true;
    else if (token.kind === 'option' && token.name === 'settle') flags.settle = readSeconds(token.value);
    else throw new UsageError(`${args[token.index]}: expected --json, --settle, --help or bundle`);
  }
  return flags;
}

function readSeconds(value = ''): number {
  const seconds = Number(value);
  if (/^\d+$/.test(value) && seconds <= MAX_SETTLE_S) return seconds;
  throw new UsageError(`--settle ${value}: expected seconds from 0 to ${MAX_SETTLE_S}`);
}

const flags = process.argv.slice(2);
try {
  if (flags.includes('--help')) process.stdout.write(USAGE);
  else if (flags[0] === 'bundle') {
    const { env: environment, stdin, stdout, stderr } = process;
    await bundle(flags.slice(1), { environment, stdin, stdout, stderr });
    // A check that timed out may hold a connection.
    process.exit(0);
  } else await check(flags);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
