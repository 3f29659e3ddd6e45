import { Text } from '@mantine/core';
import type { SignInFailure } from '../../lib/api/types.ts';
import { signInDoctor as text } from '../../lib/messages/sign-in-doctor.ts';
import { When } from '../../ui/When.tsx';
import classes from './SignInDoctor.module.css';

/** A refused sign-in: who, when, which check, what to do; and what was received. */
export function FailureCard({ failure }: { failure: SignInFailure }) {
  const { email, provider_name: provider, time, check, mend, reason, received } = failure;
  const facts = [
    [text.reason, reason],
    [text.request, failure.request_id],
    [text.address, failure.remote_address],
    [text.browser, failure.user_agent],
  ] as const;
  return (
    <li className={classes.failure}>
      <div className={classes.head}>
        <h3 className={classes.person}>{email || text.unknownPerson}</h3>
        <Text c="dimmed" size="sm">
          {text.with(provider || text.unknownProvider)} · <When at={time} />
        </Text>
      </div>
      <dl className={classes.facts}>
        <dt>{text.check}</dt>
        <dd>{check}</dd>
        <dt>{text.mend}</dt>
        <dd>{mend}</dd>
      </dl>
      <details className={classes.details}>
        <summary>{text.details}</summary>
        <dl className={classes.facts}>
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <div key={label} className={classes.fact}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {Object.keys(received).length > 0 ? (
          <pre className={classes.received} aria-label={text.received} tabIndex={0}>
            {JSON.stringify(received, undefined, 2)}
          </pre>
        ) : null}
      </details>
    </li>
  );
}
