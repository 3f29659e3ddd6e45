import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { recordingSettings as text } from '../../../lib/messages/recording-settings.ts';
import { redact } from './redact.ts';
import classes from './settings.module.css';

const MOST_TEXT = 2_000;

/** Shows what redaction rules mask in a sample. */
export function RuleSample({ rules }: { rules: readonly string[] }) {
  const [sample, setSample] = useState('');
  const { text: result, problem } = redact(rules, sample);
  return (
    <div>
      <Textarea
        rows={2}
        label={text.sample}
        placeholder={text.samplePlaceholder}
        maxLength={MOST_TEXT}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={sample}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      <div role="status" aria-label={text.result} className={classes.result}>
        {problem ? (
          <Text size="sm" c="var(--mantine-color-error)">
            {text.wrongRule(problem.index + 1, problem.why)}
          </Text>
        ) : sample === '' ? null : result === sample ? (
          <Text size="sm" c="dimmed">
            {text.noMatch}
          </Text>
        ) : (
          <pre className={`mono ${classes.redacted}`}>{result}</pre>
        )}
      </div>
    </div>
  );
}
