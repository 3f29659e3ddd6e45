import { TagsInput } from '@mantine/core';
import { labelKey, parseLabels } from '@warren/rules/labels';
import { useState } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { LabelDevices } from '../../lib/api/types.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { succeeded } from '../../lib/toast.ts';
import { problemOf } from '../../lib/validate.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';

const text = fleet.labels;

interface EditLabelsProps {
  /** The devices: by id, or all that a filter finds. */
  devices: Pick<LabelDevices, 'ids' | 'filter' | 'account'>;
  /** What the devices' labels may be completed with. */
  known: Readonly<Record<string, readonly string[]>>;
  onDone: () => void;
  onClose: () => void;
}

/** Sets and removes labels of many devices at once. */
export function EditLabels({ devices, known, onDone, onClose }: EditLabelsProps) {
  const [label, state] = deviceActionsApi.useLabelDevicesMutation();
  const [set, setSet] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const parsed = parseLabels(set.join(','));
  const setProblem = 'message' in parsed ? text.problem(parsed.part, parsed.message) : undefined;
  const wrongKey = remove.find((key) => problemOf(labelKey, key) !== undefined);
  const removeProblem =
    wrongKey === undefined ? undefined : text.problem(wrongKey, problemOf(labelKey, wrongKey) ?? '');
  const confirm = async () => {
    if (!('labels' in parsed)) return;
    const answer = await label({ labelDevices: { ...devices, set: parsed.labels, remove } });
    if (answer.error) return;
    onDone();
    succeeded(text.title, text.changed(answer.data.changed));
  };
  const pairs = Object.entries(known).flatMap(([key, values]) => values.map((value) => `${key}=${value}`));
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.save}
      disabled={setProblem !== undefined || removeProblem !== undefined || set.length + remove.length === 0}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TagsInput
        data-autofocus
        label={text.set}
        description={text.setHelp}
        data={pairs}
        limit={50}
        value={set}
        error={setProblem}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        clearable
        onChange={setSet}
      />
      <TagsInput
        label={text.unset}
        description={text.unsetHelp}
        data={Object.keys(known)}
        value={remove}
        error={removeProblem}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        clearable
        onChange={setRemove}
      />
    </DialogForm>
  );
}
