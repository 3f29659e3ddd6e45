import { alertRules as text } from '../../../lib/messages/alerts.ts';
import classes from './rules.module.css';
import type { RuleContent } from './rule-form.ts';
import { SpanInput } from './SpanInput.tsx';
import { WholeNumber } from './WholeNumber.tsx';

interface RuleSentenceProps {
  rule: RuleContent;
  onChange: (change: Partial<RuleContent>) => void;
}

/** When a rule opens an alert, as a sentence with numbers to fill in. */
export function RuleSentence({ rule, onChange }: RuleSentenceProps) {
  const { kind } = rule;
  const span = (
    <SpanInput
      key={kind}
      min={kind === 'condition' ? 0 : 1}
      minutes={rule.minutes}
      onChange={(minutes) => onChange({ minutes })}
    />
  );
  const words = text.sentence[kind];
  switch (kind) {
    case 'offline':
    case 'never_connected':
    case 'condition':
    case 'metric':
      return (
        <div className={classes.sentence}>
          {words[0]} {span} {words[1]}
        </div>
      );
    case 'disk_full':
      return (
        <div className={classes.sentence}>
          {words[0]}
          <WholeNumber label={text.amount} value={rule.days} onChange={(days) => onChange({ days })} />
          {text.units.days} {words[1]}
        </div>
      );
    case 'flapping':
      return (
        <div className={classes.sentence}>
          {words[0]}
          <WholeNumber min={2} label={text.timesLabel} value={rule.times} onChange={(times) => onChange({ times })} />
          {text.times(rule.times)} {words[1]} {span}
        </div>
      );
    case 'update_failed':
    case 'job_failed':
      return <div className={classes.sentence}>{words[0]}</div>;
  }
}
