import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import type { Device } from '../../lib/api/types.ts';
import { mayEnrolDevices, nameOf } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { machines as text } from '../../lib/messages/machines.ts';
import { replace as replaceText } from '../../lib/messages/replace.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Fields } from '../../ui/Fields.tsx';
import { When } from '../../ui/When.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import type { DialogControl } from '../../ui/useDialog.ts';
import classes from './Machines.module.css';

type Machine = Device['machines'][number];
type Decision = 'replace' | 'separate';

/** Shows machines that use the device's identity, and asks which one the device is; renders nothing otherwise. */
export function Machines({ device }: { device: Device }) {
  const dialogs = { replace: useDialog<Machine>(), separate: useDialog<Machine>() };
  const decide = mayEnrolDevices(useSession());
  if (device.machines.length === 0) return null;
  return (
    <Stack gap="sm">
      {device.machines.map((machine) =>
        machine.separates === 'Yes' ? (
          <Text key={machine.serial} size="sm" role="status">
            {text.separates(machine.serial)}
          </Text>
        ) : (
          <Waiting key={machine.serial} device={device} machine={machine} dialogs={decide ? dialogs : undefined} />
        ),
      )}
      <Dialog control={dialogs.replace} title={replaceText.hardware.title}>
        {(machine) => <Replace device={device} machine={machine} onClose={dialogs.replace.close} />}
      </Dialog>
      <Dialog control={dialogs.separate} title={text.separate.title}>
        {(machine) => <Separate device={device} machine={machine} onClose={dialogs.separate.close} />}
      </Dialog>
    </Stack>
  );
}

interface WaitingProps {
  device: Device;
  machine: Machine;
  /** Absent without permission to decide. */
  dialogs: Record<Decision, DialogControl<Machine>> | undefined;
}

function Waiting({ device, machine, dialogs }: WaitingProps) {
  const two = device.status === 'Connected';
  const name = nameOf(device);
  const title = two ? text.titleTwo : text.titleOne;
  return (
    <section className={classes.waiting} aria-label={`${title}: ${machine.serial}`}>
      <Text component="h3" fz={14} fw={600} m={0}>
        {title}
      </Text>
      <Text size="sm">{two ? text.askTwo(name) : text.askOne(name)}</Text>
      <Identity
        label={text.registered}
        machine={device}
        seen={two ? text.connected : <When at={device.status_since} />}
      />
      <Identity label={text.waiting} machine={machine} seen={<When at={machine.last_seen} />} />
      {dialogs ? (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => dialogs.replace.open(machine)}>
            {text.replace.action}
          </Button>
          <Button variant="default" size="xs" onClick={() => dialogs.separate.open(machine)}>
            {text.separate.action}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {text.others}
        </Text>
      )}
    </section>
  );
}

interface IdentityProps {
  label: string;
  machine: Pick<Machine, 'serial' | 'model' | 'public_ip'>;
  seen: ReactNode;
}

function Identity({ label, machine, seen }: IdentityProps) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Fields
        fields={[
          { label: text.serial, value: machine.serial, mono: true },
          { label: text.model, value: machine.model || '–' },
          { label: text.address, value: machine.public_ip || '–', mono: true },
          { label: text.seen, value: seen },
        ]}
      />
    </div>
  );
}

interface DecisionProps {
  device: Device;
  machine: Machine;
  onClose: () => void;
}

function useDecision(device: Device, { serial }: Machine, decision: Decision) {
  const [decide] = deviceActionsApi.useDecideMachineMutation();
  return () => decide({ id: device.id, decideMachine: { serial, decision } }).unwrap();
}

function Replace({ device, machine, onClose }: DecisionProps) {
  const act = useDecision(device, machine, 'replace');
  const name = nameOf(device);
  const two = device.status === 'Connected';
  return (
    <Confirmation
      lead={text.replace.lead(name, machine.serial)}
      losses={two ? text.replace.lossesTwo : text.replace.lossesOne(device.serial)}
      note={text.replace.note}
      confirm={text.replace.confirm}
      act={act}
      onDone={() => {
        onClose();
        succeeded(deviceActions.requestDone, text.replace.detail(name, machine.serial));
      }}
      onCancel={onClose}
    />
  );
}

function Separate({ device, machine, onClose }: DecisionProps) {
  const act = useDecision(device, machine, 'separate');
  return (
    <Confirmation
      lead={text.separate.lead(machine.serial, device.account.name)}
      note={text.separate.note(nameOf(device))}
      confirm={text.separate.confirm}
      danger={false}
      act={act}
      onDone={() => {
        onClose();
        succeeded(deviceActions.requestDone, text.separate.detail(machine.serial));
      }}
      onCancel={onClose}
    />
  );
}
