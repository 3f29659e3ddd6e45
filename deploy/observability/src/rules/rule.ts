/** An alert of Prometheus. Its runbook is docs/runbooks/{name in kebab case}.md. */
export interface Alert {
  name: string;
  expr: string;
  /** Duration before it fires: `5m`. */
  lasts: string;
  /** `critical` pages the person on call, `warning` is for the next working day. */
  severity: 'critical' | 'warning';
  /** One line; Prometheus fills in `{{ $labels.x }}` and `{{ $value }}`. */
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
 * Labels that distinguish installations in the same Prometheus; aggregations and matches keep both. They come from the scrape; without
 * them, all series belong to one installation.
 */
export const INSTALLATION = 'namespace, release';

/** Folder of the runbooks in the repository. */
export const RUNBOOKS = 'docs/runbooks';

/** Default URL of the runbooks; `make dashboards RUNBOOKS=…` and the chart's `observability.rules.runbooks` override it. */
export const PUBLISHED_RUNBOOKS = 'https://docs.warren.example/runbooks';

/** `WarrenPostgresDown` → `postgres-down`. */
export function runbookOf({ name }: Pick<Alert, 'name'>): string {
  return name
    .replace(/^Warren/, '')
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase();
}

/**
 * Builds a group for a rules file of Prometheus.
 * @param runbooks URL of the folder with the runbooks
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
