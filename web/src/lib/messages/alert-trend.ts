/** Texts of the trend of open alerts; a part of the one catalogue. */
export const alertTrend = {
  all: 'All',
  critical: 'Critical',
  label: (span: string, { least, most }: { least: number; most: number }, now: number, critical: number) =>
    `Open alerts in the last ${span}: minimum ${least}, maximum ${most}, now ${now} (${critical} critical).`,
} as const;
