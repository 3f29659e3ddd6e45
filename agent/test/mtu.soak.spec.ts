import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Findings } from '../src/doctor/doctor.ts';

const main = join(import.meta.dirname, '../src/main.ts');
/** Answers as the hub does at the path of links, by http and by https. */
const HUB = `
  const { readFileSync } = require('node:fs');
  const pair = { key: readFileSync('tls.key'), cert: readFileSync('tls.crt') };
  const REFUSAL = JSON.stringify({ code: 'unauthenticated', message: 'no device' });
  const answer = (request, response) => response.writeHead(426).end('{}');
  const upgrade = (request, socket) => socket.end('HTTP/1.1 401 No\\r\\nContent-Length: ' + REFUSAL.length + '\\r\\n\\r\\n' + REFUSAL);
  require('node:http').createServer(answer).on('upgrade', upgrade).listen(80);
  require('node:https').createServer(pair, answer).on('upgrade', upgrade).listen(443, () => console.log('ready'));
`;
const names = ['device', 'router', 'hub'].map((name) => `warren-${name}-${process.pid}`);
const [device = '', router = '', hub = ''] = names;
const sh = (script: string) => execFileSync('sh', ['-ec', script]);
const inside = (name: string, command: string) => sh(`ip netns exec ${name} ${command}`);
const canMakeNetworks =
  process.getuid?.() === 0 &&
  spawnSync('sh', ['-c', `command -v iptables && ip netns add ${device} && ip netns del ${device}`]).status === 0;

/** A device, a router and a hub; the link behind the router takes smaller packets. */
(canMakeNetworks ? describe : describe.skip)('warren-agent doctor on a path with a smaller MTU', () => {
  let folder: string;
  let server: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-mtu-'));
    const subject = '-subj /CN=hub -addext subjectAltName=IP:10.219.2.2 -days 2 -nodes';
    sh(
      `cd ${folder} && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout tls.key -out tls.crt ${subject} 2>/dev/null`,
    );
    sh(`
      for name in ${names.join(' ')}; do ip netns add $name; ip -n $name link set lo up; done
      ip -n ${device} link add way type veth peer name near netns ${router}
      ip -n ${router} link add far type veth peer name way netns ${hub}
      ip -n ${device} addr add 10.219.1.2/24 dev way; ip -n ${router} addr add 10.219.1.1/24 dev near
      ip -n ${router} addr add 10.219.2.1/24 dev far; ip -n ${hub} addr add 10.219.2.2/24 dev way
      ip -n ${device} link set way up; ip -n ${router} link set near up
      ip -n ${router} link set far up; ip -n ${hub} link set way up
      ip -n ${device} route add default via 10.219.1.1; ip -n ${hub} route add default via 10.219.2.1
      ip netns exec ${router} sysctl -qw net.ipv4.ip_forward=1`);
    server = spawn('ip', ['netns', 'exec', hub, process.execPath, '-e', HUB], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout!, 'data');
  });

  afterAll(async () => {
    server?.kill();
    for (const name of names) spawnSync('ip', ['netns', 'del', name]);
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(() => {
    sh(`ip -n ${router} link set far mtu 1500`);
    inside(router, 'iptables -F OUTPUT');
    inside(device, 'ip route flush cache');
  });

  const doctor = (address: string) =>
    new Promise<Record<string, string>>((resolve, reject) => {
      const args = ['netns', 'exec', device, process.execPath, '--disable-warning=ExperimentalWarning', main];
      const env = { PATH: process.env['PATH']!, HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, 'tls.crt') };
      execFile(
        'ip',
        [...args, 'doctor', '--json', '--state', folder, '--hub', address],
        { env },
        (_error, out, err) => {
          if (out === '') return reject(new Error(err));
          const { checks } = JSON.parse(out) as Findings;
          resolve(Object.fromEntries(checks.map(({ step, result }) => [step, result])));
        },
      );
    });

  const narrow = () => sh(`ip -n ${router} link set far mtu 1280`);
  const dropIcmp = () => inside(router, 'iptables -A OUTPUT -p icmp -j DROP');

  it.each(['http://10.219.2.2', 'https://10.219.2.2'])(
    'finds nothing wrong where all packets pass: %s',
    async (address) => {
      dropIcmp();
      expect(await doctor(address)).toMatchObject({ TCP: 'ok', MTU: 'ok', upgrade: 'ok' });
    },
  );

  it('finds nothing wrong where the router tells of its smaller MTU', async () => {
    narrow();
    expect(await doctor('https://10.219.2.2')).toMatchObject({ TLS: 'ok', MTU: 'ok', upgrade: 'ok' });
  });

  it('names the black hole that swallows large packets of plain requests', async () => {
    narrow();
    dropIcmp();
    expect(await doctor('http://10.219.2.2')).toMatchObject({ TCP: 'ok', clock: 'ok', MTU: 'failed' });
  });

  it('names the black hole that swallows the TLS handshake', async () => {
    narrow();
    dropIcmp();
    expect(await doctor('https://10.219.2.2')).toMatchObject({ TCP: 'ok', TLS: 'failed', MTU: 'failed' });
  });
});
