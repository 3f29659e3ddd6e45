import { TextInput } from '@mantine/core';
import { savedFilterName } from '@warren/rules/filter/saved';
import { useState } from 'react';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import { errorText } from '../../../lib/api/errors.ts';
import type { SavedFilter } from '../../../lib/api/types.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { succeeded } from '../../../lib/toast.ts';
import { problemOf } from '../../../lib/validate.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { contentOf } from './view.ts';

const text = fleet.views;

/** Gives a view another name; what it shows stays. */
export function RenameView({ view, onClose }: { view: SavedFilter; onClose: () => void }) {
  const [replace, state] = deviceActionsApi.useReplaceFilterMutation();
  const [name, setName] = useState(view.name);
  const problem = problemOf(savedFilterName, name);
  const confirm = async () => {
    const renamed = savedFilterName.parse(name);
    const answer = await replace({ id: view.id, replaceFilter: { ...contentOf(view), name: renamed } });
    if (answer.error) return;
    onClose();
    succeeded(text.renamed, renamed);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.rename}
      disabled={problem !== undefined || name.trim() === view.name}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        autoComplete="off"
        label={text.name}
        value={name}
        error={name === '' ? undefined : problem}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
