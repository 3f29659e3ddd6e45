import { expect, it } from '@jest/globals';
import { DeliveryError } from '../outbound/delivery.error.ts';
import { SealedColumns, type SealedRow, type SigningRow } from './sealed.columns.ts';
import { SecretBox } from './secret.box.ts';

const [FORMER, PRESENT, LOST] = ['former', 'present', 'lost'].map((name) => `the-${name}-key-of-these-tests-alone`);

type Row = SealedRow & SigningRow;

class Secrets extends SealedColumns {
  constructor(keys: (string | undefined)[], rows: Row[]) {
    super(new SecretBox(keys.filter((key) => key !== undefined)), {
      name: 'rows',
      withoutKey: 'needs a key.',
      notAgain: 'Not sealed again.',
      read: (after) => Promise.resolve(rows.filter(({ id }) => id > after)),
      replace: (former, fresh) => Promise.resolve(void Object.assign(former, fresh)),
      forget: () => {
        const expired = rows.filter(({ formerUntil }) => formerUntil && formerUntil < new Date());
        for (const row of expired) Object.assign(row, { formerSecret: null, formerUntil: null });
        return Promise.resolve();
      },
    });
  }
}

it('seals again with the present key, and leaves former secrets out whose time is over', async () => {
  const id = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
  const row: Row = { id, url: null, secret: null, formerSecret: null, formerUntil: new Date(0) };
  row.formerSecret = new Secrets([LOST], []).seal('formerSecret', id, 'an old secret');
  row.secret = new Secrets([FORMER], []).seal('secret', id, 'a secret');
  await new Secrets([PRESENT, FORMER], [row]).onApplicationBootstrap();
  expect(row).toMatchObject({ formerSecret: null, formerUntil: null });
  expect(new Secrets([PRESENT], []).signing(row)).toEqual(['a secret']);
});

it('reports a value that cannot be opened as a failed delivery', () => {
  const secrets = new Secrets([PRESENT], []);
  expect(() => secrets.readable(() => secrets.open('url', { id: 'x', url: Buffer.from('other') }))).toThrow(
    DeliveryError,
  );
});
