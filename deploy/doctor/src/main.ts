#!/usr/bin/env node
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
`;

const flags = process.argv.slice(2);
const unknown = flags.find((flag) => !['--json', '--help'].includes(flag));
if (unknown !== undefined || flags.includes('--help')) {
  (unknown === undefined ? process.stdout : process.stderr).write(
    unknown === undefined ? USAGE : `${unknown}: expected --json or --help\n\n${USAGE}`,
  );
  process.exit(unknown === undefined ? 0 : 2);
}

try {
  const found = await examine(readOptions(process.env));
  process.stdout.write(report(found, flags.includes('--json')));
  process.exitCode = exitCode(found);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
