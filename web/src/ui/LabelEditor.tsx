import { ActionIcon, Button, TagsInput, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { notes as notesRule, parseLabels } from '@warren/rules/labels';
import { useState, type ReactNode } from 'react';
import { deviceActionsApi } from '../lib/api/device-actions.ts';
import { errorText } from '../lib/api/errors.ts';
import type { Device } from '../lib/api/types.ts';
import { mayLabelDevice } from '../lib/device-access.ts';
import { fleet } from '../lib/messages/fleet.ts';
import { messages } from '../lib/messages.ts';
import { useSession } from '../lib/session.ts';
import { problemOf } from '../lib/validate.ts';
import { LabelChips, labelText } from './LabelChips.tsx';
import classes from './LabelEditor.module.css';

/** Shows the labels and notes of a device, with buttons for people who may change them. */
export function LabelEditor({ device }: { device: Device }) {
  const mayEdit = mayLabelDevice(useSession(), device.account.id);
  return (
    <div className={classes.root}>
      <Part
        title={fleet.labels.title}
        edit={fleet.labels.edit}
        mayEdit={mayEdit}
        form={(close) => <EditLabels device={device} onClose={close} />}
      >
        {Object.keys(device.labels).length === 0 ? (
          <span className={classes.none}>{fleet.labels.none}</span>
        ) : (
          <LabelChips labels={device.labels} />
        )}
      </Part>
      <Part
        title={fleet.notes.title}
        edit={fleet.notes.edit}
        mayEdit={mayEdit}
        form={(close) => <EditNotes device={device} onClose={close} />}
      >
        {device.notes === '' ? (
          <span className={classes.none}>{fleet.notes.empty}</span>
        ) : (
          <p className={classes.notes}>{device.notes}</p>
        )}
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  edit: string;
  mayEdit: boolean;
  form: (close: () => void) => ReactNode;
  children: ReactNode;
}

function Part({ title, edit, mayEdit, form, children }: PartProps) {
  const [editing, setEditing] = useState(false);
  return (
    <section aria-label={title}>
      <div className={classes.head}>
        <span className={classes.title}>{title}</span>
        {mayEdit && !editing ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={edit}
            title={edit}
            onClick={() => setEditing(true)}
          >
            <IconPencil size={15} aria-hidden />
          </ActionIcon>
        ) : null}
      </div>
      {editing ? form(() => setEditing(false)) : children}
    </section>
  );
}

function EditLabels({ device, onClose }: { device: Device; onClose: () => void }) {
  const [label, state] = deviceActionsApi.useLabelDevicesMutation();
  const before = device.labels;
  const [texts, setTexts] = useState(() => Object.entries(before).map(([key, value]) => labelText(key, value)));
  const parsed = parseLabels(texts.map((text) => (text.includes('=') ? text : `${text}=`)).join(','));
  const problem = 'message' in parsed ? fleet.labels.problem(parsed.part, parsed.message) : undefined;
  const save = async () => {
    if (!('labels' in parsed)) return;
    const set = Object.fromEntries(Object.entries(parsed.labels).filter(([key, value]) => before[key] !== value));
    const remove = Object.keys(before).filter((key) => !Object.hasOwn(parsed.labels, key));
    if (Object.keys(set).length + remove.length === 0) return onClose();
    const answer = await label({ labelDevices: { ids: [device.id], set, remove } });
    if (!answer.error) onClose();
  };
  return (
    <Editing
      busy={state.isLoading}
      disabled={problem !== undefined}
      save={fleet.labels.save}
      onSave={() => void save()}
      onClose={onClose}
    >
      <TagsInput
        autoFocus
        aria-label={fleet.labels.title}
        placeholder={fleet.labels.addHint}
        value={texts}
        error={problem ?? (state.error && errorText(state.error, fleet.labels.failed))}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        onChange={setTexts}
      />
    </Editing>
  );
}

function EditNotes({ device, onClose }: { device: Device; onClose: () => void }) {
  const [change, state] = deviceActionsApi.useSetDeviceNotesMutation();
  const [notes, setNotes] = useState(device.notes);
  const problem = problemOf(notesRule, notes);
  const save = async () => {
    const answer = await change({ id: device.id, setNotes: { notes } });
    if (!answer.error) onClose();
  };
  return (
    <Editing
      busy={state.isLoading}
      disabled={problem !== undefined}
      save={fleet.notes.save}
      onSave={() => void save()}
      onClose={onClose}
    >
      <Textarea
        autoFocus
        autosize
        minRows={3}
        maxRows={12}
        aria-label={fleet.notes.title}
        value={notes}
        error={problem ?? (state.error && errorText(state.error, fleet.notes.failed))}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </Editing>
  );
}

interface EditingProps {
  busy: boolean;
  disabled: boolean;
  save: string;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

function Editing({ busy, disabled, save, onSave, onClose, children }: EditingProps) {
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled && !busy) onSave();
      }}
    >
      {children}
      <div className={classes.buttons}>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {messages.common.cancel}
        </Button>
        <Button size="compact-sm" type="submit" loading={busy} disabled={disabled}>
          {save}
        </Button>
      </div>
    </form>
  );
}
