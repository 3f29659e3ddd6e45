import { Skeleton, Text } from '@mantine/core';
import { updatesApi } from '../../lib/api/updates.ts';
import { shared } from '../../lib/messages/shared.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { Failure } from '../../ui/Failure.tsx';
import classes from './UpdatesPage.module.css';

/** Installed and available versions, newest first. */
export function Versions() {
  const running = updatesApi.useListAgentVersionsQuery({});
  const { data: there } = updatesApi.useListReleasesQuery({});
  const used = running.data?.versions ?? [];
  const unused = (there?.releases ?? []).filter(({ version }) => !used.some((one) => one.version === version));
  const rows = [...unused.map(({ version }) => ({ version, devices: 0, connected: 0 })), ...used];
  return (
    <section aria-label={text.versions}>
      <h2 className={classes.head}>{text.versions}</h2>
      <div className={classes.card}>
        {running.error && !running.data ? (
          <Failure title={text.versionsFailed} error={running.error} retry={running.refetch} />
        ) : !running.data ? (
          <Skeleton height={72} />
        ) : (
          <ul className={classes.versions}>
            {rows.map((row) => (
              <li key={row.version}>
                <div>
                  <span className={row.version ? 'mono' : undefined}>{row.version || shared.unknownVersion}</span>
                  {row.version === there?.installed ? (
                    <Text size="xs" c="dimmed">
                      {text.installed}
                    </Text>
                  ) : null}
                </div>
                <Count devices={row.devices} connected={row.connected} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Count({ devices, connected }: { devices: number; connected: number }) {
  if (devices === 0) return <Text c="dimmed">{text.unused}</Text>;
  return (
    <div style={{ textAlign: 'right' }}>
      {text.devices(devices)}
      <Text size="xs" c="dimmed">
        {text.connected(connected)}
      </Text>
    </div>
  );
}
