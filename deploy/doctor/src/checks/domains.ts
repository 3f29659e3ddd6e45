import { findings, type Finding } from '../finding.ts';

const { fail } = findings('saml');

/** Finds providers that could sign in each other's users, with which the gateway does not start. */
export function sharedDomains(providers: readonly { id: string; domains?: string[] | undefined }[]): Finding[] {
  if (providers.length < 2) return [];
  const found: Finding[] = providers
    .filter(({ domains }) => !domains?.length)
    .map(({ id }) =>
      fail(`${id}: no domains beside another provider`, 'Give each provider the e-mail domains of its people.'),
    );
  const all = providers.flatMap(({ domains = [] }) => [...new Set(domains.map((one) => one.toLowerCase()))]);
  for (const domain of twice(all))
    found.push(fail(`${domain} is a domain of two providers`, 'Let one provider alone speak for a domain.'));
  return found;
}

/** Returns the texts that occur more than once. */
export function twice(all: string[]): Set<string> {
  return new Set(all.filter((one, at) => all.indexOf(one) !== at));
}
