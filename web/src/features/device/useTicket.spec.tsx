import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { FakeHub } from '../../testing/fake-hub.ts';
import { show } from '../../testing/render.tsx';
import { useTicket } from './useTicket.ts';

function Asking() {
  const ask = useTicket('d1', 'terminal', 'given');
  const [tokens, setTokens] = useState<string[]>([]);
  const more = () => void ask().then(({ token, device }) => setTokens((now) => [...now, `${token} for ${device}`]));
  return (
    <button type="button" onClick={more}>
      {tokens.join(', ') || 'none'}
    </button>
  );
}

it('takes the given token for the first connection alone', async () => {
  const info = { user_id: 'u', device_sid: 'link-1' };
  const hub = new FakeHub()
    .on(/^\/socketsio\/get_device_info\/d1$/, () => ({ body: info }))
    .on(/^\/api\/get-socket-token\/d1$/, () => ({ body: { ...info, token: 'fresh' } }));
  show([{ path: '/', element: <Asking /> }], '/');
  await userEvent.click(await screen.findByRole('button'));
  expect(await screen.findByText('given for link-1')).toBeInTheDocument();
  expect(hub.asked.map((url) => url.pathname)).toEqual(['/socketsio/get_device_info/d1']);
  await userEvent.click(screen.getByRole('button'));
  expect(await screen.findByText('given for link-1, fresh for link-1')).toBeInTheDocument();
});

function Two() {
  const [one, other] = [useTicket('d1', 'terminal'), useTicket('d1', 'terminal')];
  const [tokens, setTokens] = useState<string[]>([]);
  const both = () => void Promise.all([one(), other()]).then((all) => setTokens(all.map(({ token }) => token)));
  return (
    <button type="button" onClick={both}>
      {tokens.join(', ') || 'none'}
    </button>
  );
}

it('gives terminals that open at once a token each', async () => {
  let count = 0;
  new FakeHub().on(/^\/api\/get-socket-token\/d1$/, () => ({
    body: { user_id: 'u', device_sid: 'link-1', token: `token ${++count}` },
  }));
  show([{ path: '/', element: <Two /> }], '/');
  await userEvent.click(await screen.findByRole('button'));
  expect(await screen.findByText('token 1, token 2')).toBeInTheDocument();
});
