import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useTicket } from '../useTicket.ts';
import { TerminalClient } from '../../../sockets/terminal/client.ts';
import { encodeText } from '../../../sockets/terminal/codec.ts';
import { modified } from '../../../sockets/terminal/keys.ts';
import type { Modifiers } from '../../../sockets/terminal/keys.ts';
import { RememberedTerminal } from '../../../sockets/terminal/remembered.ts';
import { socketsOf } from '../../../sockets/socket.ts';
import type { Ticket } from '../../../sockets/ticket.ts';
import type { Size, TerminalStatus } from '../../../sockets/terminal/types.ts';
import { claimFocus } from './focus.ts';
import { Screen } from './screen.ts';
import type { TerminalPreferences } from './usePreferences.ts';
import { useSharing } from './useSharing.ts';
import type { SharingControl } from './useSharing.ts';

const NONE: Modifiers = { ctrl: false, alt: false };

/** A terminal on a device, for the lifetime of the component. */
export interface TerminalControl {
  host: RefObject<HTMLDivElement | null>;
  status: TerminalStatus;
  /** The last keystroke's round-trip time in ms; null before the first. */
  echo: number | null;
  /** Whether typed characters are shown before the device has echoed them. */
  localEcho: boolean;
  held: { keys: number; full: boolean };
  /** Bytes of output that were lost; 0 when none were. */
  gap: number;
  /** Typed bytes that may or may not have arrived; 0 when there are none. */
  unsure: number;
  /** The shell has just come back after a disconnect. */
  back: boolean;
  /** The shown terminal; null without one, and when another window has taken it. */
  session: string | null;
  /** Shows another one of this person's terminals, or a new one. */
  show: (session: string | null, takesOver?: boolean) => void;
  sharing: SharingControl;
  modifiers: Modifiers;
  setModifiers: (modifiers: Modifiers) => void;
  screen: () => Screen | null;
  /** Sends the sequence of a key of the key row. */
  press: (text: string) => void;
  reconnect: () => void;
  discardHeld: () => void;
  searching: boolean;
  setSearching: (searching: boolean) => void;
}

export interface TerminalTarget {
  /** The device's id. */
  id: string;
  /** Whether the hub reports the device as connected. */
  online: boolean;
  /** A socket token for the first connection, where the page was opened with one. */
  token?: string | null;
  /** Requests the socket tokens of somebody who is no user. */
  ticket?: () => Promise<Ticket>;
  /** Which of the page's terminals it is; the only one if not given. */
  slot?: string;
  /** A terminal that may be another person's, from a link. */
  link?: string | null;
  /** Whether a key is a shortcut of the page around it. */
  isReserved?: (event: KeyboardEvent) => boolean;
}

const NO_SHORTCUTS = () => false;

/** Moves the focus from the terminal to the first control of the bar above it. */
function focusBar(host: HTMLElement): void {
  host.parentElement?.previousElementSibling?.querySelector<HTMLElement>('a, button')?.focus();
}

