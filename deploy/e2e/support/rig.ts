import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIRequestContext, Browser, BrowserContext } from '@playwright/test';
import { signIn } from '../pages/sign-in.ts';
import { SecondAgent } from './agent.ts';
import { device, enrolmentToken } from './api.ts';
import { person } from './people.ts';
import { Proxy } from '@warren/infra/proxy';
import { until } from '@warren/infra/until';
import { SurvivingTerminal, type Way } from './surviving.ts';
import type { Warren } from './warren.ts';

const sum = (index: number) => (index * 7919) % 10_007;
const line = (index: number) => `${index}:${sum(index)}\n`;

/** A device and a person whose connections to the hub a test can break. */
export class Rig {
  readonly device: string;
  readonly agent: SecondAgent;
  /** Between the agent and the hub. */
  readonly agentSide: Proxy;
  /** Between the person and the hub. */
  readonly browserSide: Proxy;
  private readonly context: BrowserContext;
  private readonly way: Way;

  private constructor(
    parts: { device: string; agent: SecondAgent; sides: [Proxy, Proxy]; context: BrowserContext },
    hub: string,
  ) {
    this.device = parts.device;
    this.agent = parts.agent;
    [this.agentSide, this.browserSide] = parts.sides;
    this.context = parts.context;
    const via = () => `http://127.0.0.1:${this.browserSide.port}`;
    this.way = { request: parts.context.request, hub, via, device: parts.device };
  }

  static async make(browser: Browser, warren: Warren): Promise<Rig> {
    const { hub } = warren.facts;
    const context = await browser.newContext({ baseURL: hub });
    await signIn(await context.newPage(), person('superAdmin').email);
    const { command } = await enrolmentToken(context.request, hub, warren.facts.device.account);
    const agent = await SecondAgent.install(command, 'another-machine');
    const port = Number(new URL(hub).port);
    const sides: [Proxy, Proxy] = [await Proxy.start(port), await Proxy.start(port)];
    await agent.route(`http://127.0.0.1:${sides[0].port}`);
    agent.start();
    const rig = new Rig({ device: await agent.device(), agent, sides, context }, hub);
    await rig.connected();
    return rig;
  }

  /** Requests of its person, a SuperAdmin. */
  get request(): APIRequestContext {
    return this.context.request;
  }

  /** Waits until the hub has the device's link. */
  async connected(): Promise<void> {
    const status = async () => (await device(this.context.request, this.device)).status;
    await until(async () => (await status()) === 'Connected', 60_000);
  }

  /** @param how address and parameters of its sockets; defaults to the person's proxy */
  open(how: Partial<Pick<Way, 'via' | 'names'>> = {}): Promise<SurvivingTerminal> {
    return SurvivingTerminal.open({ ...this.way, ...how });
  }

  async remove(): Promise<void> {
    await this.agent.remove();
    await Promise.all([this.agentSide.stop(), this.browserSide.stop()]);
    await this.context.close();
  }
}

/** A program on the device that prints numbered lines, a thousand each tenth of a second. */
export class CountedOutput {
  readonly terminal: SurvivingTerminal;
  private readonly lines: number;

  private constructor(terminal: SurvivingTerminal, lines: number) {
    this.terminal = terminal;
    this.lines = lines;
  }

  /** Starts it, and waits until output flows. */
  static async start(terminal: SurvivingTerminal, lines: number): Promise<CountedOutput> {
    const script = `BEGIN{for(i=0;i<${lines};i++){print i ":" (i*7919)%10007; if(i%1000==999){fflush(); system("sleep 0.1")}}}`;
    terminal.type(`stty raw -echo; echo go$((1)); awk '${script}'; echo end$((2))\r`);
    await terminal.shows('go1\n');
    await terminal.shows(line(Math.min(5_000, lines >> 2)));
    return new CountedOutput(terminal, lines);
  }

  /** @throws unless every line came, once, whole and in order */
  async verify(timeout: number): Promise<void> {
    await this.terminal.shows('end2\n', timeout);
    const output = this.terminal.output.toString('latin1');
    const from = output.indexOf('go1\n') + 4;
    const wanted = Array.from({ length: this.lines }, (_, index) => line(index)).join('');
    const came = output.slice(from, from + wanted.length);
    if (came === wanted) return;
    let at = 0;
    while (came[at] === wanted[at]) at += 1;
    throw new Error(`output differs at byte ${at}: ${JSON.stringify(came.slice(at - 20, at + 40))}`);
  }
}

/** File on the device with the typed input, and how a test reads it. */
export interface Notebook {
  folder: string;
  read: (file: string) => Promise<string>;
}

const here: Notebook = { folder: tmpdir(), read: (file) => readFile(file, 'utf8') };

/** Types numbered lines into a program on the device that records them. */
export class CountedTyping {
  readonly terminal: SurvivingTerminal;
  private readonly file: string;
  private readonly notebook: Notebook;
  private readonly timer: NodeJS.Timeout;
  private typed = 0;

  private constructor(terminal: SurvivingTerminal, file: string, notebook: Notebook) {
    this.terminal = terminal;
    this.file = file;
    this.notebook = notebook;
    this.timer = setInterval(() => terminal.type(line(this.typed++)), 10);
  }

  static async start(terminal: SurvivingTerminal, notebook = here): Promise<CountedTyping> {
    const file = join(notebook.folder, `warren-typed-${randomUUID()}`);
    terminal.type(`stty raw -echo; echo go$((1)); exec cat > ${file}\r`);
    await terminal.shows('go1\n');
    return new CountedTyping(terminal, file, notebook);
  }

  /** Stops typing. @throws Error unless every line was recorded once and in order */
  async verify(timeout: number): Promise<void> {
    clearInterval(this.timer);
    const wanted = Array.from({ length: this.typed }, (_, index) => line(index)).join('');
    await this.terminal.until(() => this.terminal.untaken === 0, timeout);
    let written = '';
    const whole = async () => (written = await this.notebook.read(this.file)).length >= wanted.length;
    // Verification below reports lines that are missing for so long.
    await until(whole, timeout).catch(() => undefined);
    await rm(this.file, { force: true });
    if (written === wanted) return;
    let at = 0;
    while (written[at] === wanted[at]) at += 1;
    throw new Error(
      `what was typed differs at byte ${at}: ${JSON.stringify(written.slice(Math.max(0, at - 20), at + 40))}`,
    );
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
