import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { DesktopClient } from '../../../sockets/desktop/client.ts';
import type { CredentialKind, Credentials, DesktopStatus } from '../../../sockets/desktop/types.ts';
import type { SessionRecording } from '../../../sockets/recording.ts';
import { socketsOf } from '../../../sockets/socket.ts';
import type { Ticket } from '../../../sockets/ticket.ts';
import { useTicket } from '../useTicket.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { DesktopScreen, ScreenOptions } from './screen.ts';

/** The server's requests before it shows anything. */
export type Question =
  | { kind: 'credentials'; kinds: CredentialKind[] }
  | { kind: 'verify'; key: string; approve: () => void };

/** A desktop of a device, for the lifetime of the component. */
export interface DesktopControl {
  host: RefObject<HTMLDivElement | null>;
  status: DesktopStatus;
  /** The last round-trip time in ms; null before the first. */
  latency: number | null;
  question: Question | null;
  /** How the desktop is recorded; null if it is not. */
  recording: SessionRecording | null;
  /** The text last copied on the device. */
  copied: string;
  screen: () => DesktopScreen | null;
  signIn: (credentials: Credentials) => void;
  reconnect: () => void;
  disconnect: () => void;
}

interface DesktopTarget {
  /** The device's id. */
  id: string;
  /** Whether the hub reports the device as connected. */
  online: boolean;
  /** Requests the socket tokens of somebody who is no user. */
  ticket?: (() => Promise<Ticket>) | undefined;
  options: ScreenOptions;
  onLatency: (ms: number) => void;
}

/** Input that counts as activity in a desktop. */
const USE = ['pointerdown', 'wheel', 'keydown'] as const;

export function useDesktop({ id, online, options, onLatency, ...target }: DesktopTarget): DesktopControl {
  const host = useRef<HTMLDivElement | null>(null);
  const screen = useRef<DesktopScreen | null>(null);
  const client = useRef<DesktopClient | null>(null);
  const known = useRef<{ credentials: Credentials; keys: Set<string> }>({ credentials: {}, keys: new Set() });
  const ownTicket = useTicket(id, 'desktop');
  const ticket = target.ticket ?? ownTicket;
  const [status, setStatus] = useState<DesktopStatus>({ state: 'connecting' });
  const [latency, setLatency] = useState<number | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [recording, setRecording] = useState<SessionRecording | null>(null);
  const [copied, setCopied] = useState('');
  const latest = useRef({ options, onLatency });
  latest.current = { options, onLatency };

  useEffect(() => {
    let left = false;
    const place = host.current;
    const start = async () => {
      const { DesktopScreen } = await import('./screen.ts');
      if (left || !place) return;
      const verify = (key: Uint8Array<ArrayBuffer>) =>
        void fingerprintOf(key).then((text) => {
          const approve = () => {
            known.current.keys.add(text);
            setQuestion(null);
            screen.current?.approve();
          };
          if (known.current.keys.has(text)) approve();
          else setQuestion({ kind: 'verify', key: text, approve });
        });
      const desktop = new DesktopClient({
        openSocket: socketsOf('desktop', id),
        ticket,
        view: (channel, events) => {
          const handlers = {
            ...events,
            verify,
            clipboard: setCopied,
            credentials: (kinds: CredentialKind[]) => setQuestion({ kind: 'credentials', kinds }),
          };
          const given = { credentials: known.current.credentials, options: latest.current.options };
          return (screen.current = new DesktopScreen(place, channel, handlers, given));
        },
      });
      client.current = desktop;
      desktop.subscribe('status', (next) => {
        setStatus(next);
        if (next.state !== 'connecting') setQuestion(null);
        if (next.state !== 'connected') setLatency(null);
        // A refused sign-in is not repeated automatically.
        if (next.problem === 'security') known.current.credentials = {};
        if (next.state === 'connected') screen.current?.focus();
      });
      desktop.subscribe('recording', setRecording);
      desktop.subscribe('latency', ({ ms }) => {
        setLatency(ms);
        latest.current.onLatency(ms);
      });
      desktop.connect();
    };
    void start();
    const used = () => client.current?.used();
    for (const event of USE) place?.addEventListener(event, used, { capture: true, passive: true });
    const network = () => client.current?.wake();
    window.addEventListener('online', network);
    return () => {
      left = true;
      window.removeEventListener('online', network);
      for (const event of USE) place?.removeEventListener(event, used, { capture: true });
      client.current?.detach();
      client.current = screen.current = null;
    };
  }, [id]);

  const { size, viewOnly, move } = options;
  const { quality, compression } = options.levels;
  useEffect(() => screen.current?.apply(latest.current.options), [size, viewOnly, move, quality, compression]);
  useEffect(() => {
    if (online) client.current?.wake();
  }, [online]);

  return {
    host,
    status,
    latency,
    question,
    recording,
    copied,
    screen: () => screen.current,
    signIn: (credentials) => {
      known.current.credentials = credentials;
      setQuestion(null);
      screen.current?.sendCredentials(credentials);
    },
    reconnect: () => client.current?.connect(),
    disconnect: () => client.current?.disconnect(),
  };
}
