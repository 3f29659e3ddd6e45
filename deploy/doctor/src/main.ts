#!/usr/bin/env node
import { bundle } from './bundle/command.ts';
import { examine } from './examine.ts';
import { readOptions, UsageError } from './options.ts';
import { exitCode, report } from './report.ts';

const USAGE = `Checks a running Warren, from where it is run: give it the environment of the services.

  HUB_URL                                   the public address (needed)
  DEVICE_DOMAIN, SAML_PROVIDERS             as the gateway has them
  IDENTITY_, TENANCY_, DEVICES_DATABASE_URL as the migrations have them
  REDIS_URL, NATS_URL                       as a service has them, with their _USER, _PASSWORD and files
  SMTP_URL, MAIL_FROM                       as tenancy has them
  HUB_CA_FILE                               an authority that is not the system's

  --json   an array of {check, status, detail, advice}
  --help   this text

Ends with 0 when nothing failed, 1 when something did, 2 when it was not told what to check.

  bundle   collects what support needs into a .tar.gz, without secrets:
    --out FILE             where to, - for stdout; by default a name with the time, in this folder
    --since 24h            how old the lines of --logs may be: minutes, hours or days
    --anonymous            pseudonyms for e-mail and IP addresses
    --max-mb 50            the most that it holds, before it is compressed
    --logs FOLDER          log files
    --ops NAME=HOST:PORT   a process whose metrics it reads; may be given several times
    --input -              a tar archive of further files from stdin (bundle.sh, support-bundle.sh)
`;

async function check(flags: string[]): Promise<void> {
  const unknown = flags.find((flag) => flag !== '--json');
  if (unknown !== undefined) throw new UsageError(`${unknown}: expected --json, --help or bundle`);
  const found = await examine(readOptions(process.env));
  process.stdout.write(report(found, flags.includes('--json')));
  process.exitCode = exitCode(found);
}

const flags = process.argv.slice(2);
try {
  if (flags.includes('--help')) process.stdout.write(USAGE);
  else if (flags[0] === 'bundle') {
    const { env: environment, stdin, stdout, stderr } = process;
    await bundle(flags.slice(1), { environment, stdin, stdout, stderr });
    // A check that was given up may hold a connection.
    process.exit(0);
  } else await check(flags);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
