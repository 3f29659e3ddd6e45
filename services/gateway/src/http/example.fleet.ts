const id = (part: string): string => `01997b5c-${part}-7d3a-9c51-0a2b3c4d5e6f`;

/** The fleet that the examples of the API's description are about. */
export const FLEET = {
  account: { id: id('1111'), name: 'Acme' },
  device: { id: id('2f4e'), name: 'Greenhouse 2' },
  owner: { id: id('3333'), name: 'Ada Brown', email: 'ada@acme.example' },
  member: { id: id('2222'), name: 'Max Field', email: 'max@acme.example' },
  group: { id: id('4444'), name: 'Field team' },
  program: { id: id('5555'), name: 'CI runner', handle: 'ci-runner-0a2b3c4d5e6f@service-account.invalid' },
  /** Of what an example is about, unless it is one of the above. */
  id: id('6666'),
  at: '2026-01-31T08:15:30.000Z',
  later: '2026-02-28T08:15:30.000Z',
} as const;
