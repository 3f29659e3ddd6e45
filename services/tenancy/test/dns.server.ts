import { AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** NXDOMAIN and SERVFAIL (RFC 1035, section 4.1.1). */
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/** A DNS server over UDP (RFC 1035) with TXT records, on a free port of this machine. */
export class DnsServer {
  /** Texts by host name, each in the parts that the record has. */
  readonly records = new Map<string, string[][]>();
  /** Names that were asked for. */
  readonly asked: string[] = [];
  fails = false;
  private readonly socket = createSocket('udp4');

  /** @returns where it listens, `address:port` */
  async start(): Promise<string> {
    this.socket.on('message', (query, { port, address }) =>
      this.socket.send(this.answer(decode(query)), port, address),
    );
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.socket.close();
  }

  private answer({ id, questions = [] }: Packet): Buffer {
    const name = questions[0]?.name.toLowerCase() ?? '';
    this.asked.push(name);
    const texts = this.records.get(name);
    const code = this.fails ? SERVER_FAILURE : texts ? 0 : NAME_ERROR;
    const answers = (this.fails ? [] : (texts ?? [])).map((data) => ({ type: 'TXT' as const, name, ttl: 1, data }));
    return encode({
      type: 'response',
      ...(id === undefined ? {} : { id }),
      flags: AUTHORITATIVE_ANSWER | code,
      questions,
      answers,
    });
  }
}
