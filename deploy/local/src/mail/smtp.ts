import { SMTPServer, type SMTPServerAddress } from 'smtp-server';
import type { Box } from './box.ts';

/** Maximum size of a message in bytes. */
const largest = 10 * 1024 * 1024;

const tooLarge = () => Object.assign(new Error(`message larger than ${largest} bytes`), { responseCode: 552 });

/** An SMTP server that takes every message and delivers none. */
export function catcher(box: Box): SMTPServer {
  return new SMTPServer({
    banner: 'Warren mail catcher',
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: largest,
    maxClients: 50,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        // Reads and discards the rest of a message that is too large.
        if (!stream.sizeExceeded) chunks.push(chunk);
        else chunks.length = 0;
      });
      stream.once('error', done);
      stream.once('end', () => {
        if (stream.sizeExceeded) return done(tooLarge());
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((to: SMTPServerAddress) => to.address),
        };
        box.add(envelope, Buffer.concat(chunks)).then(() => done(), done);
      });
    },
  });
}
