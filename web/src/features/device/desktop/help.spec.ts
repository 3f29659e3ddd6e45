import { expect, it } from '@jest/globals';
import { recipeFor, unlockingRecipe } from './help.ts';

const commands = (os: string, kernel = '6.12.0', model = '') => recipeFor({ os, kernel, model }).commands;

it.each([
  [
    'Debian GNU/Linux 12 (bookworm)',
    '6.6.31+rpt-rpi-v8',
    'Raspberry Pi 5 Model B Rev 1.0',
    /raspi-config nonint do_vnc 0/,
  ],
  ['Raspbian GNU/Linux 11 (bullseye)', '6.1.21-v7+', 'Raspberry Pi 3 Model B', /raspi-config/],
  ['Debian GNU/Linux 13 (trixie)', '6.12.0-amd64', 'QEMU', /^sudo apt install x11vnc/],
  ['Ubuntu 24.04.1 LTS', '6.8.0-45-generic', 'Raspberry Pi 4 Model B', /^sudo apt install x11vnc/],
  ['Fedora Linux 42 (Workstation Edition)', '6.14', '', /^sudo dnf install tigervnc-server/],
  ['Arch Linux', '6.14', '', /^sudo pacman/],
  ['openSUSE Leap 15.6', '6.4', '', /^sudo zypper/],
  ['Alpine Linux v3.22', '6.12', '', /^sudo apk add/],
  ['Buildroot 2025.02', '6.12', '', /^x11vnc -storepasswd/],
])('tells what to install on %s', (os, kernel, model, expected) => {
  expect(commands(os, kernel, model)).toMatch(expected);
});

it('has nothing taken from what Raspberry Pi OS sets', () => {
  const pi = recipeFor({ os: 'Debian GNU/Linux 12 (bookworm)', kernel: '6.6.31+rpt-rpi-v8', model: 'Raspberry Pi 5' });
  expect(pi.commands).toBe('sudo raspi-config nonint do_vnc 0');
});

it.each([
  [
    'RealVNC with proprietary security types',
    'Unsupported security types (types: 13,133,192)',
    /^echo Encryption=PreferOn/,
  ],
  ['wayvnc with TLS alone', 'Unsupported security types (types: 262)', /^# wayvnc[^]*rsa_private_key_file=/],
  ['TigerVNC with TLS', 'Unsupported security types (types: 258)', /-SecurityTypes VncAuth$/],
])('tells what to set on %s', (_server, failure, expected) => {
  expect(unlockingRecipe(failure).commands).toMatch(expected);
});
