import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GetOverviewApiResponse as Overview } from '../../lib/api/generated/history.ts';
import { home as text } from '../../lib/messages/home.ts';
import { shared } from '../../lib/messages/shared.ts';
import { number } from '../../lib/numbers.ts';
import classes from './HomePage.module.css';

const SHOWN = 5;

/** How many devices run which version of the agent. */
export function AgentVersions({ versions, to }: { versions: Overview['versions']; to: string }) {
  if (versions === null) return null;
  const more = versions.length - SHOWN;
  return (
    <section className={classes.card} aria-label={text.versions}>
      <h2 className={classes.cardHead}>{text.versions}</h2>
      <ul className={classes.list}>
        {versions.slice(0, SHOWN).map(({ version, devices }) => (
          <li key={version} className={classes.item}>
            {version ? (
              <Anchor
                component={Link}
                to={`${to}?${new URLSearchParams({ filter: `agent=${version}` }).toString()}`}
                size="sm"
                className={classes.itemName}
              >
                {version}
              </Anchor>
            ) : (
              <Text size="sm" className={classes.itemName}>
                {shared.unknownVersion}
              </Text>
            )}
            <span className={classes.count}>{number(devices)}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <div className={classes.item}>
          <Anchor component={Link} to="/updates" size="sm">
            {text.versionsMore(more)}
          </Anchor>
        </div>
      ) : null}
    </section>
  );
}
