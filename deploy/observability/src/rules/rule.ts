/** An alert of Prometheus. Its runbook is docs/runbooks/{name in kebab case}.md. */
export interface Alert {
  name: string;
  expr: string;
  /** How long it must be so: `5m`. */
  lasts: string;
  /** `critical` wakes somebody up, `warning` is for the next working day. */
  severity: 'critical' | 'warning';
  /** One line; `{{ $labels.x }}` and `{{ $value }}` are filled in by Prometheus. */
  summary: string;
  labels?: Record<string, string>;
}

export interface Recording {
  record: string;
  expr: string;
  labels?: Record<string, string>;
}

export interface Group {
  name: string;
  rules: (Alert | Recording)[];
}

/** Where the runbooks are in the repository, as the alerts name them. */
export const RUNBOOKS = 'docs/runbooks';

/** `WarrenPostgresDown` → `postgres-down`. */
export function runbookOf({ name }: Pick<Alert, 'name'>): string {
  return name
    .replace(/^Warren/, '')
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase();
}

/** A group as a file of Prometheus has it. */
export function plain({ name, rules }: Group): object {
  return {
    name,
    rules: rules.map((rule) => {
      if ('record' in rule) return rule;
      return {
        alert: rule.name,
        expr: rule.expr,
        for: rule.lasts,
        labels: { severity: rule.severity, ...rule.labels },
        annotations: { summary: rule.summary, runbook_url: `${RUNBOOKS}/${runbookOf(rule)}.md` },
      };
    }),
  };
}
