import { operatorEmail } from '@warren/local/people';
import { COMMON, fillTexts, rareTexts, TEXTS } from '../data/texts.ts';
import { fillTables } from '../data/fill.ts';
import { tenancyData } from '../data/tenancy.ts';
import { sessionCookie, signIn, type Hub } from '../hub.ts';
import type { Bench, Lab, Product, Report } from '../lab.ts';
import { PlayerPage } from '../probes/player.ts';
import { newestRecording, setRecordingPolicy, type RecordingRow } from '../probes/recordings.ts';
import { percentile } from '../stats.ts';
import type { Row } from '../table.ts';
import { quiet } from '../terminal.ts';
import { warren } from '../targets/warren.ts';

/** What the recorded terminals run: 1 MB in 10 s, and 2 GB as fast as it is recorded. */
const COMMANDS = {
  'a recording of 1 MB': { bytes: 1_000_000, command: 'for n in $(seq 20); do seq 1000000 1006300; sleep 0.5; done' },
  'a recording of 2 GB': { bytes: 2_000_000_000, command: 'seq 1 1000000000 | head -c 2000000000' },
};
const OPENINGS = 20;
const SEEKS = 40;
const RARE = 60;
const WARM_UP = 3;
const [OPEN_MS, SEEK_MS, SEARCH_MS] = [500, 1_000, 300];
/** A tenth of the data set's events and users, and the first of two accounts with recordings. */
const ACCOUNT = '01990000-0000-7000-8001-000000000001';

/** Records a terminal that prints so many bytes. */
async function record({ hub, deviceId, at }: Product, command: string, bytes: number): Promise<RecordingRow> {
  const terminal = await warren(hub, deviceId, at).open();
  await quiet(terminal);
  await new Promise<void>((resolve) => {
    let got = 0;
    const undo = terminal.onOutput((output) => {
      got += output.length;
      if (got < bytes) return;
      undo();
      resolve();
    });
    terminal.write(`stty sane -echo; ${command}\n`);
  });
  await terminal.close();
  return newestRecording(hub);
}

function row(name: string, times: readonly number[], most: number): Row {
  const [p50, p95, longest] = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
  return { name, values: [p50, p95, longest, most] };
}

/** Measures opening and seeking in Chromium, of a short and of a long recording. */
async function play(lab: Lab, product: Product): Promise<Report> {
  await setRecordingPolicy(product.hub, 'required');
  const player = await PlayerPage.start(product.hub.url, await sessionCookie(product.hub.url, operatorEmail));
  lab.atEnd(() => player.close());
  const rows: Row[] = [];
  for (const [name, { command, bytes }] of Object.entries(COMMANDS)) {
    const { id, durationMs } = await record(product, command, bytes);
    const openings: number[] = [];
    for (let call = -WARM_UP; call < OPENINGS; call++) {
      const took = await player.open(id, Math.floor((durationMs / 1_000) * (call % 2 === 0 ? 0.25 : 0.75)));
      if (call >= 0) openings.push(took);
    }
    rows.push(row(`open ${name}`, openings, OPEN_MS));
    const seeks: number[] = [];
    // Far from each other, back and forth.
    for (let call = 0; call < SEEKS; call++) seeks.push(await player.seek(0.02 + ((call * 37) % 97) / 100));
    rows.push(row(`moment of ${name}`, seeks, SEEK_MS));
  }
  const notes = [
    'In Chromium, from the navigation or the press of the mouse to the frame that shows the screen of that time. Lines of one number each are the hardest output to draw.',
  ];
  return {
    title: 'Recordings in the player',
    notes,
    head: ['p50, ms', 'p95, ms', 'longest, ms', 'limit, ms'],
    rows,
    ratio: false,
  };
}

/** Searches at random among the texts. @returns milliseconds of each */
async function searches(hub: Hub, texts: readonly string[], query = ''): Promise<number[]> {
  const times: number[] = [];
  for (const [at, text] of [...texts.slice(0, WARM_UP), ...texts].entries()) {
    const begun = performance.now();
    await hub.get(`/api/recordings/search?search=${encodeURIComponent(text)}${query}`);
    if (at >= WARM_UP) times.push(performance.now() - begun);
  }
  return times;
}

/** Measures searches of 10,000 hours over REST, in a separate database that is kept for the next run. */
async function search(lab: Lab): Promise<Report> {
  const product = await lab.own('replay', { agent: false });
  await fillTables(product.databases['tenancy'] ?? '', tenancyData);
  const url = product.databases['audit'] ?? '';
  await fillTexts(url);
  const hub = await signIn(product.urls.hub, operatorEmail);
  const rare = await rareTexts(url, RARE);
  const kinds: [string, string[]][] = [
    ['a rare number', rare],
    ['a frequent word', [...COMMON]],
    ['a frequent word and a rare one', COMMON.map((word, at) => `${word} ${rare[at]}`)],
    ['in no line', ['zzz', 'nginx zz', 'pump 99999999999']],
  ];
  const rows: Row[] = [];
  for (const [name, texts] of kinds) {
    rows.push(row(name, await searches(hub, texts, `&account=${ACCOUNT}`), SEARCH_MS));
    rows.push(row(`${name}, all accounts`, await searches(hub, texts), SEARCH_MS));
  }
  const title = `Search in recordings over REST: ${TEXTS.accounts} accounts of ${TEXTS.hours.toLocaleString('en')} hours`;
  return { title, notes: [], head: ['p50, ms', 'p95, ms', 'longest, ms', 'limit, ms'], rows, ratio: false };
}

/** Measures how soon a recording is shown, a moment of it, and what appeared on any screen. */
export const replay: Bench = {
  run: async (lab) => {
    const played = await play(lab, await lab.shared());
    await lab.end();
    return [played, await search(lab)];
  },
};
