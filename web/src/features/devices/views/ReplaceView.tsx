import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import { errorText } from '../../../lib/api/errors.ts';
import type { SavedFilter } from '../../../lib/api/types.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { undoable } from '../../../ui/undoable.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { contentOf, type Shown } from './view.ts';

const text = fleet.views;

interface ReplaceViewProps {
  /** Those that the person may change. */
  views: readonly SavedFilter[];
  current: SavedFilter | undefined;
  shown: Shown;
  onDone: (view: SavedFilter) => void;
  onClose: () => void;
}

/** Puts what the list shows in place of what a view shows; its name stays. */
export function ReplaceView({ views, current, shown, onDone, onClose }: ReplaceViewProps) {
  const [replace, state] = deviceActionsApi.useReplaceFilterMutation();
  const [id, setId] = useState(current?.id ?? views[0]?.id ?? null);
  const view = views.find((one) => one.id === id);
  const confirm = async () => {
    if (!view) return;
    const answer = await replace({ id: view.id, replaceFilter: { ...shown, name: view.name } });
    if (answer.error) return;
    onDone(view);
    const before = { ...contentOf(view), name: view.name };
    undoable(text.replaced, view.name, () => replace({ id: view.id, replaceFilter: before }).unwrap());
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.replace}
      disabled={!view}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.replaceLead(shown.filter)}</Text>
      <Select
        data-autofocus
        label={text.view}
        allowDeselect={false}
        data={views.map((one) => ({ value: one.id, label: one.name }))}
        value={id}
        onChange={setId}
      />
    </DialogForm>
  );
}
