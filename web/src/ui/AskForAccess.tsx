import { Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { ACCESS_REQUEST_LIMITS, DEFAULT_ACCESS_RULES } from '@warren/rules/access-requests';
import { GRANT_PERMISSIONS, grantFilter } from '@warren/rules/grants';
import { useState } from 'react';
import { errorText } from '../lib/api/errors.ts';
import type { AccessRequest, Device } from '../lib/api/types.ts';
import { requestsApi } from '../lib/api/requests.ts';
import { nameOf } from '../lib/device-access.ts';
import { access } from '../lib/messages/access.ts';
import { accessRequests } from '../lib/messages/access-requests.ts';
import { missingOn } from '../lib/request-access.ts';
import { durationsUpTo, usualDuration } from '../lib/request-durations.ts';
import { succeeded } from '../lib/toast.ts';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';
import { FilterField } from './filter/FilterField.tsx';
import { useKnownValues } from './filter/useKnownValues.ts';
import type { DialogControl } from './useDialog.ts';

const text = accessRequests.ask;

type Permissions = AccessRequest['permissions'];

/** Asks for access to a device. */
export function AskDialog({ control }: { control: DialogControl<Device> }) {
  return (
    <Dialog control={control} title={text.title}>
      {(device) => <AskForm account={device.account.id} device={device} onClose={control.close} />}
    </Dialog>
  );
}

interface AskFormProps {
  account: string;
  /** Without it, a filter selects the devices. */
  device?: Device;
  onClose: () => void;
}

/** The form of an access request. */
export function AskForm({ account, device, onClose }: AskFormProps) {
  const { data: rules } = requestsApi.useGetAccessRulesQuery({ id: account });
  const [create, creation] = requestsApi.useCreateAccessRequestMutation();
  const longest = rules?.longest_minutes ?? DEFAULT_ACCESS_RULES.longestMinutes;
  const offered = device ? missingOn(device) : GRANT_PERMISSIONS.filter((name) => name !== 'view');
  const [permissions, setPermissions] = useState<Permissions>(() => offered.slice(0, 1));
  const [filter, setFilter] = useState('');
  const [minutes, setMinutes] = useState<string>();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const problem = grantFilter.safeParse(filter).error?.issues[0]?.message;
  const confirm = async () => {
    setTried(true);
    if (permissions.length === 0 || reason.trim() === '' || problem !== undefined) return;
    const about = device ? { device: device.id } : { filter: filter.trim() };
    const content = { permissions, reason: reason.trim(), minutes: Number(minutes ?? usualDuration(longest)) };
    const answer = await create({ id: account, createAccessRequest: { ...about, ...content } });
    if (answer.error) return;
    onClose();
    succeeded(text.done, text.doneDetail);
  };
  return (
    <DialogForm
      problem={creation.error && errorText(creation.error, text.failed)}
      confirm={text.confirm}
      busy={creation.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {device ? (
        <TextInput readOnly label={text.device} value={nameOf(device)} />
      ) : (
        <Devices account={account} filter={filter} problem={tried ? problem : undefined} onChange={setFilter} />
      )}
      <Checkbox.Group
        label={text.may}
        value={permissions}
        error={tried && permissions.length === 0 ? text.pick : undefined}
        onChange={(chosen) => setPermissions(offered.filter((name) => chosen.includes(name)))}
      >
        <Stack gap="xs" mt={8}>
          {offered.map((name) => (
            <Checkbox key={name} value={name} label={access.permissions[name]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={text.minutes}
        data={durationsUpTo(longest)}
        value={minutes ?? usualDuration(longest)}
        allowDeselect={false}
        onChange={(value) => setMinutes(value ?? undefined)}
      />
      <Textarea
        required
        data-autofocus
        label={text.reason}
        description={text.reasonHelp}
        maxLength={ACCESS_REQUEST_LIMITS.reason}
        value={reason}
        error={tried && reason.trim() === '' ? text.reasonMissing : undefined}
        onChange={(event) => setReason(event.currentTarget.value.replace(/\s+/g, ' '))}
      />
    </DialogForm>
  );
}

interface DevicesProps {
  account: string;
  filter: string;
  problem: string | undefined;
  onChange: (filter: string) => void;
}

function Devices({ account, filter, problem, onChange }: DevicesProps) {
  const known = useKnownValues(account, undefined, true);
  return (
    <FilterField
      label={text.devices}
      description={text.devicesHelp}
      placeholder={access.allDevices}
      value={filter}
      known={known}
      problem={problem}
      onChange={onChange}
    />
  );
}
