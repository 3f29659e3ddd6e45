import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { socketUrl, type Address } from './address.ts';

const PATIENCE_MS = 10_000;

/** A person at the server. */
export interface Account {
  name: string;
  password: string;
}

interface Answer {
  action: string;
  responseid?: string;
  result?: string;
}

/** The control connection of a signed-in person, over which MeshCentral's console sends every request. */
export class Control {
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => {});
  }

  /** @throws Error when the server refuses the person */
  static async open(address: Address, { name, password }: Account): Promise<Control> {
    const secret = [name, password].map((part) => Buffer.from(part).toString('base64')).join();
    const options = { ca: address.ca, headers: { 'x-meshauth': secret }, perMessageDeflate: false };
    const socket = new WebSocket(socketUrl(address, '/control.ashx'), options);
    const control = new Control(socket);
    const welcome = control.answer(({ action }) => action === 'userinfo' || action === 'close');
    await once(socket, 'open');
    const { action } = await welcome;
    if (action === 'close') throw new Error(`the server refused ${name}`);
    return control;
  }

  /** Asks, and waits for the answer of the same name. @throws Error when the server says that it can't */
  async ask<T>(action: string, more: object = {}): Promise<T> {
    const responseid = randomUUID();
    // Some answers carry the question's id, some only its name.
    const answered = this.answer((one) => one.action === action && (one.responseid ?? responseid) === responseid);
    this.tell({ action, responseid, ...more });
    const answer = await answered;
    if (answer.result !== undefined && answer.result !== 'ok') throw new Error(`${action}: ${answer.result}`);
    return answer as T;
  }

  /** Says something that has no answer. */
  tell(what: object): void {
    this.socket.send(JSON.stringify(what));
  }

  close(): void {
    this.socket.terminate();
  }

  private answer(wanted: (answer: Answer) => boolean): Promise<Answer> {
    const socket = this.socket;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(late);
        socket.off('message', hear).off('close', closed);
        act();
      };
      const hear = (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as Answer;
        if (wanted(answer)) settle(() => resolve(answer));
      };
      const closed = () => settle(() => reject(new Error('the server closed the connection')));
      const late = setTimeout(() => settle(() => reject(new Error('the server did not answer in 10 s'))), PATIENCE_MS);
      socket.on('message', hear).once('close', closed);
    });
  }
}
