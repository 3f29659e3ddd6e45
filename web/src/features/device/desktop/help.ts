import type { Device } from '../../../lib/api/types.ts';

/** How to install a VNC server on a device: its purpose, and the commands. */
export interface Recipe {
  text: string;
  commands: string;
}

const CONSOLE_OF_SCREEN = 'x11vnc -storepasswd\nx11vnc -display :0 -auth guess -localhost -forever -usepw -bg';

/** Makes RealVNC also offer a security type that noVNC supports. */
const OPEN_REALVNC = `echo Encryption=PreferOn | sudo tee -a /root/.vnc/config.d/vncserver-x11
sudo systemctl restart vncserver-x11-serviced`;

const RASPBERRY: Recipe = {
  text: 'Raspberry Pi OS brings a VNC server: wayvnc under Wayland, RealVNC under X11. This turns it on, at port 5900. Sign in with a user of the device.',
  commands: 'sudo raspi-config nonint do_vnc 0',
};
const DEBIAN: Recipe = {
  text: 'With a screen that shows an X11 desktop, x11vnc shares it at port 5900. Without a screen, tigervncserver creates a separate desktop.',
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

/** The instructions for this device. Raspberry Pi OS reports itself as Debian, but its kernel does not. */
export function recipeFor({ os, kernel, model }: Pick<Device, 'os' | 'kernel' | 'model'>): Recipe {
  if (/raspbian/i.test(os) || /rpt-rpi|\+rpi/i.test(kernel)) return RASPBERRY;
  if (/raspberry pi/i.test(model) && /debian/i.test(os)) return RASPBERRY;
  return SYSTEMS.find(([name]) => name.test(os))?.[1] ?? OTHER;
}

const REALVNC: Recipe = {
  text: 'RealVNC is set to require its own encryption. Set it to prefer encryption instead: Warren encrypts the connection to the device.',
  commands: OPEN_REALVNC,
};
/** Browsers can't run TLS inside a connection. */
const ENCRYPTING: Recipe = {
  text: 'The server offers TLS, which browsers can not speak here. Let it offer a sign-in without TLS as well. wayvnc: an RSA key, in a version that knows it. TigerVNC: RA2_256, RA2 or VncAuth among its security types.',
  commands: `# wayvnc:
ssh-keygen -q -m pem -t rsa -N '' -f ~/.config/wayvnc/rsa_key.pem
echo rsa_private_key_file=$HOME/.config/wayvnc/rsa_key.pem >> ~/.config/wayvnc/config

# TigerVNC:
tigervncserver :0 -localhost yes -SecurityTypes VncAuth`,
};

/** Proprietary security types of RealVNC. */
const OF_REALVNC = new Set(['13', '133', '192']);

/**
 * The setting for a server with an unsupported encryption.
 * @param failure noVNC's message, which lists the server's security types
 */
export function unlockingRecipe(failure = ''): Recipe {
  return (failure.match(/\d+/g) ?? []).some((type) => OF_REALVNC.has(type)) ? REALVNC : ENCRYPTING;
}
