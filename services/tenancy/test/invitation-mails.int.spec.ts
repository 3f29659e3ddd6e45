import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';
import { until } from '@warren/infra/until';
import { mailsTotal, mailsWaiting } from '../src/telemetry/metrics.ts';
import { fresh, InvitationWorld, redisDump } from './invitation.world.ts';

async function counted() {
  const { values } = await mailsTotal.get();
  const of = (result: string) => values.find(({ labels }) => labels.result === result)?.value ?? 0;
  return { sent: of('sent'), failed: of('failed') };
}

describe('mails of invitations', () => {
  const w = new InvitationWorld();
  const { send, list, row, mailed } = w;

  beforeAll(() => w.start());
  beforeEach(() => w.calm());
  afterAll(() => w.stop());

  describe('a mail server', () => {
    it('that refuses first and works later delays mails and loses none', async () => {
      const before = await counted();
      w.mail.refusal = { code: 450, text: 'Greylisted,\r\ncome again' };
      const emails = Array.from({ length: 10 }, fresh);
      await send(emails);
      await until(async () => (await row(emails[9]!))?.delivery === Delivery.FAILING);
      expect(await row(emails[9]!)).toMatchObject({
        deliveryProblem: expect.stringMatching(/^The mail server says: 450 Greylisted/),
      });
      w.mail.refusal = undefined;
      await until(() => emails.every((email) => w.mail.to(email).length === 1));
      await until(async () => (await list()).invitations!.every(({ delivery }) => delivery === Delivery.SENT));
      expect((await row(emails[0]!))?.deliveryProblem).toBe('');
      await until(async () => (await counted()).sent - before.sent === 10);
      const after = await counted();
      expect(after.failed - before.failed).toBeGreaterThan(0);
      await until(async () => (await mailsWaiting.get()).values[0]?.value === 0);
    });

    it('that is away is waited for', async () => {
      const email = fresh();
      await w.mail.stop();
      await send([email]);
      await until(async () => (await row(email))?.deliveryProblem === 'The mail server does not answer.');
      await w.mail.start();
      await mailed(email);
    });
  });

  it('are mailed though Redis lost what it had', async () => {
    const email = fresh();
    w.mail.refusal = { code: 450, text: 'later' };
    await send([email]);
    await until(async () => (await row(email))?.delivery === Delivery.FAILING);
    await w.redis.kill();
    await w.redis.start();
    expect(await redisDump(w.redis.url)).not.toContain('mailing');
    w.mail.refusal = undefined;
    // As after half a minute.
    await w.source.query(`UPDATE invitations SET enqueued_at = now() - interval '31 seconds' WHERE email = $1`, [
      email,
    ]);
    await mailed(email);
  });

  it('are mailed though Redis was away', async () => {
    const email = fresh();
    await w.redis.kill();
    await send([email]);
    expect(await row(email)).toMatchObject({ delivery: Delivery.QUEUED });
    await w.redis.start();
    await mailed(email);
  });
});
