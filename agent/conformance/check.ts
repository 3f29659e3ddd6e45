import type { Subject } from './subject.ts';

/** One demand of docs/agent-protocol.md, by name, and what shows whether it is met. */
export interface Check {
  /** A sentence whose subject is the agent. */
  name: string;
  /** Rejects with what came instead of what was expected. */
  run(subject: Subject): Promise<void>;
}

/** Checks that share an agent, in their order. Groups run side by side, each with a hub and an agent of its own. */
export interface Group {
  name: string;
  checks: Check[];
}

/** How a check ended. */
export interface Outcome {
  group: string;
  name: string;
  /** What came instead of what was expected; undefined when the check passed. */
  problem: string | undefined;
  milliseconds: number;
}
