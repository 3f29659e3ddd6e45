/**
 * Kills the process with SIGKILL at a step between a session and its stored events: `FAULT=STEP node --import fault.preload.ts main.js`.
 * Run by Node itself, on what was compiled.
 */
import { die } from '@warren/infra/fault';

interface Replacing {
  hold(...args: unknown[]): Promise<unknown>;
  replace(id: string, event?: object, next?: object): Promise<void>;
}
interface Publishing {
  publishBytes(id: string, subject: string, payload: Uint8Array): Promise<void>;
}

const step = process.env['FAULT'] ?? '';

const dist = (path: string): string => new URL(`../dist/${path}`, import.meta.url).href;
const { PendingEvents } = (await import(dist('audit/pending.events.js'))) as {
  PendingEvents: { prototype: Replacing };
};
const { EventBus } = (await import('@warren/platform/events/event.bus')) as { EventBus: { prototype: Publishing } };

const { hold, replace } = PendingEvents.prototype;
PendingEvents.prototype.hold = async function (...args) {
  if (step === 'before it is held') await die();
  const held = await hold.apply(this, args);
  if (step === 'before the device is asked') await die();
  return held;
};
PendingEvents.prototype.replace = async function (id, event, next) {
  const what = next ? 'start' : 'end';
  if (step === `before the ${what} is stored`) await die();
  await replace.call(this, id, event, next);
  if (step === `after the ${what} is stored`) await die();
};

const { publishBytes } = EventBus.prototype;
EventBus.prototype.publishBytes = async function (...event) {
  const isAudit = event[1].endsWith('.audit');
  if (isAudit && step === 'before the start is published') await die();
  await publishBytes.apply(this, event);
  if (isAudit && step === 'before the start leaves the outbox') await die();
};
