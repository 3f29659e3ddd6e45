import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GetOverviewApiResponse as Overview } from '../../lib/api/generated/history.ts';
import { mayUpdate } from '../../lib/device-access.ts';
import { home as text } from '../../lib/messages/home.ts';
import { shared } from '../../lib/messages/shared.ts';
import { number } from '../../lib/numbers.ts';
import { useSession } from '../../lib/session.ts';
import classes from './HomePage.module.css';

const SHOWN = 5;
/** Every version has a dot. */
const UNKNOWN = '-agent~.';

/** How many devices run which version of the agent. */
export function AgentVersions({ versions, to }: { versions: Overview['versions']; to: string }) {
  const session = useSession();
  if (versions === null) return null;
  const more = versions.length - SHOWN;
  const withFilter = (filter: string) => `${to}?${new URLSearchParams({ filter }).toString()}`;
  return (
    <section className={classes.card} aria-label={text.versions}>
      <h2 className={classes.cardHead}>{text.versions}</h2>
      <ul className={classes.list}>
        {versions.slice(0, SHOWN).map(({ version, devices }) => (
          <li key={version} className={classes.item}>
            <Anchor
              component={Link}
              to={withFilter(version ? `agent=${version}` : UNKNOWN)}
              size="sm"
              className={classes.itemName}
            >
              {version || shared.unknownVersion}
            </Anchor>
            <span className={classes.count}>{number(devices)}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <div className={classes.item}>
          {mayUpdate(session) ? (
            <Anchor component={Link} to="/updates" size="sm">
              {text.versionsMore(more)}
            </Anchor>
          ) : (
            <Text size="sm">{text.versionsMore(more)}</Text>
          )}
        </div>
      ) : null}
    </section>
  );
}
