import { parseArgs } from 'node:util';
import { enrolSimulated } from '../data/fleet.ts';

const MAX_DEVICES = 100_000;
const MIN_SECRET = 24;

/** `node deploy/bench/src/simulator/enrol.main.ts --account <id> --count <n>`: enrols simulated devices at a hub elsewhere. */
const { values } = parseArgs({ options: { account: { type: 'string' }, count: { type: 'string' } } });
const { DATABASE_URL: url, SIMULATION_SECRET: secret = '' } = process.env;
const { account } = values;
const count = Number(values.count);
if (!url) throw new Error('DATABASE_URL is missing: as the devices service has it.');
if (secret.length < MIN_SECRET) throw new Error(`SIMULATION_SECRET: expected ${MIN_SECRET} characters or more.`);
if (!account) throw new Error('--account is missing: the id of an account.');
if (!Number.isInteger(count) || count < 1 || count > MAX_DEVICES)
  throw new Error(`--count is "${values.count}", expected a whole number from 1 to ${MAX_DEVICES}.`);
await enrolSimulated(url, { account, count, secret });
console.log(`${count} simulated devices are enrolled.`);
