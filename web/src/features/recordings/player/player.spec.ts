import { beforeEach, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { FakeRecording, TextScreen, output } from '../../../testing/recordings.ts';
import type { PlayerState } from './player-state.ts';
import { Player } from './player.ts';
import type { Stage } from './stage.ts';
import { TerminalStage } from './terminal/terminal-stage.ts';

const SIZE = { cols: 80, rows: 24 };
const STEP_MS = 50;

let recording: FakeRecording;
let screen: TextScreen;
let player: Player;
let now = 0;
let states: PlayerState[] = [];
/** Frames that may still be drawn. */
let frames = 0;
let wanted: (() => void)[] = [];

const typed = () => [
  [output(0, 'a'), output(500, 'b')],
  [output(1_000, 'c'), { atMs: 1_500, kind: 'resize' as const, cols: 100, rows: 30 }, output(1_600, 'd')],
  [output(60_000, 'e'), output(61_000, 'f')],
];

function create(isLive = false, stage: Stage = new TerminalStage(screen, SIZE)): Player {
  player = new Player({
    source: recording,
    stage,
    isLive,
    onState: (state) => states.push(state),
    now: () => now,
    frame: () =>
      new Promise((resolve) => {
        wanted.push(resolve);
        draw();
      }),
  });
  return player;
}

function draw(): void {
  if (frames === 0) return;
  frames -= 1;
  now += STEP_MS;
  for (const resolve of wanted.splice(0)) resolve();
}

/** Passes time, a frame at a time. */
async function pass(count: number): Promise<void> {
  frames = count;
  draw();
  await waitFor(() => expect(frames === 0 || player.state.status !== 'playing').toBe(true));
  await waitFor(() => expect(wanted.length > 0 || player.state.status !== 'playing').toBe(true));
  frames = 0;
}

beforeEach(() => {
  now = 0;
  states = [];
  frames = 0;
  wanted = [];
  recording = new FakeRecording(typed());
  screen = new TextScreen();
});

it('draws events when their time comes, and says how far it is', async () => {
  create();
  await player.open(0, true);
  await waitFor(() => expect(screen.text).toBe('a'));
  await pass(9);
  expect(screen.text).toBe('a');
  await pass(2);
  expect(screen.text).toBe('ab');
  await pass(30);
  expect(screen).toMatchObject({ text: 'abcd', size: { cols: 100, rows: 30 } });
  expect(player.state).toMatchObject({ status: 'playing', durationMs: 61_000 });
});

it('reads the first chunk beside the index', async () => {
  const order: string[] = [];
  const { index, chunk } = recording;
  recording.index = (from) => {
    order.push('index');
    return new Promise((resolve) => setTimeout(resolve, 5)).then(() => index(from));
  };
  recording.chunk = (sequence) => {
    order.push(`chunk ${sequence}`);
    return chunk(sequence);
  };
  create();
  await player.open(0, false);
  expect(order.slice(0, 2).toSorted()).toEqual(['chunk 0', 'index']);
  expect(screen.text).toBe('a');
});

it('leaves out a pause, and can play it in full', async () => {
  create();
  await player.open(1_600, true);
  await pass(20);
  expect(player.state.positionMs).toBeGreaterThan(59_000);
  player.skipIdle(false);
  await player.seek(1_600);
  await pass(20);
  expect(player.state.positionMs).toBeLessThan(4_000);
});

it('ends at the end, and begins again from the start', async () => {
  create();
  await player.open(60_900, true);
  await pass(10);
  expect(player.state).toMatchObject({ status: 'ended', positionMs: 61_000 });
  expect(screen.text).toBe('abcdef');
  player.toggle();
  await waitFor(() => expect(player.state.status).toBe('playing'));
  expect(screen.text).toBe('a');
});

it('seeks back and forth, and shows the same as played through', async () => {
  create();
  await player.open(0, false);
  const shown: string[] = [];
  for (const at of [60_500, 1_200, 0, 700, 61_000, 1_550]) {
    await player.seek(at);
    shown.push(screen.text);
  }
  expect(shown).toEqual(['abcde', 'abc', 'a', 'ab', 'abcdef', 'abc']);
  expect(screen.size).toEqual({ cols: 100, rows: 30 });
  expect(player.state.status).toBe('paused');
});

it('begins with the nearest snapshot, also inside of an output', async () => {
  recording.chunks[2] = [output(60_000, 'eEE'), output(61_000, 'f')];
  recording.snapshots = [{ atMs: 60_000, offset: 5, sequence: 2, size: { cols: 90, rows: 20 }, data: '<abcde>' }];
  create();
  await player.open(60_500, false);
  expect(screen).toMatchObject({ text: '<abcde>EE', size: { cols: 90, rows: 20 } });
  expect(recording.read).not.toContain(0);
  await player.seek(61_000);
  expect(screen.text).toBe('<abcde>EEf');
});

it('shows the last of several seeks alone', async () => {
  create();
  await player.open(0, false);
  await Promise.all([player.seek(61_000), player.seek(700), player.seek(1_200)]);
  expect(screen.text).toBe('abc');
  expect(player.state).toMatchObject({ status: 'paused', positionMs: 1_200 });
});

it('steps from event to event', async () => {
  create();
  await player.open(500, true);
  await player.step(1);
  expect(player.state).toMatchObject({ status: 'paused', positionMs: 1_000 });
  await player.step(1);
  await player.step(1);
  expect(screen.text).toBe('abcd');
  await player.step(-1);
  await player.step(-1);
  expect(screen.text).toBe('abc');
  await player.step(-1);
  expect(player.state.positionMs).toBe(500);
});

it('draws a snapshot after missing output, and none of what is drawn', async () => {
  const size = SIZE;
  recording.chunks[1] = [
    { atMs: 1_000, kind: 'snapshot', offset: 2, size, data: 'same' },
    { atMs: 1_100, kind: 'gap', bytes: 10, why: 'nothing recorded' },
    { atMs: 1_100, kind: 'snapshot', offset: 12, size, data: 'later' },
    output(1_200, '!'),
  ];
  create();
  await player.open(0, false);
  await player.seek(1_050);
  expect(screen.text).toBe('ab');
  await player.seek(1_300);
  expect(screen.text).toBe('later!');
});

it('plays faster and slower', async () => {
  create();
  await player.open(0, true);
  player.changeSpeed(1);
  player.setSpeed(16);
  player.changeSpeed(1);
  expect(player.state.speed).toBe(16);
  await pass(2);
  expect(screen.text).toBe('abcd');
  player.setSpeed(0.5);
  expect(player.state.speed).toBe(0.5);
});

it('lets the clock wait for a slow picture', async () => {
  const drawn: number[] = [];
  create(false, {
    hasSnapshots: false,
    begin: () => Promise.resolve(),
    draw: ({ atMs }) => {
      drawn.push(atMs);
      now += 3_000;
      return Promise.resolve();
    },
    finish: () => Promise.resolve(),
  });
  await player.open(0, true);
  await pass(12);
  expect(drawn).toEqual([0, 500]);
  expect(player.state.positionMs).toBeLessThan(1_000);
});

it('says what failed, and tries again', async () => {
  create();
  recording.broken = new Error('gone');
  await player.open(0, true);
  expect(player.state).toMatchObject({ status: 'failed', error: recording.broken });
  recording.broken = null;
  player.toggle();
  await waitFor(() => expect(player.state.status).toBe('playing'));
  expect(screen.text).toBe('a');
});

it('follows a live session, and waits at its end', async () => {
  create(true);
  await player.open(0, false);
  player.follow();
  await waitFor(() => expect(player.state.status).toBe('waiting'));
  expect(screen.text).toBe('abcdef');
  recording.chunks.push([output(70_000, 'g')]);
  await player.extend(true);
  await waitFor(() => expect(screen.text).toBe('abcdefg'));
  await waitFor(() => expect(player.state).toMatchObject({ status: 'waiting', follows: true, durationMs: 70_000 }));
  await player.extend(false);
  expect(player.state.status).toBe('ended');
});

it('keeps still while it is paused, and while what comes next is read', async () => {
  create();
  await player.open(0, true);
  await pass(2);
  player.toggle();
  now += 60_000;
  expect(player.state).toMatchObject({ status: 'paused', plays: false });
  player.toggle();
  await pass(1);
  expect(player.state.positionMs).toBeLessThan(500);
});
