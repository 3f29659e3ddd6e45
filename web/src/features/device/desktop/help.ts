import type { Device } from '../../../lib/api/types.ts';

/** How a VNC server gets onto a device: what it is for, and the commands. */
export interface Recipe {
  text: string;
  commands: string;
}

const CONSOLE_OF_SCREEN = 'x11vnc -storepasswd\nx11vnc -display :0 -auth guess -localhost -forever -usepw -bg';

const RASPBERRY: Recipe = {
  text: 'Raspberry Pi OS brings a VNC server: wayvnc under Wayland, RealVNC under X11. This turns it on, at port 5900. Sign in with a user of the device.',
  commands: 'sudo raspi-config nonint do_vnc 0',
};
const DEBIAN: Recipe = {
  text: 'With a screen that shows an X11 desktop, x11vnc shares it at port 5900. Without a screen, tigervncserver makes a desktop of its own.',
  commands: `sudo apt install x11vnc\n${CONSOLE_OF_SCREEN}\n\n# without a screen:\nsudo apt install tigervnc-standalone-server tigervnc-tools xfce4\ntigervncpasswd\ntigervncserver :0 -localhost yes`,
};
const FEDORA: Recipe = {
  text: 'x0vncserver of TigerVNC shares the X11 desktop of the screen at port 5900.',
  commands:
    'sudo dnf install tigervnc-server\nvncpasswd\nx0vncserver -display :0 -localhost -PasswordFile ~/.vnc/passwd &',
};
const ARCH: Recipe = {
  text: 'x0vncserver of TigerVNC shares the X11 desktop of the screen at port 5900.',
  commands: 'sudo pacman -S tigervnc\nvncpasswd\nx0vncserver -display :0 -localhost -PasswordFile ~/.vnc/passwd &',
};
const SUSE: Recipe = {
  text: 'x11vnc shares the X11 desktop of the screen at port 5900.',
  commands: `sudo zypper install x11vnc\n${CONSOLE_OF_SCREEN}`,
};
const ALPINE: Recipe = {
  text: 'x11vnc shares the X11 desktop of the screen at port 5900.',
  commands: `sudo apk add x11vnc\n${CONSOLE_OF_SCREEN}`,
};
const OTHER: Recipe = {
  text: 'Install a VNC server, such as x11vnc or TigerVNC for X11, or wayvnc for Wayland, and let it listen on the device itself.',
  commands: CONSOLE_OF_SCREEN,
};

const SYSTEMS: readonly [RegExp, Recipe][] = [
  [/debian|ubuntu|mint|raspbian|armbian|kali|pop!_os|elementary/i, DEBIAN],
  [/fedora|red hat|rhel|centos|rocky|alma|oracle linux|amazon linux/i, FEDORA],
  [/arch|manjaro/i, ARCH],
  [/suse/i, SUSE],
  [/alpine/i, ALPINE],
];

/** What to install on this device. Raspberry Pi OS calls itself Debian, but its kernel does not. */
export function recipeFor({ os, kernel, model }: Pick<Device, 'os' | 'kernel' | 'model'>): Recipe {
  if (/raspbian/i.test(os) || /rpt-rpi|\+rpi/i.test(kernel)) return RASPBERRY;
  if (/raspberry pi/i.test(model) && /debian/i.test(os)) return RASPBERRY;
  return SYSTEMS.find(([name]) => name.test(os))?.[1] ?? OTHER;
}
