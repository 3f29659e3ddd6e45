import { MantineProvider } from '@mantine/core';
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { EmailChips } from './EmailChips.tsx';

let chosen: string[];

function Chips() {
  const [emails, setEmails] = useState<string[]>([]);
  chosen = emails;
  return <EmailChips value={emails} onChange={setEmails} />;
}

function open() {
  render(
    <MantineProvider env="test">
      <Chips />
    </MantineProvider>,
  );
  return { user: userEvent.setup(), field: screen.getByRole('textbox', { name: 'Email addresses' }) };
}

describe('e-mail addresses as chips', () => {
  it('are entered with space, Enter and Tab', async () => {
    const { user, field } = open();
    await user.type(field, 'a@b.co c@d.co{Enter}e@f.co{Tab}');
    expect(chosen).toEqual(['a@b.co', 'c@d.co', 'e@f.co']);
    expect(field).toHaveFocus();
  });

  it('must be e-mail addresses, without duplicates', async () => {
    const { user, field } = open();
    await user.type(field, 'nobody ');
    expect(screen.getByText('Please enter a valid email address.')).toBeInTheDocument();
    await user.clear(field);
    await user.type(field, 'a@b.co A@B.co ');
    expect(screen.getByText('a@b.co is already in the list.')).toBeInTheDocument();
    expect(chosen).toEqual(['a@b.co']);
  });

  it('are at most ten, also after pasting', async () => {
    const { user, field } = open();
    await user.click(field);
    await user.paste(Array.from({ length: 11 }, (_, index) => `u${index}@b.co`).join('\n'));
    expect(chosen).toHaveLength(10);
    expect(screen.getByText('Reduce the number of email addresses to no more than 10.')).toBeInTheDocument();
  });

  it('are removed by their button', async () => {
    const { user, field } = open();
    await user.type(field, 'a@b.co c@d.co ');
    await user.click(screen.getByRole('button', { name: 'Remove a@b.co' }));
    expect(chosen).toEqual(['c@d.co']);
  });
});
