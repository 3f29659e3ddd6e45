import type { Step } from '../suite/runner.ts';
import type { World } from '../suite/world.ts';

/** Returns the end of the output of `helm test`. @throws Error with it if a line is not ok */
export async function test({ release }: World): Promise<string> {
  const said = await release.helm('test', release.name, '--logs', '--timeout=8m');
  const lines = said.split('\n').filter((line) => /^(ok|not ok) /.test(line));
  if (lines.length === 0) throw new Error(`helm test: expected lines that begin with ok, it said\n${said}`);
  return `${lines.length} checks`;
}

export const install: Step = {
  name: 'install',
  async run({ release, kit }) {
    await release.prepare(kit);
    await release.upgrade();
    return `${(await release.pods()).length} pods of services, restricted`;
  },
};

export const helmTest: Step = { name: 'helm-test', after: ['install'], run: test };

export const device: Step = {
  name: 'device',
  after: ['install'],
  async run(world) {
    await world.device();
    return 'enrolled and connected by the ingress';
  },
};
