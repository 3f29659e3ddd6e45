import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type { RecordedEvent } from '@warren/rules/recordings/frames';
import { fakeCanvas, pixelsOf } from '../../../../testing/canvas.ts';
import { FakeRecording } from '../../../../testing/recordings.ts';
import * as rfb from '../../../../testing/rfb.ts';
import type { PlayerState } from '../player-state.ts';
import { Player } from '../player.ts';
import { DesktopStage, type NotDrawn } from './desktop-stage.ts';
import { NoVncPicture } from './picture.ts';

const SECONDS = 40;

let host: HTMLElement;
let stage: DesktopStage;
let player: Player;
let recording: FakeRecording;
let reasons: (NotDrawn | null)[] = [];
let states: PlayerState[] = [];
let now = 0;
/** The desktop at each second. */
let pictures: string[] = [];

beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  fakeCanvas();
  reasons = [];
  states = [];
  now = 0;
  document.body.innerHTML = '<div id="host"></div>';
  host = document.querySelector('#host')!;
  recording = await recorded();
});

afterEach(() => {
  player?.dispose();
  stage?.dispose();
  jest.restoreAllMocks();
});

/** A sign-in by password, then a change each second, with the bell and a copied text between. Four events make a chunk. */
async function recorded(): Promise<FakeRecording> {
  const session = new rfb.RfbSession();
  const events = [rfb.sent(0, [...rfb.BY_PASSWORD, ...rfb.SERVER_INIT])];
  pictures = [session.pixels];
  for (let second = 1; second <= SECONDS; second++) {
    const place = { x: second % 9, y: second % 7, width: 5, height: 4 };
    const colour = [second * 6, 255 - second, second % 3] as const;
    const update = await session.update({ ...place, colour }, second % 2 === 0);
    pictures.push(session.pixels);
    const more = second % 5 === 0 ? [...rfb.BELL, ...rfb.CLIPBOARD] : [];
    events.push(rfb.sent(second * 1_000, [...update, ...more]));
  }
  return new FakeRecording(Array.from({ length: 11 }, (_, at) => events.slice(at * 4, at * 4 + 4)));
}

async function open(of: FakeRecording, atMs = 0): Promise<void> {
  stage = new DesktopStage(
    (onStop) => new NoVncPicture(host, onStop),
    (why) => reasons.push(why),
  );
  player = new Player({
    source: of,
    stage,
    isLive: false,
    onState: (state) => states.push(state),
    now: () => (now += 20),
  });
  await player.open(atMs, false);
}

const canvases = () => host.querySelectorAll('canvas');
const shownCanvas = () => {
  expect(canvases()).toHaveLength(1);
  expect(host.querySelector('[data-behind]')).toBeNull();
  return canvases()[0]!;
};
const shown = () => pixelsOf(shownCanvas());
const why = () => reasons.at(-1);

it('shows the same after seeks back and forth as after playing through', async () => {
  await open(recording);
  for (const second of [7, 40, 12, 13, 1, 31, 30]) {
    await player.seek(second * 1_000);
    expect(shown()).toEqual(pictures[second]);
  }
  expect(why()).toBeNull();
  expect(player.state.status).toBe('paused');
});

it('begins at a moment of the address, without a snapshot', async () => {
  const asked = jest.spyOn(recording, 'snapshot');
  await open(recording, 25_400);
  expect(shown()).toEqual(pictures[25]);
  expect(asked).not.toHaveBeenCalled();
});

it('draws on from what is shown, and from the first byte for an earlier moment', async () => {
  await open(recording, 20_000);
  recording.read.length = 0;
  await player.seek(24_000);
  const layer = host.firstElementChild;
  await player.seek(30_000);
  expect(host.firstElementChild).toBe(layer);
  expect(recording.read).not.toContain(0);
  await player.seek(10_000);
  expect(host.firstElementChild).not.toBe(layer);
});

it('keeps the former picture until the new one is as far', async () => {
  await open(recording, 30_000);
  await stage.begin();
  expect(canvases()).toHaveLength(2);
  await stage.begin();
  expect(canvases()).toHaveLength(2);
  expect(pixelsOf(canvases()[0]!)).toEqual(pictures[30]);
  expect(canvases()[1]!.closest('[data-behind]')).not.toBeNull();
  await stage.finish();
  expect(pixelsOf(shownCanvas())).not.toEqual(pictures[30]);
});

it('says how far a long way is drawn', async () => {
  await open(recording, 40_000);
  const shares = states.map(({ progress }) => progress ?? 0).filter((share) => share > 0);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
  expect(player.state.status).toBe('ended');
});