/** Connects at once when this browser, or the device, is back online. */
function useRetries(client: RefObject<TerminalClient | null>, online: boolean): void {
  useEffect(() => {
    const retry = () => client.current?.retryNow();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
  useEffect(() => {
    if (online) client.current?.retryNow();
  }, [online]);
}

/** @param hint id of the element that explains how to leave the terminal */
export function useTerminal(target: TerminalTarget, hint: string, preferences: TerminalPreferences): TerminalControl {
  const { id, online, token, slot = '', link = null, isReserved = NO_SHORTCUTS } = target;
  const host = useRef<HTMLDivElement | null>(null);
  const screen = useRef<Screen | null>(null);
  const client = useRef<TerminalClient | null>(null);
  const scheme = useComputedColorScheme('light');
  const ownTicket = useTicket(id, 'terminal', token);
  const ticket = target.ticket ?? ownTicket;
  const [status, setStatus] = useState<TerminalStatus>({ state: 'connecting' });
  const [echo, setEcho] = useState<number | null>(null);
  const [localEcho, setLocalEcho] = useState(false);
  const [held, setHeld] = useState({ keys: 0, full: false });
  const [gap, setGap] = useState(0);
  const [unsure, setUnsure] = useState(0);
  const [back, setBack] = useState(false);
  const [session, setSession] = useState<string | null>(null);
  const [searching, setSearching] = useState(false);
  const [modifiers, setModifiers] = useState(NONE);
  const { follow, ...sharing } = useSharing(client);
  const waiting = useRef(NONE);
  waiting.current = modifiers;

  const latest = useRef({ scheme, ...preferences });
  latest.current = { scheme, ...preferences };

  const sendBytes = (bytes: Uint8Array, text = '') => {
    const end = client.current?.input(bytes) ?? null;
    screen.current?.echo.typed(text, end);
  };
  const send = (text: string) => sendBytes(encodeText(text), text);
  const type = (text: string) => {
    const { ctrl, alt } = waiting.current;
    send(ctrl || alt ? modified(text, waiting.current) : text);
    if (ctrl || alt) setModifiers(NONE);
  };

  useEffect(() => {
    let left = false;
    const claim = claimFocus();
    const remembered = new RememberedTerminal(id + slot);
    const start = async () => {
      await document.fonts?.load(`${latest.current.fontSize}px 'JetBrains Mono Variable'`).catch(() => undefined);
      const session = link ?? (await remembered.recall());
      if (left || !host.current) return;
      const place = host.current;
      const handlers = {
        onText: type,
        onBytes: sendBytes,
        onSize: (size: Size) => client.current?.resize(size),
        onSearch: () => setSearching(true),
        onLeave: () => focusBar(place),
        onEcho: setLocalEcho,
        isReserved,
      };
      const drawn = new Screen(place, latest.current, handlers, hint);
      const openSocket = socketsOf('terminal', id);
      const shell = new TerminalClient({ openSocket, ticket, size: drawn.size, session, asks: link !== null });
      screen.current = drawn;
      client.current = shell;
      shell.subscribe('status', (next) => {
        setStatus(next);
        drawn.echo.reset();
        if (next.state === 'connected') setGap(0);
        if (next.state === 'connected') setUnsure(0);
        setBack(false);
        setSession(shell.resumable);
        remembered.keep(shell.resumable);
      });
      shell.subscribe('output', (bytes) => drawn.write(bytes, () => shell.parsed(bytes.length)));
      follow(shell, drawn);
      shell.subscribe('fresh', ({ chosen }) => (chosen ? drawn.clear() : drawn.restore()));
      shell.subscribe('accepted', ({ typed }) => drawn.echo.accepted(typed));
      shell.subscribe('unsure', ({ bytes }) => setUnsure(bytes));
      shell.subscribe('back', () => setBack(true));
      shell.subscribe('held', setHeld);
      shell.subscribe('echo', ({ ms }) => setEcho(drawn.echo.roundTrip ?? ms));
      shell.subscribe('gap', ({ bytes }) => setGap((lost) => lost + bytes));
      shell.connect();
      claim.take(() => drawn.focus());
    };
    void start();
    return () => {
      left = true;
      claim.drop();
      client.current?.detach();
      screen.current?.dispose();
      remembered.leave();
      client.current = screen.current = null;
    };
  }, [id]);

  useEffect(
    () => screen.current?.apply(latest.current),
    [scheme, preferences.fontSize, preferences.screenReader, preferences.localEcho],
  );
  useRetries(client, online);

  return {
    host,
    status,
    echo,
    localEcho,
    held,
    gap,
    unsure,
    back,
    session,
    sharing,
    show: (next, takesOver) => {
      client.current?.open(next, takesOver);
      screen.current?.focus();
    },
    modifiers,
    setModifiers,
    screen: () => screen.current,
    press: send,
    reconnect: () => {
      client.current?.connect();
      screen.current?.focus();
    },
    discardHeld: () => client.current?.discardHeld(),
    searching,
    setSearching,
  };
}
