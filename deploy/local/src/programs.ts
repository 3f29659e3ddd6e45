import { existsSync } from 'node:fs';
import { findPython } from '@warren/agent/packaging/python';
import { canWriteJournals } from '@warren/infra/journal';
import { findProgram } from '@warren/infra/programs';
import { installEmulator } from './steps/emulator.ts';
import { installGoTools } from './steps/go-tools.ts';
import { install, type Need } from './steps/programs.ts';

/** Programs of the tests in addition to the product's: the browser, and programs in shells. */
const needs: Need[] = [
  { title: 'PostgreSQL', programs: ['initdb', 'postgres'], package: 'postgresql' },
  { title: 'PgBouncer', programs: ['pgbouncer'], package: 'pgbouncer' },
  { title: 'encryption of backups', programs: ['age', 'age-keygen'], package: 'age' },
  { title: 'copies of backups', programs: ['rclone'], package: 'rclone' },
  { title: 'the archive of PostgreSQL', programs: ['pgbackrest'], package: 'pgbackrest' },
  { title: 'Redis', programs: ['redis-server'], package: 'redis-server' },
  { title: 'NATS', programs: ['nats-server'], package: 'nats-server' },
  { title: 'Chromium', programs: ['chromium'], package: 'chromium' },
  { title: 'Chromium without windows', programs: ['chromium-headless-shell'], package: 'chromium-headless-shell' },
  { title: 'curl', programs: ['curl'], package: 'curl' },
  // Terminates TLS for a hub, as in installations.
  { title: 'Caddy', programs: ['caddy'], package: 'caddy' },
  { title: 'Vim', programs: ['vim'], package: 'vim' },
  { title: 'the journal', programs: ['journalctl'], package: 'systemd' },
  { title: 'rsyslog', programs: ['rsyslogd'], package: 'rsyslog' },
  { title: 'top', programs: ['top'], package: 'procps' },
  // Plays exported recordings.
  { title: 'asciinema', programs: ['asciinema'], package: 'asciinema' },
  { title: 'Prometheus', programs: ['prometheus', 'promtool'], package: 'prometheus' },
  // The desktops that the tests show.
  { title: 'TigerVNC', programs: ['Xtigervnc'], package: 'tigervnc-standalone-server' },
  { title: 'passwords of TigerVNC', programs: ['tigervncpasswd'], package: 'tigervnc-tools' },
  { title: 'x11vnc', programs: ['x11vnc'], package: 'x11vnc' },
  { title: 'sway', programs: ['sway', 'swaymsg'], package: 'sway' },
  { title: 'wayvnc', programs: ['wayvnc'], package: 'wayvnc' },
  { title: 'foot', programs: ['foot'], package: 'foot' },
  { title: 'Xvfb', programs: ['Xvfb'], package: 'xvfb' },
  { title: 'xterm', programs: ['xterm'], package: 'xterm' },
  { title: 'xclip', programs: ['xclip'], package: 'xclip' },
  { title: 'xrandr', programs: ['xrandr'], package: 'x11-xserver-utils' },
  { title: 'xwininfo', programs: ['xwininfo'], package: 'x11-utils' },
  // A third-party identity provider.
  { title: 'PHP', programs: ['php'], package: 'php-cli' },
  // For the machines that the agent is installed on.
  { title: 'Docker', programs: ['dockerd', 'docker'], package: 'docker.io' },
  { title: "Docker's compose", programs: ['docker-compose'], package: 'docker-compose' },
  { title: 'iptables', programs: ['iptables'], package: 'iptables' },
  { title: 'debootstrap', programs: ['debootstrap'], package: 'debootstrap' },
  // For the agent's packages of all processors, and to run them.
  { title: 'the emulator', programs: ['qemu-aarch64-static'], package: 'qemu-user-static' },
  { title: 'binutils', programs: ['strip'], package: 'binutils' },
  { title: 'binutils for arm64', programs: ['aarch64-linux-gnu-strip'], package: 'binutils-aarch64-linux-gnu' },
];

/** Packages without a program on the PATH, with one of their files. */
const files = {
  '/usr/share/simplesamlphp/www/index.php': 'simplesamlphp',
  '/usr/share/doc/php-xml': 'php-xml',
  '/usr/share/doc/rsyslog-gnutls': 'rsyslog-gnutls',
  '/usr/aarch64-linux-gnu/lib/libstdc++.so.6': 'libstdc++6-arm64-cross',
  // Checks what Debian's Node for 32-bit ARM comes from.
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

const missing = needs.filter(({ programs }) => !programs.every(findProgram)).map((need) => need.package);
for (const [file, name] of Object.entries(files)) if (!existsSync(file)) missing.push(name);
// Brings the compiler of the agent's helper.
if ('problem' in (await findPython())) missing.push('python3-venv');
if (!canWriteJournals()) missing.push('systemd-journal-remote');
if (missing.length > 0) {
  console.log(`  Installing ${missing.join(', ')}`);
  await install(missing).catch((error: Error) => {
    console.error(`The tests need ${missing.join(', ')}: ${error.message.trim().split('\n').at(-1)}`);
    process.exitCode = 1;
  });
}
await installGoTools((name) => console.log(`  Compiling ${name}`)).catch((error: Error) => {
  console.error(`The tests of the chart, the rules and backups need ${error.message.trim()}`);
  process.exitCode = 1;
});
await installEmulator((name) => console.log(`  Fetching ${name}`)).catch((error: Error) => {
  console.error(`The tests of the agent's packages need ${error.message.trim()}`);
  process.exitCode = 1;
});
