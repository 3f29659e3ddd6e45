import { ActionIcon, Button, CopyButton, Group, Menu, Stack, Switch, Text } from '@mantine/core';
import { IconDots, IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { sharing as text } from '../../../lib/messages/sharing.ts';
import { Person } from '../../../ui/Person.tsx';
import type { TerminalPerson } from '../../../sockets/terminal/types.ts';
import { linkTo } from './link.ts';
import type { SharingControl } from './useSharing.ts';
import type { TerminalControl } from './useTerminal.ts';
import classes from './PeoplePanel.module.css';

interface PersonHere extends TerminalPerson {
  windows: number;
}

/** One entry for each person, whatever the number of their windows. */
function personsOf(people: TerminalPerson[]): PersonHere[] {
  const persons = new Map<string, PersonHere>();
  for (const one of people) {
    const known = persons.get(one.user);
    if (known) persons.set(one.user, { ...known, you: known.you || one.you, windows: known.windows + 1 });
    else persons.set(one.user, { ...one, windows: 1 });
  }
  return [...persons.values()];
}

/** Who is in the terminal, and what each person may do; its link. */
export function PeoplePanel({ device, terminal }: { device: string; terminal: TerminalControl }) {
  const { session, sharing } = terminal;
  const persons = personsOf(sharing.people);
  const me = persons.find(({ you }) => you);
  const isOwner = me?.owner === true;
  return (
    <Stack gap="sm">
      <Text fw={600} size="sm">
        {text.title}
      </Text>
      <ul className={classes.list}>
        {persons.map((one) => (
          <Row key={one.user} one={one} me={me} sharing={sharing} />
        ))}
      </ul>
      <OwnControl me={me} sharing={sharing} />
      {sharing.role === 'writer' && sharing.people.length > 1 ? (
        <Switch
          size="xs"
          label={text.mine}
          checked={sharing.mine}
          onChange={(event) => sharing.sizeBy(event.currentTarget.checked)}
        />
      ) : null}
      {isOwner && session ? <Link address={linkTo(device, session)} /> : null}
    </Stack>
  );
}

function Row({ one, me, sharing }: { one: PersonHere; me: PersonHere | undefined; sharing: SharingControl }) {
  const marks = [one.you ? text.you : '', one.owner ? text.owner : '', text.windows(one.windows)].filter(Boolean);
  return (
    <li className={classes.row} aria-label={one.email}>
      <Person name={one.email} />
      <div className={classes.who}>
        <span className={classes.email}>{one.email}</span>
        <span className={classes.role}>
          {[one.observes ? text.observes : text.role(one.role), ...marks].join(' · ')}
        </span>
      </div>
      {me?.owner && !one.you && !one.owner ? <Actions one={one} me={me} sharing={sharing} /> : null}
    </li>
  );
}

/** What the owner may do with another person. */
function Actions({ one, me, sharing }: { one: PersonHere; me: PersonHere; sharing: SharingControl }) {
  const types = one.role === 'writer';
  const handOver = () => {
    sharing.change(one.user, 'writer');
    sharing.change(me.user, 'reader');
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={text.actions(one.email)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => sharing.change(one.user, types ? 'reader' : 'writer')}>
          {types ? text.onlyWatch : text.letType}
        </Menu.Item>
        <Menu.Item onClick={handOver}>{text.handOver}</Menu.Item>
        {one.observes ? null : (
          <Menu.Item color="red" onClick={() => sharing.change(one.user, null)}>
            {text.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A reader asks for control; the owner takes it. */
function OwnControl({ me, sharing }: { me: PersonHere | undefined; sharing: SharingControl }) {
  const [asked, setAsked] = useState(false);
  if (!me || sharing.role === 'writer') return null;
  if (me.owner) {
    return (
      <Button size="xs" onClick={() => sharing.change(me.user, 'writer')}>
        {text.takeControl}
      </Button>
    );
  }
  const ask = () => {
    setAsked(true);
    sharing.askForControl();
  };
  return (
    <Stack gap={4}>
      <Button size="xs" variant="default" onClick={ask}>
        {text.askForControl}
      </Button>
      {asked ? (
        <Text size="xs" c="dimmed" role="status">
          {text.asked}
        </Text>
      ) : null}
    </Stack>
  );
}

function Link({ address }: { address: string }) {
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed">
        {text.linkHint}
      </Text>
      <Group>
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" leftSection={<IconLink size={14} />} onClick={copy} data-link={address}>
              {copied ? text.copied : text.copyLink}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
