import { Radio, Stack, TextInput } from '@mantine/core';
import { savedFilterName } from '@warren/rules/filter/saved';
import { useState } from 'react';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import { errorText } from '../../../lib/api/errors.ts';
import type { SavedFilter } from '../../../lib/api/types.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { succeeded } from '../../../lib/toast.ts';
import { problemOf } from '../../../lib/validate.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import type { Shown } from './view.ts';

const text = fleet.views;

interface SaveViewProps {
  shown: Shown;
  /** The account that it may be shared with. */
  share: { id: string; name: string } | undefined;
  onDone: (view: SavedFilter) => void;
  onClose: () => void;
}

/** Saves what the list shows under a name. */
export function SaveView({ shown, share, onDone, onClose }: SaveViewProps) {
  const [save, state] = deviceActionsApi.useSaveFilterMutation();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'person' | 'account'>('person');
  const problem = problemOf(savedFilterName, name);
  const confirm = async () => {
    const owner = scope === 'account' && share ? { scope, account: share.id } : { scope: 'person' as const };
    const answer = await save({ saveFilter: { ...shown, ...owner, name: savedFilterName.parse(name) } });
    if (answer.error) return;
    onDone(answer.data.result);
    succeeded(text.saved, answer.data.result.name);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.save}
      disabled={problem !== undefined}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        autoComplete="off"
        label={text.name}
        description={text.nameHelp}
        value={name}
        error={name === '' ? undefined : problem}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {share ? (
        <Radio.Group
          label={text.scope}
          value={scope}
          onChange={(value) => setScope(value === 'account' ? 'account' : 'person')}
        >
          <Stack gap={8} mt={8}>
            <Radio value="person" label={text.person} />
            <Radio value="account" label={text.account(share.name)} />
          </Stack>
        </Radio.Group>
      ) : null}
    </DialogForm>
  );
}
