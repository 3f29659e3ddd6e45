import { meshCentral } from '../extras.ts';
import type { Bench, Lab } from '../lab.ts';
import { Ssh } from '../peers/ssh.ts';
import { load, type Place } from '../probes/load.ts';
import { interleave } from '../rounds.ts';
import { Files, LARGE, SMALL } from '../targets/files.ts';
import { mapPort } from '../targets/mapped.ts';
import { THROUGH_GATEWAY } from '../targets/warren.ts';
import { warrenWeb } from '../targets/web.ts';

const WARM_S = 2;
const MEASURE_S = 5;

type Named = Place & { name: string };

/** Warren, alternatives, and the server itself as the ceiling. */
async function places(lab: Lab, port: number): Promise<{ all: Named[]; notes: string[] }> {
  const { hub, deviceId, at } = await lab.shared();
  const notes: string[] = [];
  const page = await warrenWeb(hub, deviceId, port, at);
  const all: Named[] = [{ name: 'Warren', ...page }];
  if (at !== hub.url) all.push({ name: THROUGH_GATEWAY, ...page, url: `http://127.0.0.1:${new URL(hub.url).port}` });
  const ssh = await Ssh.start();
  if (ssh) {
    lab.atEnd(() => ssh.stop());
    all.push({ name: 'ssh -R', url: `http://127.0.0.1:${await ssh.reverse(port)}`, headers: {} });
  } else notes.push('ssh -R was left out: openssh-server is not installed.');
  const mesh = await meshCentral(lab, notes);
  if (mesh) {
    const mapped = await mapPort(mesh.pipe(port));
    lab.atEnd(() => mapped.stop());
    all.push({ name: 'MeshCentral, web service', ...(await mesh.page(port)) });
    all.push({ name: 'MeshCentral, mapped port', url: `http://127.0.0.1:${mapped.port}`, headers: {} });
    notes.push('A mapped port is for programs: its end is on this machine, without TLS, in the process of the bench.');
  }
  all.push({ name: 'nginx direct', url: `http://127.0.0.1:${port}`, headers: {} });
  return { all, notes };
}

/** Measures a device's web service: small and large responses. */
export const web: Bench = {
  run: async (lab) => {
    const title = 'Web services, 32 connections';
    const files = await Files.start();
    if (!files) return [{ title, notes: ['Left out: nginx is not installed.'], head: [], rows: [] }];
    lab.atEnd(() => files.stop());
    const { all, notes } = await places(lab, files.port);
    const results = await interleave(all, { rounds: lab.choice.rounds, warm: 0 }, async (place) => {
      await load(place, SMALL, WARM_S);
      const { rate, p99Ms } = await load(place, SMALL, MEASURE_S);
      const { megabytes } = await load(place, LARGE, MEASURE_S);
      return { rate, p99Ms, megabytes };
    });
    const rows = results.map(({ target: { name }, figures: { rate, p99Ms, megabytes } }) => ({
      name,
      values: [rate, p99Ms, megabytes],
    }));
    return [{ title, notes, head: ['1 KB, requests/s', '1 KB p99, ms', '1 MB, MB/s'], rows }];
  },
};
