import { useState } from 'react';
import type { ReactNode } from 'react';
import { errorText } from '../lib/api/errors.ts';
import { succeeded } from '../lib/toast.ts';
import { problemOf } from '../lib/validate.ts';
import type { Rule } from '../lib/validate.ts';
import { DialogForm } from './DialogForm.tsx';
import { NameInput } from './NameInput.tsx';

interface CreateNamedProps {
  /** Validates the name. */
  rule: Rule & { parse: (value: unknown) => string };
  text: { name: string; create: string; createFailed: string };
  /** The toast after it is created. */
  done: { title: string; detail: (name: string) => string };
  state: { isLoading: boolean; error?: unknown };
  create: (name: string) => Promise<{ error?: unknown }>;
  onClose: () => void;
  /** Further fields, below the name. */
  children: ReactNode;
}

/** The content of a dialog that creates an object with a name. */
export function CreateNamed({ rule, text, done, state, create, onClose, children }: CreateNamedProps) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const problem = problemOf(rule, name);
  const confirm = async () => {
    setTried(true);
    if (problem) return;
    const made = rule.parse(name);
    const answer = await create(made);
    if (answer.error) return;
    onClose();
    succeeded(done.title, done.detail(made));
  };
  return (
    <DialogForm
      problem={state.error ? errorText(state.error, text.createFailed) : undefined}
      confirm={text.create}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <NameInput label={text.name} value={name} onChange={setName} error={tried ? problem : undefined} />
      {children}
    </DialogForm>
  );
}
