import { createHash } from 'node:crypto';
import type { SurvivingTerminal } from './surviving.ts';

const LINE = 128;
const LINES = 8_192;
/** Bytes that the program prints at a time. */
const BLOCK = LINE * LINES;
/** With what the block itself takes, ten of them a second. */
const PAUSE_SECONDS = 0.08;
const BEGIN = 'go1\n';
const END = 'end2\n';

/** Text whose parts fill the lines, as the program makes it too. */
const FILL = Array.from({ length: 30 }, (_, index) =>
  String((index * index * 7_919) % 1_000_000).padStart(6, '0'),
).join('');
const PROGRAM = [
  'for(k=0;k<30;k++)s=s sprintf("%06d",(k*k*7919)%1000000)',
  `for(b=0;b<BLOCKS;b++){for(i=b*${LINES};i<(b+1)*${LINES};i++)printf "%010d %s\\n",i,substr(s,i%64+1,${LINE - 12})`,
  `fflush();system("sleep ${PAUSE_SECONDS}")}`,
].join(';');

/** The lines of a block. */
function blockOf(block: number): Buffer {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const index = block * LINES + line;
    return `${String(index).padStart(10, '0')} ${FILL.slice(index % 64, (index % 64) + LINE - 12)}\n`;
  });
  return Buffer.from(lines.join(''), 'latin1');
}

/** A program on the device that prints up to 10 MB a second. Its output is compared as it comes, and not kept. */
export class FastOutput {
  private readonly terminal: SurvivingTerminal;
  private readonly blocks: number;
  private readonly hash = createHash('sha256');
  /** Bytes that came before those of the program, and after them. */
  private around = '';
  private hasBegun = false;
  private block = 0;
  private expected: Buffer = Buffer.alloc(0);
  private length = 0;
  private beganAt = 0;
  private endedAt = 0;

  private constructor(terminal: SurvivingTerminal, megabytes: number) {
    this.terminal = terminal;
    this.blocks = Math.ceil((megabytes * 1_000_000) / BLOCK);
  }

  /** Starts it, and waits until a tenth has come. */
  static async start(terminal: SurvivingTerminal, megabytes: number): Promise<FastOutput> {
    const output = new FastOutput(terminal, megabytes);
    terminal.readBy((bytes) => output.take(bytes));
    const program = PROGRAM.replace('BLOCKS', String(output.blocks));
    terminal.type(`stty raw -echo; echo go$((1)); awk 'BEGIN{${program}}' | cat; echo end$((2))\r`);
    await terminal.until(() => output.block > output.blocks / 10, 120_000);
    return output;
  }

  /** All bytes of the terminal so far: how many, and their hash. */
  get shown(): { length: number; hash: string } {
    return { length: this.length, hash: this.hash.copy().digest('hex') };
  }

  /** Bytes a second, in millions, from the first one to the last one. */
  get rate(): number {
    return (this.blocks * BLOCK) / 1_000 / (this.endedAt - this.beganAt);
  }

  /** Waits until everything has come. @throws Error unless every byte came, once and in order */
  async verify(timeout: number): Promise<void> {
    await this.terminal.until(() => this.isWhole && this.around.includes(END), timeout);
  }

  private get isWhole(): boolean {
    return this.hasBegun && this.block === this.blocks && this.expected.length === 0;
  }

  private take(bytes: Buffer): void {
    this.hash.update(bytes);
    this.length += bytes.length;
    let rest = bytes;
    if (!this.hasBegun) {
      this.around += bytes.toString('latin1');
      const at = this.around.indexOf(BEGIN);
      if (at < 0) return;
      rest = Buffer.from(this.around.slice(at + BEGIN.length), 'latin1');
      this.around = '';
      this.hasBegun = true;
      this.beganAt = performance.now();
    }
    while (rest.length > 0 && !this.isWhole) rest = this.compare(rest);
    if (this.isWhole) this.around += rest.toString('latin1');
  }

  /** @returns what comes after the expected block */
  private compare(bytes: Buffer): Buffer {
    if (this.expected.length === 0) this.expected = blockOf(this.block++);
    const length = Math.min(bytes.length, this.expected.length);
    const [came, wanted] = [bytes.subarray(0, length), this.expected.subarray(0, length)];
    if (!came.equals(wanted))
      throw new Error(`the output differs in block ${this.block}: ${came.toString().slice(0, 200)}`);
    this.expected = this.expected.subarray(length);
    if (this.isWhole) this.endedAt = performance.now();
    return bytes.subarray(length);
  }
}
