import { Pill, PillsInput } from '@mantine/core';
import { email as emailRule, inviteEmails } from '@warren/rules/emails';
import { useState } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { messages } from '../lib/messages.ts';
import { problemOf } from '../lib/validate.ts';

const text = messages.groups;

interface EmailChipsProps {
  value: string[];
  onChange: (emails: string[]) => void;
}

const clean = (entry: string) => entry.trim().toLowerCase();

/** Returns why an address can't be added; undefined if it can. */
function objection(list: string[], entry: string): string | undefined {
  const problem = problemOf(emailRule, entry);
  if (problem) return problem;
  if (list.includes(clean(entry))) return text.emailAgain(clean(entry));
  return problemOf(inviteEmails, [...list, entry]);
}

/** Edits e-mail addresses as chips: space, Tab or Enter adds one, pasting adds many. */
export function EmailChips({ value, onChange }: EmailChipsProps) {
  const [entry, setEntry] = useState('');
  const [error, setError] = useState<string>();
  const add = (entries: string[]) => {
    const list = [...value];
    const left: string[] = [];
    let problem: string | undefined;
    for (const one of entries.filter((part) => part !== '')) {
      const reason = objection(list, one);
      if (reason) left.push(one);
      else list.push(clean(one));
      problem ??= reason;
    }
    setError(problem);
    setEntry(left.join(' '));
    if (list.length !== value.length) onChange(list);
  };
  const press = (event: KeyboardEvent) => {
    if (['Enter', 'Tab', ' ', ','].includes(event.key) && entry.trim() !== '') {
      event.preventDefault();
      add([entry.trim()]);
    } else if (event.key === ' ') event.preventDefault();
    else if (event.key === 'Backspace' && entry === '') onChange(value.slice(0, -1));
  };
  const paste = (event: ClipboardEvent) => {
    const parts = event.clipboardData.getData('text').split(/[\s,;]+/);
    if (parts.length < 2) return;
    event.preventDefault();
    add(parts);
  };
  return (
    <PillsInput label={text.emails} required description={`${text.emailsHint} ${text.emailsKeys}`} error={error}>
      <Pill.Group>
        {value.map((address) => (
          <Pill
            key={address}
            withRemoveButton
            removeButtonProps={{ 'aria-label': text.removeEmail(address), 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => onChange(value.filter((one) => one !== address))}
          >
            {address}
          </Pill>
        ))}
        <PillsInput.Field
          aria-required
          aria-invalid={error !== undefined}
          inputMode="email"
          data-autofocus
          autoComplete="off"
          value={entry}
          onChange={(event) => {
            setEntry(event.currentTarget.value);
            setError(undefined);
          }}
          onKeyDown={press}
          onPaste={paste}
          onBlur={() => (entry.trim() === '' ? undefined : add([entry.trim()]))}
        />
      </Pill.Group>
    </PillsInput>
  );
}
