import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import type { CredentialKind, Credentials } from '../../../sockets/desktop/types.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import type { DesktopControl, Question } from './useDesktop.ts';
import classes from './Desktop.module.css';

interface DesktopQuestionProps {
  name: string;
  desktop: DesktopControl;
  question: Question;
}

/** The VNC server's request for credentials, in place of the picture. */
export function DesktopQuestion({ name, desktop, question }: DesktopQuestionProps) {
  const title = question.kind === 'verify' ? text.verify.title : text.credentials.title;
  return (
    <section className={classes.notice} aria-label={title}>
      <h2 className={classes.helpTitle}>{title}</h2>
      {question.kind === 'verify' ? (
        <DialogForm
          confirm={text.verify.confirm}
          busy={false}
          onConfirm={question.approve}
          onCancel={desktop.disconnect}
        >
          <Text size="sm">{text.verify.lead(name)}</Text>
          <code className="mono">{question.key}</code>
        </DialogForm>
      ) : (
        <CredentialsForm name={name} desktop={desktop} kinds={question.kinds} />
      )}
    </section>
  );
}

/** RFC 6143 uses only 8 characters of a password; other servers use more, and noVNC truncates at 255. */
const MAX_LENGTH = 255;

function CredentialsForm({
  name,
  desktop,
  kinds,
}: Omit<DesktopQuestionProps, 'question'> & { kinds: CredentialKind[] }) {
  const [given, setGiven] = useState<Credentials>({});
  const set = (kind: CredentialKind) => (event: { currentTarget: { value: string } }) =>
    setGiven({ ...given, [kind]: event.currentTarget.value });
  return (
    <DialogForm
      confirm={text.credentials.confirm}
      disabled={kinds.some((kind) => !given[kind])}
      busy={false}
      onConfirm={() => desktop.signIn(given)}
      onCancel={desktop.disconnect}
    >
      <Text size="sm">{text.credentials.lead(name)}</Text>
      {kinds.map((kind, index) => {
        const shared = {
          label: text.credentials[kind],
          value: given[kind] ?? '',
          maxLength: MAX_LENGTH,
          required: true,
          autoFocus: index === 0,
          autoComplete: 'off',
          onChange: set(kind),
        };
        return kind === 'password' ? <PasswordInput key={kind} {...shared} /> : <TextInput key={kind} {...shared} />;
      })}
    </DialogForm>
  );
}
