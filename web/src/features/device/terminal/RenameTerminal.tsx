import { ActionIcon, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { terminalName, TERMINAL_LIMITS } from '@warren/rules/terminals';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import { terminalsApi } from '../../../lib/api/generated/terminals.ts';
import type { Terminal } from '../../../lib/api/types.ts';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import classes from './TerminalList.module.css';

interface RenameTerminalProps {
  device: string;
  one: Terminal;
  onLeave: () => void;
  onRenamed: () => unknown;
}

/** The name of a terminal as a field, in place: Enter saves, Escape leaves. */
export function RenameTerminal({ device, one, onLeave, onRenamed }: RenameTerminalProps) {
  const [change, { isLoading }] = terminalsApi.useChangeTerminalMutation();
  const [name, setName] = useState(one.name);
  const [problem, setProblem] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = terminalName.safeParse(name);
    if (!parsed.success) return setProblem(problemOf(name));
    if (parsed.data === one.name) return onLeave();
    const answer = await change({ id: device, session: one.session, changeTerminal: { name: parsed.data } });
    if (answer.error) return setProblem(errorText(answer.error, text.nameFailed));
    await onRenamed();
    onLeave();
  };
  return (
    <form
      className={classes.naming}
      data-unsent={name === one.name ? undefined : true}
      noValidate
      onSubmit={(event) => void save(event)}
    >
      <TextInput
        className={classes.field ?? ''}
        size="xs"
        autoFocus
        aria-label={text.nameLabel}
        placeholder={one.command || text.unknown}
        value={name}
        error={problem}
        readOnly={isLoading}
        // Escape leaves the field, not the dialog around it.
        data-mantine-stop-propagation="true"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onLeave();
        }}
      />
      <ActionIcon type="submit" size={28} variant="subtle" aria-label={text.nameSave} loading={isLoading}>
        <IconCheck size={16} />
      </ActionIcon>
      <ActionIcon size={28} variant="subtle" color="gray" aria-label={text.nameCancel} onClick={onLeave}>
        <IconX size={16} />
      </ActionIcon>
    </form>
  );
}

function problemOf(name: string): string {
  const { name: most } = TERMINAL_LIMITS;
  return Array.from(name.trim()).length > most ? text.nameTooLong(most) : text.nameInvalid;
}
