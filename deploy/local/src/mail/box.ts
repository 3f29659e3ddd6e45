import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';

/** A received message. */
export interface Message {
  id: string;
  /** ISO 8601. */
  received: string;
  /** The recipients of the envelope. */
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

/** Sender and recipients of the SMTP envelope (RFC 5321, 3.3). */
export interface Envelope {
  from: string;
  to: string[];
}

export const kept = 500;

/** The last messages, newest first, in memory. */
export class Box {
  private readonly messages: Message[] = [];

  async add(envelope: Envelope, raw: Buffer): Promise<void> {
    const mail = await PostalMime.parse(raw);
    this.messages.unshift({
      id: randomUUID(),
      received: new Date().toISOString(),
      ...envelope,
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
    });
    this.messages.splice(kept);
  }

  /** Lists the messages to one recipient, or all. */
  list(to?: string): readonly Message[] {
    const wanted = to?.toLowerCase();
    return wanted ? this.messages.filter((one) => one.to.some((at) => at.toLowerCase() === wanted)) : this.messages;
  }

  find(id: string): Message | undefined {
    return this.messages.find((one) => one.id === id);
  }

  clear(): void {
    this.messages.length = 0;
  }
}
