import { Alert, Badge, Button, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconCalendarTime } from '@tabler/icons-react';
import { useState } from 'react';
import type { Rollout } from '../../lib/api/types.ts';
import { openingText } from '../../lib/opening.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { When } from '../../ui/When.tsx';
import { RolloutActions } from './RolloutActions.tsx';
import { RolloutDevices } from './RolloutDevices.tsx';
import classes from './UpdatesPage.module.css';

type Counted = keyof Rollout['counts'];

const SHOWN: readonly Counted[] = [
  ...(['updated', 'trial', 'updating', 'busy', 'download_failed', 'waiting'] as const),
  ...(['failed', 'flapping', 'returning', 'returned'] as const),
];

const COLORS: Record<Counted, string> = {
  updated: 'var(--state-good)',
  trial: 'color-mix(in srgb, var(--state-good) 50%, var(--surface))',
  updating: 'var(--mantine-primary-color-filled)',
  busy: 'var(--state-warn)',
  download_failed: 'var(--state-warn)',
  waiting: 'var(--mantine-color-gray-5)',
  failed: 'var(--state-bad)',
  flapping: 'color-mix(in srgb, var(--state-bad) 60%, var(--state-warn))',
  returning: 'var(--state-warn)',
  returned: 'var(--mantine-color-gray-6)',
};

/** One rollout: its progress, its actions, and the result of each device. */
export function RolloutCard({ rollout }: { rollout: Rollout }) {
  const [open, setOpen] = useState(false);
  const { version, account, share, state, why, counts } = rollout;
  return (
    <article className={classes.card} aria-label={text.progress(version)}>
      <div className={classes.line}>
        <span className={`${classes.version} mono`}>{version}</span>
        <Badge variant="default" tt="none" fw={400} radius="sm">
          {text.state[state]}
        </Badge>
        <Text c="dimmed">{text.to(account?.name ?? text.everyone, share)}</Text>
        <Text c="dimmed" size="sm">
          {text.by(rollout.created_by)}, <When at={rollout.created} />
        </Text>
      </div>
      {why ? (
        <Alert color="red" variant="light" mt={12} role="alert" icon={<IconAlertTriangle size={18} />}>
          {text.stopped(why)}
        </Alert>
      ) : null}
      {rollout.wait ? <Wait wait={rollout.wait} /> : null}
      {counts.flapping > 0 ? <Flapping version={version} count={counts.flapping} /> : null}
      <Counts rollout={rollout} />
      <div className={classes.actions}>
        <RolloutActions rollout={rollout} />
        <Button variant="subtle" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? text.hide : text.show}
        </Button>
      </div>
      {open ? <RolloutDevices rollout={rollout} /> : null}
    </article>
  );
}

/** Devices that wait only for their account's update window. */
function Wait({ wait: { devices, opens, time_zone: zone } }: { wait: NonNullable<Rollout['wait']> }) {
  return (
    <Alert color="gray" variant="light" mt={12} role="status" icon={<IconCalendarTime size={18} />}>
      {text.wait(devices, openingText(opens, zone))}
    </Alert>
  );
}

/** The number of devices on which the version keeps crashing, and what to do. */
function Flapping({ version, count }: { version: string; count: number }) {
  const title = text.flapping(version, count);
  return (
    <Alert color="red" variant="light" mt={12} title={title} icon={<IconAlertTriangle size={18} />}>
      {text.flappingNext}
    </Alert>
  );
}

function Counts({ rollout: { counts, version } }: { rollout: Rollout }) {
  const total = SHOWN.reduce((sum, name) => sum + counts[name], 0);
  const there = SHOWN.filter((name) => counts[name] > 0);
  return (
    <>
      <Progress.Root role="group" size={8} radius="xl" my={12} aria-label={text.progress(version)}>
        {there.map((name) => (
          <Progress.Section
            key={name}
            value={(100 * counts[name]) / total}
            color={COLORS[name]}
            aria-label={text.count[name]}
          />
        ))}
      </Progress.Root>
      <div className={classes.line} style={{ marginBottom: 12 }}>
        {there.map((name) => (
          <span key={name}>
            <span className={classes.swatch} style={{ background: COLORS[name] }} aria-hidden />
            <span className="mono">{counts[name]}</span> {text.count[name]}
          </span>
        ))}
      </div>
    </>
  );
}