it('shows the last of several seeks alone', async () => {
  await open(recording);
  await Promise.all([40, 3, 28, 14].map((second) => player.seek(second * 1_000)));
  await waitFor(() => expect(player.state.status).toBe('paused'));
  expect(shown()).toEqual(pictures[14]);
});

it('draws a session whose bytes were split anywhere', async () => {
  const whole = recording.chunks.flat().flatMap((event) => (event.kind === 'output' ? [...event.bytes] : []));
  const single = whole.map((byte, at) => rfb.sent(at, [byte]));
  await open(new FakeRecording([single]), single.length);
  expect(shown()).toEqual(pictures[SECONDS]);
  const at = rfb.BY_PASSWORD.length + rfb.SERVER_INIT.length;
  for (const cut of [1, 12, 13, 15, 31, at - 1, at, at + 5]) {
    stage.dispose();
    const parts = [rfb.sent(0, whole.slice(0, cut)), rfb.sent(1, whole.slice(cut))];
    await open(new FakeRecording([parts]), 1);
    expect(shown()).toEqual(pictures[SECONDS]);
  }
});

it('takes no input, and touches no clipboard', async () => {
  const copied = jest.fn();
  Object.assign(navigator, { clipboard: { writeText: copied, write: copied } });
  await open(recording, 40_000);
  expect(shown()).toEqual(pictures[40]);
  expect(host.firstElementChild).toHaveProperty('inert', true);
  expect(document.activeElement).toBe(document.body);
  expect(copied).not.toHaveBeenCalled();
});

const u16 = (value: number) => [value >> 8, value & 0xff];
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const first = async () => {
  const session = new rfb.RfbSession();
  const update = await session.update({ x: 1, y: 1, width: 3, height: 3, colour: [9, 8, 7] }, false);
  return { bytes: [...rfb.RESULT_OK, ...rfb.SERVER_INIT, ...update], pixels: session.pixels };
};

it.each([
  ['without a sign-in', [1, 1]],
  ['by RSA-AES of the sign-in alone', [2, 6, 2, 0, 0, 4, 0, ...zeros(256), ...u16(256), ...zeros(256 + 38 + 19)]],
  ['by the sign-in of Apple', [2, 30, 2, 0, 2, ...u16(128), ...zeros(256)]],
  ['by VeNCrypt with a password', [1, 19, 0, 2, 0, 1, 0, 0, 1, 0]],
])('shows a session that was opened %s', async (_name, signIn) => {
  const { bytes, pixels } = await first();
  await open(new FakeRecording([[rfb.sent(0, [...rfb.VERSION, ...signIn, ...bytes])]]));
  expect(why()).toBeNull();
  expect(shown()).toEqual(pixels);
});

it.each<[NotDrawn['kind'], RecordedEvent[]]>([
  ['encrypted', [rfb.sent(0, [...rfb.VERSION, 2, 5, 129, ...zeros(900)])]],
  ['refused', [rfb.sent(0, [...rfb.VERSION, 1, 1, 0, 0, 0, 1, 0, 0, 0, 2, 110, 111])]],
  ['undrawable', [rfb.sent(0, [...rfb.VERSION, 1, 1, ...rfb.RESULT_OK, ...rfb.SERVER_INIT, 99])]],
  ['undrawable', [rfb.sent(0, [...rfb.VERSION, 1, 6, 255, 255, 255, 255, ...zeros(900)])]],
  [
    'undrawable',
    [
      rfb.sent(
        0,
        Array.from({ length: 40 }, () => 88),
      ),
    ],
  ],
])('says why nothing is drawn: %s', async (kind, events) => {
  await open(new FakeRecording([[...events, rfb.sent(100, zeros(90_000))]]), 100);
  expect(why()).toMatchObject({ kind });
  expect(player.state.status).toBe('ended');
});

it('keeps the picture from before missing output, and draws again from the start', async () => {
  const { chunks } = recording;
  const gapped = [
    ...chunks.slice(0, 5),
    [{ atMs: 20_500, kind: 'gap' as const, bytes: 7, why: '' }],
    ...chunks.slice(5),
  ];
  await open(new FakeRecording(gapped), 30_000);
  expect(why()).toEqual({ kind: 'gap', bytes: 7 });
  expect(shown()).toEqual(pictures[19]);
  await player.seek(9_000);
  expect(why()).toBeNull();
  expect(shown()).toEqual(pictures[9]);
});
