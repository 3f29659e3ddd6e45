import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@warren/infra/until';
import type { Engine } from '../engine.ts';
import { Machine } from '../machine.ts';
import { root } from './readme.ts';

const run = promisify(execFile);
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';
/** How this machine reaches packages: proxies, authorities, mirrors. It must reach them in the same way. */
const WAYS =
  /^((https?|no|all)_proxy|(npm_config|pip)_\w+|goproxy|gosumdb|gonosumdb|(node_extra_ca_certs|ssl_cert_file|curl_ca_bundle|requests_ca_bundle))$/i;
const CHECKOUT = '/root/warren';
export const SHOWN = 10_000;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** npm's own settings can't be known from the environment alone. Whatever a local path names is not over there. */
async function ways(): Promise<Record<string, string>> {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: '/' });
  const given = Object.entries(process.env).filter(
    ([name, value]) => WAYS.test(name) && value && (!value.startsWith('/') || value === BUNDLE),
  );
  return { ...(Object.fromEntries(given) as Record<string, string>), npm_config_registry: stdout.trim() };
}

/** What the README wants to be there: Node of the oldest version that will do, its npm, and make. */
async function giveNode(machine: Machine): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-node-'));
  try {
    const packages = [`node-linux-${process.arch}@20`, 'npm@10'];
    await run('npm', ['pack', '--silent', ...packages], { cwd: folder });
    const archives = (await readdir(folder)).sort();
    for (const [index, to] of ['/usr/local/node', '/usr/local/lib/npm'].entries()) {
      await machine.says(`mkdir -p ${to}`);
      const archive = archives.find((name) => name.startsWith(index === 0 ? 'node-' : 'npm-')) ?? '';
      await machine.put(join(folder, archive), '/root/archive.tgz');
      await machine.says(`tar -xzf /root/archive.tgz -C ${to} --strip-components=1 && rm /root/archive.tgz`);
    }
    const links = ['node/bin/node:node', 'lib/npm/bin/npm-cli.js:npm', 'lib/npm/bin/npx-cli.js:npx'];
    for (const link of links) {
      const [from, name] = link.split(':');
      await machine.says(`chmod 755 /usr/local/${from} && ln -s /usr/local/${from} /usr/local/bin/${name}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A Debian machine on a separate network that has never seen Warren, with a clean copy of the committed files. */
export class FreshMachine {
  readonly machine: Machine;

  private constructor(machine: Machine) {
    this.machine = machine;
  }

  static async start(engine: Engine, host: string): Promise<FreshMachine> {
    const machine = await Machine.start(engine, host, {}, { network: 'bridge' });
    const fresh = new FreshMachine(machine);
    const lines = Object.entries(await ways()).map(([name, value]) => `export ${name}=${quoted(value)}`);
    const folder = await mkdtemp(join(tmpdir(), 'warren-clone-'));
    try {
      await writeFile(join(folder, 'ways.sh'), `${lines.join('\n')}\n`);
      await machine.put(join(folder, 'ways.sh'), '/root/ways.sh');
      await run('git', ['clone', '--quiet', '--no-hardlinks', root, join(folder, 'warren')]);
      await machine.put(join(folder, 'warren'), '/root');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    if (existsSync(BUNDLE)) await machine.put(BUNDLE, BUNDLE);
    await giveNode(machine);
    await fresh.run('apt-get update -qq && apt-get install -y -qq --no-install-recommends make');
    return fresh;
  }

  /** Go, which the tests of the chart want to be there: this machine's own. */
  async giveGo(): Promise<void> {
    const { stdout } = await run('go', ['env', 'GOROOT'], { cwd: root });
    await this.machine.put(stdout.trim(), '/usr/local/go');
  }

  /** Runs a command in the checkout. @returns what it said @throws with the end of that when it fails */
  async run(command: string): Promise<string> {
    const { code, text } = await this.machine.sh(
      `. /root/ways.sh; cd ${CHECKOUT}; (${command}) >/root/said 2>&1; code=$?; tail -c 100000 /root/said; exit $code`,
    );
    if (code !== 0) throw new Error(`${command}: ${code}: ${text.slice(-4000)}`);
    return text;
  }

  /** Starts a command in the checkout that keeps running, as a unit of systemd. */
  async begin(unit: string, command: string): Promise<void> {
    const script = quoted(`. /root/ways.sh; cd ${CHECKOUT}; exec ${command}`);
    const how = `--quiet --unit=${unit} --setenv=HOME=/root -p StandardOutput=file:/root/${unit}.log -p StandardError=inherit`;
    await this.machine.says(
      `systemctl reset-failed ${unit} 2>/dev/null; rm -f /root/${unit}.log; systemd-run ${how} sh -c ${script}`,
    );
  }

  /** Waits for a text in what a unit says. @throws with what it said when it ends before */
  async says(unit: string, text: string, milliseconds: number): Promise<string> {
    let said = '';
    const state = async () => (await this.machine.sh(`systemctl is-active ${unit}`)).text.trim();
    const there = async () => {
      const active = (await state()) === 'active';
      said = (await this.machine.sh(`tail -c 20000 /root/${unit}.log`)).text;
      if (!said.includes(text) && !active) throw new Ended(`${unit} has ended: ${said.slice(-4000)}`);
      return said.includes(text);
    };
    let ended: Ended | undefined;
    await until(
      () =>
        there().catch((error: unknown) =>
          error instanceof Ended ? ((ended = error), true) : Promise.reject(error as Error),
        ),
      milliseconds,
    ).catch((cause: unknown) => {
      throw new Error(`${unit} has not said ${text}: ${said.slice(-4000)}`, { cause });
    });
    if (ended) throw ended;
    return said;
  }

  /** Presses Ctrl-C: all processes of a terminal get it. Waits until they have ended. */
  async interrupt(unit: string): Promise<void> {
    await this.machine.says(`systemctl kill --signal=SIGINT ${unit}`);
    await until(
      async () => !/^(active|deactivating)/.test((await this.machine.sh(`systemctl is-active ${unit}`)).text),
      120_000,
    );
  }

  /** Lets this machine reach ports of the other one's loopback, at its address, each {@link SHOWN} higher. @returns the address */
  async show(ports: readonly number[]): Promise<string> {
    const relay = `const net = require('net'); for (const port of ${JSON.stringify(ports)}) net.createServer((from) => {
      const to = net.connect(port, '127.0.0.1'); from.pipe(to).pipe(from);
      for (const end of [from, to]) end.on('error', () => [from, to].forEach((one) => one.destroy()));
    }).listen(port + ${SHOWN}, '0.0.0.0')`;
    await this.begin('shown', `node -e ${quoted(relay)}`);
    return this.machine.address();
  }

  remove(): Promise<void> {
    return this.machine.remove();
  }
}

class Ended extends Error {}
