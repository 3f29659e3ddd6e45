/**
 * Tenancy in a process that kills itself with SIGKILL at a step of a mail about an access request. Run by Node itself, on what was compiled:
 * `node mail-fault.process.ts STEP`; without a step it works until it is killed.
 */
import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { Mailer } from '@warren/platform/mail/mailer';
import { Queue } from 'bullmq';

/** By its address at run time: this file is compiled with the tests, the service without them. */
const SERVICE = new URL('../dist/service.js', import.meta.url).href;
const [step = 'none'] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

function killAt(): void {
  const send = Mailer.prototype.send;
  if (step === 'before it is queued') Queue.prototype.addBulk = die as never;
  if (step === 'before it is sent') Mailer.prototype.send = die as never;
  if (step === 'before it is marked')
    Mailer.prototype.send = async function (this: Mailer, letter) {
      await send.call(this, letter);
      die();
      return [];
    };
}

killAt();
const { tenancy } = (await import(SERVICE)) as {
  tenancy: { prepare(env: NodeJS.ProcessEnv): { start(): Promise<INestApplicationContext> } };
};
await tenancy.prepare(process.env).start();
