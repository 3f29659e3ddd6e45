import type { Check, Group, Outcome } from './check.ts';
import { calls } from './checks/calls.ts';
import { connections } from './checks/connections.ts';
import { dialling } from './checks/dialling.ts';
import { enrolment } from './checks/enrolment.ts';
import { followers } from './checks/followers.ts';
import { link } from './checks/link.ts';
import { recorders } from './checks/recorders.ts';
import { refusals, silence } from './checks/refusals.ts';
import { terminals } from './checks/terminals.ts';
import { typing } from './checks/typing.ts';
import { Subject } from './subject.ts';

/** All demands on an agent. The ones that take long begin first. */
const GROUPS: Group[] = [
  silence,
  refusals,
  dialling,
  terminals,
  followers,
  recorders,
  typing,
  link,
  connections,
  calls,
  enrolment,
];
/** Groups side by side: each is a process of the agent, and much of their time is waiting. */
const AT_ONCE = 4;
const CHECK_MS = 120_000;

/**
 * Holds an agent to docs/agent-protocol.md.
 * @param command program and arguments, to which `enrol` or `run` is added
 * @param report called with each outcome as soon as it is known
 * @param groups which demands; all of them unless said
 */
export async function conform(
  command: string[],
  report: (outcome: Outcome) => void = () => {},
  groups: Group[] = GROUPS,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...groups];
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      for await (const outcome of runGroup(command, group)) {
        outcomes.push(outcome);
        report(outcome);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

async function* runGroup(command: string[], group: Group): AsyncGenerator<Outcome> {
  const subject = await Subject.make(command);
  try {
    for (const check of group.checks) {
      const since = performance.now();
      const problem = await problemOf(check, subject);
      yield { group: group.name, name: check.name, problem, milliseconds: Math.round(performance.now() - since) };
    }
  } finally {
    await subject.end();
  }
}

async function problemOf(check: Check, subject: Subject): Promise<string | undefined> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Error(`not done in ${CHECK_MS} ms`)), CHECK_MS);
  });
  try {
    await Promise.race([check.run(subject), tooLate]);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 500);
  } finally {
    clearTimeout(late);
  }
}
