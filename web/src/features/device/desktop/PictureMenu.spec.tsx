import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { show } from '../../../testing/render.tsx';
import { ClipboardMenu } from './ClipboardMenu.tsx';
import { PictureMenu } from './PictureMenu.tsx';

const picture = {
  size: 'fit',
  adapt: true,
  levels: { quality: 6, compression: 2 },
  viewOnly: false,
  setSize: jest.fn(),
};

it.each([
  ['Picture settings', <PictureMenu key="picture" picture={picture as never} />],
  [
    'Clipboard',
    <ClipboardMenu key="clipboard" desktop={{ copied: '', host: { current: null } } as never} disabled={false} />,
  ],
])('opens a dialog named %s, which its button says', async (name, element) => {
  new FakeHub();
  show([{ path: '/', element }], '/');
  const button = screen.getByRole('button', { name });
  await userEvent.setup().click(button);
  expect(await screen.findByRole('dialog', { name })).toBeVisible();
  expect(button).toHaveAttribute('aria-expanded', 'true');
});
