import type { Subject } from './subject.ts';

/** One demand of docs/agent-protocol.md, by name, and what shows whether it is met. */
export interface Check {
  /** A sentence whose subject is the agent. */
  name: string;
  /** Rejects with what came instead of what was expected. */
  run(subject: Subject): Promise<void>;
}

/** Checks that share an agent and run in this order. Groups run in parallel, each with its own hub and agent. */
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
