/** An alert of Prometheus. Its runbook is docs/runbooks/{name in kebab case}.md. */
export interface Alert {
  name: string;
  expr: string;
  /** How long it must be so: `5m`. */
  lasts: string;
  /** `critical` pages the person on call, `warning` is for the next working day. */
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

/**
 * The labels that tell one installation from another in the same Prometheus; what adds up or matches series keeps both. They come with
 * the scrape, and where they are missing all series are of one installation.
 */
export const INSTALLATION = 'namespace, release';

/** Where the runbooks are in the repository. */
export const RUNBOOKS = 'docs/runbooks';

/** Where people on call read them, unless `make dashboards RUNBOOKS=…` or the chart's `observability.rules.runbooks` says otherwise. */
export const PUBLISHED_RUNBOOKS = 'https://docs.warren.example/runbooks';

/** `WarrenPostgresDown` → `postgres-down`. */
export function runbookOf({ name }: Pick<Alert, 'name'>): string {
  return name
    .replace(/^Warren/, '')
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase();
}

/**
 * A group as a file of Prometheus has it.
 * @param runbooks address of the folder with the runbooks
 */
export function plain({ name, rules }: Group, runbooks = PUBLISHED_RUNBOOKS): object {
  return {
    name,
    rules: rules.map((rule) => {
      if ('record' in rule) return rule;
      return {
        alert: rule.name,
        expr: rule.expr,
        for: rule.lasts,
        labels: { severity: rule.severity, ...rule.labels },
        annotations: { summary: rule.summary, runbook_url: `${runbooks}/${runbookOf(rule)}.md` },
      };
    }),
  };
}
