import { decodeEvents, offsetAfter } from '@warren/rules/recordings/frames';
import { parentPort } from 'node:worker_threads';
import { MOST_LINES, type Drawn, type ScreenAnswer, type ScreenJob } from './screen.jobs.ts';
import { Screen } from './screen.ts';

const screens = new Map<string, Screen>();

async function run(job: ScreenJob): Promise<Drawn> {
  if (job.kind === 'open') {
    screens.get(job.screen)?.dispose();
    const screen = new Screen(job.size, job.wanted);
    screens.set(job.screen, screen);
    if (job.from) await screen.restore(job.from);
    screen.lines.length = 0;
    return { lines: [], snapshots: [] };
  }
  const screen = screens.get(job.screen);
  if (!screen) throw new Error('no such screen');
  if (job.kind === 'draw') await draw(screen, job);
  if (job.kind === 'end') await screen.look(true);
  const drawn = { lines: screen.lines.splice(0).slice(0, MOST_LINES), snapshots: screen.snapshots.splice(0) };
  if (job.kind === 'end' || job.kind === 'drop') {
    screen.dispose();
    screens.delete(job.screen);
  }
  return job.kind === 'draw' && job.quiet ? { lines: [], snapshots: [] } : drawn;
}

async function draw(screen: Screen, job: ScreenJob & { kind: 'draw' }): Promise<void> {
  let { offset } = job;
  for (const event of decodeEvents(job.events, job.fromMs)) {
    const after = offsetAfter(offset, event);
    // A snapshot stands for what comes before it.
    if (after > job.skipTo || (after === job.skipTo && offset === after)) await screen.apply(event);
    offset = after;
  }
  await screen.look();
}

async function answer(job: ScreenJob): Promise<ScreenAnswer> {
  try {
    return { id: job.id, drawn: await run(job) };
  } catch (error) {
    return { id: job.id, error: error instanceof Error ? error.message : String(error) };
  }
}

let tail = Promise.resolve();
parentPort?.on('message', (job: ScreenJob) => {
  tail = tail.then(async () => parentPort?.postMessage(await answer(job)));
});
