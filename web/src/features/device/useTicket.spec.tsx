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
