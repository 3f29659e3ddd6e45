import type { Addresses } from '@warren/platform/outbound/addresses';
import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import { always, connectionText, orAborted } from '@warren/platform/outbound/hook.client';
import { isIP } from 'node:net';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import { framed } from '../format/syslog.ts';

const TIMEOUT_MS = 10_000;
const PORT = 6_514;

export interface SyslogReceiver {
  /** `tls://host:port`. */
  url: string;
  /** Certificates as PEM; empty: those of public authorities. */
  ca: string;
}

/** Sends syslog messages over TLS (RFC 5425), to addresses that are allowed. */
export class SyslogClient {
  constructor(
    private readonly addresses: Pick<Addresses, 'pick'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * Sends messages over a separate connection. Syslog acknowledges nothing, so they count as delivered once the receiver has closed the
   * connection in answer to the end of it: it has read all before.
   * @throws DeliveryError
   */
  async send({ url, ca }: SyslogReceiver, messages: readonly string[]): Promise<void> {
    const { hostname, port } = new URL(url.replace(/^tls:/i, 'https:'));
    const at = Number(port || PORT);
    const signal = AbortSignal.timeout(this.timeoutMs);
    let socket: TLSSocket | undefined;
    try {
      // As https, as it is encrypted.
      const address = await orAborted(this.addresses.pick(new URL(`https://${hostname}:${at}`)), signal);
      const host = hostname.replace(/^\[|\]$/g, '');
      socket = connect({
        host,
        port: at,
        lookup: always(address),
        minVersion: 'TLSv1.2',
        ...(isIP(host) ? {} : { servername: host }),
        ...(ca && { ca: [...rootCertificates, ca] }),
      });
      await orAborted(exchange(socket, messages), signal);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      if (signal.aborted)
        throw new DeliveryError(`The receiver did not take the events within ${this.timeoutMs / 1_000} seconds.`);
      throw new DeliveryError(connectionText(error));
    } finally {
      socket?.on('error', () => {});
      socket?.destroy();
    }
  }
}

function exchange(socket: TLSSocket, messages: readonly string[]): Promise<undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let ended = false;
  socket.on('error', reject);
  socket.once('secureConnect', () => {
    socket.end(Buffer.concat(messages.map(framed)), () => (ended = true));
  });
  // What a receiver sends is of no interest, but its end is.
  socket.resume();
  socket.once('close', () =>
    ended
      ? resolve(undefined)
      : reject(new DeliveryError('The receiver closed the connection before it had all events.')),
  );
  return promise;
}
