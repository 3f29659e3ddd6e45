import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SurvivingTerminal } from '../surviving.ts';

const line = (index: number) => `${index}:${(index * 7919) % 10_007}\n`;

/** A program on the device that prints numbered lines, a hundred each tenth of a second, until a test has it end. */
export class EndlessOutput {
  readonly terminal: SurvivingTerminal;
  private readonly file: string;

  private constructor(terminal: SurvivingTerminal, file: string) {
    this.terminal = terminal;
    this.file = file;
  }

  /** Resolves when the first lines have come. */
  static async start(terminal: SurvivingTerminal): Promise<EndlessOutput> {
    const file = join(tmpdir(), `warren-endless-${randomUUID()}`);
    const script = `BEGIN{for(i=0;;i++){print i ":" (i*7919)%10007; if(i%100==99){fflush(); system("sleep 0.1"); if(system("test -e ${file}")==0){print "end" i+1; exit}}}}`;
    terminal.type(`stty raw -echo; echo go$((1)); awk '${script}'\r`);
    await terminal.shows('go1\n');
    await terminal.shows(line(500));
    return new EndlessOutput(terminal, file);
  }

  /**
   * Ends the program.
   * @returns how many lines came
   * @throws unless every line that it printed came, once, whole and in order
   */
  async verify(timeout: number): Promise<number> {
    await writeFile(this.file, '');
    await this.terminal.shows('end', timeout);
    await this.terminal.until(() => /end\d+\n/.test(this.came()), timeout);
    await rm(this.file);
    const came = this.came();
    const lines = Number(/end(\d+)\n/.exec(came)?.[1]);
    const wanted = `${Array.from({ length: lines }, (_, index) => line(index)).join('')}end${lines}\n`;
    if (came.startsWith(wanted)) return lines;
    let at = 0;
    while (came[at] === wanted[at]) at += 1;
    throw new Error(`output differs at byte ${at}: ${JSON.stringify(came.slice(Math.max(0, at - 20), at + 40))}`);
  }

  private came(): string {
    const output = this.terminal.output.toString('latin1');
    return output.slice(output.indexOf('go1\n') + 4);
  }
}
