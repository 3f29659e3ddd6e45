import { Button } from '@mantine/core';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { failed, succeeded } from '../../../lib/toast.ts';
import type { Views } from './useViews.ts';

const text = fleet.views;

/** Saves what the list shows; not there while a view has it already. */
export function SaveViewButton({ views, onSave }: { views: Views; onSave: () => void }) {
  const [replace, { isLoading }] = deviceActionsApi.useReplaceFilterMutation();
  const { current, isUnsaved, mayUpdate, shown } = views;
  if (!isUnsaved) return null;
  if (!mayUpdate || !current) {
    return (
      <Button variant="light" onClick={onSave}>
        {text.save}
      </Button>
    );
  }
  const update = () =>
    void replace({ id: current.id, replaceFilter: { ...shown, name: current.name } })
      .unwrap()
      .then(
        () => succeeded(text.saved, current.name),
        (error: unknown) => failed(error),
      );
  return (
    <Button variant="light" loading={isLoading} onClick={update}>
      {text.update}
    </Button>
  );
}
