/**
 * Kills the process with SIGKILL at a step between a change in Redis and its published audit event:
 * `FAULT=STEP ACTION=session.sign_in node --import fault.preload.ts main.js`. Run by Node itself, on what was compiled.
 */
import { die } from '@warren/infra/fault';

interface Outbox {
  record(events: readonly Told[], ...more: unknown[]): Promise<unknown[]>;
  stored(event: Told): void;
}
interface Told {
  kind: { value?: { action?: string } };
}
interface Publishing {
  publishBytes(id: string, subject: string, payload: Uint8Array): Promise<void>;
}

const { FAULT: step = '', ACTION: action = '' } = process.env;
const isMeant = ({ kind }: Told) => kind.value?.action === action;

const { RedisOutbox } = (await import('@warren/platform/events/redis.outbox')) as {
  RedisOutbox: { prototype: Outbox };
};
const { EventBus } = (await import('@warren/platform/events/event.bus')) as { EventBus: { prototype: Publishing } };

const { record, stored } = RedisOutbox.prototype;
RedisOutbox.prototype.record = async function (events, ...more) {
  if (!events.some(isMeant)) return record.call(this, events, ...more);
  if (step === 'before it is stored') await die();
  const answers = await record.call(this, events, ...more);
  if (step === 'after it is stored') await die();
  return answers;
};
// A script has stored it.
RedisOutbox.prototype.stored = function (event) {
  if (isMeant(event) && step === 'after it is stored') void die();
  else stored.call(this, event);
};

const { publishBytes } = EventBus.prototype;
EventBus.prototype.publishBytes = async function (...event) {
  const isMeantHere = Buffer.from(event[2]).includes(action);
  if (isMeantHere && step === 'before it is published') await die();
  await publishBytes.apply(this, event);
  if (isMeantHere && step === 'before it leaves the outbox') await die();
};
