import type { RecordedEvent, Size } from '@warren/rules/recordings/frames';
import { PromptMarks } from './prompt-marks.ts';

/** Something on the timeline that people look for. */
export type Mark = { atMs: number } & (
  | { kind: 'command'; text: string; exit: number | null; isDone: boolean }
  | { kind: 'gap'; bytes: number; why: string }
  | { kind: 'resize'; cols: number; rows: number }
  | { kind: 'joined' | 'left'; person: string }
);

/** Marks that are kept; what is beyond is counted only. */
const MOST = 5_000;
/** Changes of the size that follow one another so soon are one. */
const SAME_RESIZE_MS = 1_000;

/** Collects the marks of a recording from its events, which are given once and in order. */
export class MarkCollector {
  readonly marks: Mark[] = [];
  /** Marks beyond the most that are kept. */
  left = 0;
  private readonly prompts = new PromptMarks();

  /** @param size at the start of the session */
  constructor(private size: Size) {}

  add(events: readonly RecordedEvent[]): void {
    for (const event of events) this.addOne(event);
  }

  private addOne(event: RecordedEvent): void {
    const { atMs } = event;
    switch (event.kind) {
      case 'output':
        for (const mark of this.prompts.read(event.bytes)) {
          if (mark.kind === 'runs') this.keep({ atMs, kind: 'command', text: mark.text, exit: null, isDone: false });
          else this.finish(mark.exit);
        }
        return;
      case 'resize':
        return this.resize({ atMs, kind: 'resize', cols: event.cols, rows: event.rows });
      case 'gap':
        return this.keep({ atMs, kind: 'gap', bytes: event.bytes, why: event.why });
      case 'joined':
      case 'left':
        return this.keep({ atMs, kind: event.kind, person: event.person });
      default:
    }
  }

  private finish(exit: number | null): void {
    const index = this.marks.findLastIndex(({ kind }) => kind === 'command');
    const command = this.marks[index];
    if (command?.kind === 'command' && !command.isDone) this.marks[index] = { ...command, exit, isDone: true };
  }

  /** A window that is dragged to its size is one mark. */
  private resize(mark: Mark & { kind: 'resize' }): void {
    const { cols, rows } = mark;
    if (cols === this.size.cols && rows === this.size.rows) return;
    this.size = { cols, rows };
    const last = this.marks.at(-1);
    if (last?.kind === 'resize' && mark.atMs - last.atMs < SAME_RESIZE_MS) this.marks.pop();
    this.keep(mark);
  }

  private keep(mark: Mark): void {
    if (this.marks.length < MOST) this.marks.push(mark);
    else this.left += 1;
  }
}
