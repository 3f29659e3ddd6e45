import { Button, Checkbox, Group, Input } from '@mantine/core';
import { tokens as text } from '../../lib/messages/tokens.ts';
import { groupsOf } from './permissions.ts';
import classes from './tokens.module.css';

interface PermissionPickerProps {
  /** Names of the permissions that may be chosen. */
  offer: readonly string[];
  selected: readonly string[];
  problem?: string | undefined;
  onChange: (selected: string[]) => void;
}

/** Chooses permissions. What goes with a chosen one is chosen too, and stays so while it is. */
export function PermissionPicker({ offer, selected, problem, onChange }: PermissionPickerProps) {
  const toggle = (name: string) =>
    onChange(selected.includes(name) ? selected.filter((one) => one !== name) : [...selected, name]);
  return (
    <Input.Wrapper label={text.may} labelElement="div" description={text.mayHelp} error={problem} required>
      <Group gap="xs" my={8}>
        <Button size="compact-sm" variant="default" onClick={() => onChange([...offer])}>
          {text.all}
        </Button>
        <Button size="compact-sm" variant="default" disabled={selected.length === 0} onClick={() => onChange([])}>
          {text.none}
        </Button>
      </Group>
      <div className={classes.groups}>
        {groupsOf(offer, selected).map(({ id, label, choices }) => (
          <fieldset key={id} className={classes.group}>
            <legend>{label}</legend>
            {choices.map((choice) => (
              <Checkbox
                key={choice.name}
                size="sm"
                label={choice.label}
                title={choice.name}
                checked={selected.includes(choice.name) || choice.implied}
                disabled={choice.implied}
                onChange={() => toggle(choice.name)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </Input.Wrapper>
  );
}
