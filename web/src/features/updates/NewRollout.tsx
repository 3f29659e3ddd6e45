import { Alert, NumberInput, SegmentedControl, Select, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { ALL } from '../../lib/access.ts';
import { errorText } from '../../lib/api/errors.ts';
import { updatesApi } from '../../lib/api/updates.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { succeeded } from '../../lib/toast.ts';
import { AccountPicker } from '../../ui/AccountPicker.tsx';
import type { PickedAccount } from '../../ui/AccountPicker.tsx';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useVersion } from './useVersion.ts';

/** A cautious first share. */
const FIRST_SHARE = 10;

/** Offers a version to a share of the devices of an account, or of all. */
export function NewRollout({ onClose }: { onClose: () => void }) {
  const [start, state] = updatesApi.useStartRolloutMutation();
  const [scope, setScope] = useState('all');
  const [account, setAccount] = useState<PickedAccount | null>(null);
  const [share, setShare] = useState(FIRST_SHARE);
  const target = scope === 'all' ? ALL : account?.id;
  const { version, versions, choose, others } = useVersion(target);
  const confirm = async () => {
    if (!version || !target) return;
    const answer = await start({ startRollout: { version, account: target, share } });
    if (answer.error) return;
    onClose();
    succeeded(text.begun, text.begunDetail(version, share));
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.startFailed)}
      confirm={text.begin}
      disabled={!version || !target}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.startLead}</Text>
      <Select
        label={text.version}
        placeholder={text.versionNone}
        data={versions}
        value={version}
        allowDeselect={false}
        onChange={choose}
      />
      <SegmentedControl
        aria-label={text.scope}
        value={scope}
        onChange={setScope}
        data={[
          { value: 'all', label: text.all },
          { value: 'one', label: text.one },
        ]}
      />
      {scope === 'one' ? <AccountPicker label={text.account} except="" value={account} onChange={setAccount} /> : null}
      {version && others !== undefined ? <Effect version={version} others={others} /> : null}
      <ShareInput value={share} least={1} onChange={setShare} />
      <Text c="dimmed">{text.stopNote}</Text>
    </DialogForm>
  );
}

/** How many devices the rollout could update. */
function Effect({ version, others }: { version: string; others: number }) {
  return others === 0 ? (
    <Alert color="yellow" variant="light" role="status" icon={<IconInfoCircle size={18} />}>
      {text.noEffect(version)}
    </Alert>
  ) : (
    <Text>{text.effect(others)}</Text>
  );
}

interface ShareInputProps {
  value: number;
  least: number;
  onChange: (share: number) => void;
}

/** Percent of the devices. */
export function ShareInput({ value, least, onChange }: ShareInputProps) {
  return (
    <NumberInput
      label={text.share}
      description={text.shareHint}
      suffix=" %"
      min={least}
      max={100}
      clampBehavior="strict"
      allowDecimal={false}
      value={value}
      onChange={(given) => setWhole(given, onChange)}
    />
  );
}

function setWhole(given: number | string, onChange: (share: number) => void): void {
  const whole = Math.trunc(Number(given));
  if (whole > 0) onChange(whole);
}
