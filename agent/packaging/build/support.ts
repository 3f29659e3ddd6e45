import { compare, major } from 'semver';

/** Lines of Node that get security releases, and until when (https://github.com/nodejs/release). */
const SUPPORTED_UNTIL: Record<number, string> = { 22: '2027-04-30', 24: '2028-04-30' };

/** Releases that mend known vulnerabilities, newest first. A release before them is refused. */
const SECURITY_RELEASES: Record<number, { version: string; tolerated?: { until: string; reason: string } }[]> = {
  24: [
    {
      // CVE-2026-105481, -105482, -105483, -106069, -106072, -106073, -106074, -111497
      version: '24.22.1',
      tolerated: {
        until: '2027-01-31',
        reason:
          'The agent connects to the one hub of its configuration by a DNS name, resolves nothing that others name, and uses neither the permission model, snapshots nor brotli.',
      },
    },
    // CVE-2026-56846, -56847, -56848, -56850, -58039 to -58045
    { version: '24.19.0' },
  ],
};

/**
 * Says why a version of Node may not be shipped: out of support, or known vulnerabilities.
 * @param version as in 24.21.0
 * @param today a tolerated vulnerability is refused after its date
 * @param tolerating false for another program than the agent, for which the reasons do not hold
 * @returns undefined for a version that may be shipped
 */
export function runtimeProblem(version: string, today: Date, tolerating = true): string | undefined {
  const line = major(version);
  const date = today.toISOString().slice(0, 10);
  const until = SUPPORTED_UNTIL[line];
  if (!until || date > until)
    return `Node ${version} is out of support${until ? ` since ${until}` : ''}: package a newer line`;
  const lacking = (SECURITY_RELEASES[line] ?? []).filter(
    ({ version: fixed, tolerated }) =>
      compare(version, fixed) < 0 && !(tolerating && tolerated && date <= tolerated.until),
  );
  const [newest] = lacking;
  return newest && `Node ${version} has known vulnerabilities: package ${newest.version} or later`;
}
