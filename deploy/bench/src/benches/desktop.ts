import { meshCentral } from '../extras.ts';
import type { Bench, Lab, Report } from '../lab.ts';
import { Ssh } from '../peers/ssh.ts';
import { startWebsockify } from '../peers/websockify.ts';
import type { PipeTarget } from '../pipe.ts';
import { ON_THE_WAY, processorTime } from '../probes/processor.ts';
import { relayDown, relayEcho, relayEchoBesideBulk, relayUp } from '../probes/relay.ts';
import { interleave } from '../rounds.ts';
import { openTcp, startRawServer } from '../targets/raw.ts';
import { warrenDesktop } from '../targets/warren.desktop.ts';

/** Factor of the amount for terminals: a relay would finish a hundred megabytes in a fifth of a second. */
const TIMES = 3;

/** Warren, then alternatives. */
async function targets(lab: Lab): Promise<{ all: PipeTarget[]; notes: string[] }> {
  const { hub, deviceId, at } = await lab.shared();
  const server = await startRawServer();
  lab.atEnd(() => server.stop());
  const { result } = await hub.get<{ result: { serial: string } }>(`/api/devices/${deviceId}`);
  await hub.send('PUT', '/tunnel/set_vnc', { id: deviceId, serial: result.serial, port: server.port });
  const notes: string[] = [];
  const all = [warrenDesktop(hub, deviceId, at), ...(await bySsh(lab, server.port, notes))];
  const mesh = await meshCentral(lab, notes);
  return { all: mesh ? [...all, mesh.pipe(server.port)] : all, notes };
}

async function bySsh(lab: Lab, port: number, notes: string[]): Promise<PipeTarget[]> {
  const ssh = await Ssh.start();
  if (!ssh) {
    notes.push('ssh was left out: openssh-server is not installed.');
    return [];
  }
  lab.atEnd(() => ssh.stop());
  const remote = await ssh.reverse(port);
  const plain = { name: 'ssh -R', open: () => openTcp(remote) };
  const websockify = await startWebsockify(ssh, port);
  if (!websockify) {
    notes.push('websockify was left out: it is not installed.');
    return [plain];
  }
  lab.atEnd(() => websockify.stop());
  return [plain, websockify];
}

/** Measures the CPU cost of Warren, which is more meaningful than speed on a busy machine. */
async function cost(lab: Lab, ours: PipeTarget): Promise<Report> {
  const { warren } = await lab.shared();
  const megabytes = lab.choice.megabytes * TIMES;
  const each = async (name: string, work: () => Promise<unknown>) => {
    const seconds = await processorTime(warren, work);
    return { name, values: seconds.map((value) => (value * 1_000) / megabytes) };
  };
  const rows = [await each('down', () => relayDown(ours, megabytes)), await each('up', () => relayUp(ours, megabytes))];
  return {
    title: 'Processor time of a gigabyte on the relay, seconds',
    notes: ['The client is the bench itself.'],
    head: [...ON_THE_WAY, 'client'],
    rows,
    ratio: false,
  };
}

/** Measures the relay of a desktop: raw bytes between a browser and a server on the device. */
export const desktop: Bench = {
  run: async (lab) => {
    const { samples } = lab.choice;
    const megabytes = lab.choice.megabytes * TIMES;
    const { all, notes } = await targets(lab);
    const results = await interleave(all, lab.choice, async (target) => {
      const [down, up] = [await relayDown(target, megabytes), await relayUp(target, megabytes)];
      const alone = await relayEcho(target, samples);
      const beside = await relayEchoBesideBulk(target, samples);
      return { down, up, ...alone, besideMs: beside.p99Ms, rate: beside.rate };
    });
    const rows = results.map(({ target, figures: { down, up, p50Ms, p99Ms, besideMs, rate } }) => ({
      name: target.name,
      values: [down, up, p50Ms, p99Ms, besideMs, rate],
    }));
    const head = [
      `down ${megabytes} MB, MB/s`,
      `up ${megabytes} MB, MB/s`,
      '64 bytes p50, ms',
      '64 bytes p99, ms',
      'p99 beside a stream flat out, ms',
      'that stream, MB/s',
    ];
    const [ours] = all;
    const costs = ours ? [await cost(lab, ours)] : [];
    return [{ title: 'Desktop relay', notes, head, rows }, ...costs];
  },
};
