import { describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { calls } from '../conformance/checks/calls.ts';
import { connections } from '../conformance/checks/connections.ts';
import { dialling } from '../conformance/checks/dialling.ts';
import { link } from '../conformance/checks/link.ts';
import { terminals } from '../conformance/checks/terminals.ts';
import { conform } from '../conformance/run.ts';

jest.setTimeout(300_000);

const node = [process.execPath, '--disable-warning=ExperimentalWarning'];
const problems = (outcomes: { name: string; problem: string | undefined }[]) =>
  outcomes.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));

describe('the conformance test', () => {
  it('passes this agent, and finds every fault of one that is wrong on purpose', async () => {
    const agent = [...node, join(import.meta.dirname, '../src/main.ts')];
    const wrong = [...node, join(import.meta.dirname, 'wrong-agent.ts')];
    const [good, bad] = await Promise.all([
      conform(agent),
      conform(wrong, () => {}, [dialling, terminals, link, connections, calls]),
    ]);
    expect(problems(good)).toEqual([]);
    expect(good.length).toBeGreaterThanOrEqual(40);
    expect(problems(bad).sort()).toEqual([
      expect.stringMatching(/^changes its key .*: the number of changes that were proven is 0, expected 1/),
      expect.stringMatching(/^dials again soon .*: both dials have the same jti/),
      expect.stringMatching(/^dials with either key .*: the code is "no error"/),
      expect.stringMatching(/^has another instance id .*: instance is the same/),
      expect.stringMatching(/^leads nowhere but to its own device: statuses is .*200/),
      expect.stringMatching(/^learns the time .*: iat is -?\d+ s ahead/),
      expect.stringMatching(/^proves at each dial .*: the token lives 3600 s; at most 60/),
      expect.stringMatching(/^reports why the reboot failed: the code is "no error"/),
      expect.stringMatching(/^resumes a terminal .*: the offset that it resumes from is 0, expected \d+/),
      expect.stringMatching(/^says goodbye .*: no GOAWAY came/),
      expect.stringMatching(
        /^stops a program whose output is unacknowledged.*: bytes without an ack is \d+, expected 262144/,
      ),
    ]);
    expect(bad.length).toBeGreaterThan(25);
  });
});
