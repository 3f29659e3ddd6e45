import { number } from '../numbers.ts';

/** Texts of filters, labels and what is done to many devices. */
export const fleet = {
  filter: {
    placeholder: 'Search or filter: site=north cpu>80',
    clear: 'Clear filter',
    remove: (term: string) => `Remove ${term}`,
    terms: 'Terms of the filter',
    suggestions: 'Suggestions',
    add: (term: string) => `Filter by ${term}`,
  },
  columns: {
    choose: 'Columns',
    reset: 'Reset',
    lastSeen: 'Last seen',
    now: 'Now',
    os: 'System',
    model: 'Model',
    agent: 'Agent',
    cpu: 'CPU',
    memory: 'Memory',
    disk: 'Disk',
    temperature: 'Temperature',
    created: 'Added',
    labels: 'Labels',
  },
  selection: {
    column: 'Selection',
    one: (name: string) => `Select ${name}`,
    page: 'Select all on this page',
    count: (count: number) => (count === 1 ? '1 selected' : `${number(count)} selected`),
    all: (count: number) => `Select all ${number(count)}`,
    allSelected: (count: number) => `All ${number(count)} selected`,
    clear: 'Clear selection',
    bar: 'Selected devices',
  },
  labels: {
    title: 'Labels',
    edit: 'Edit labels',
    none: 'No labels',
    more: (count: number) => `+${count}`,
    add: 'Add label',
    addHint: 'key=value',
    remove: (label: string) => `Remove label ${label}`,
    bulkTitle: (count: number) => (count === 1 ? 'Edit labels of 1 device' : `Edit labels of ${number(count)} devices`),
    set: 'Labels to set',
    setHelp: 'For example site=north, ring=canary. A label that is there gets the new value.',
    unset: 'Labels to remove',
    unsetHelp: 'Keys, for example ring.',
    save: 'Apply labels',
    changed: (count: number) =>
      count === 0
        ? 'No labels changed.'
        : count === 1
          ? 'Labels of 1 device changed.'
          : `Labels of ${number(count)} devices changed.`,
    failed: 'The labels were not changed.',
    nothing: 'Enter a label to set or to remove.',
    problem: (part: string, message: string) => `${part}: ${message}`,
    tooManyValues: 'Too many labels.',
  },
  notes: {
    title: 'Notes',
    empty: 'No notes',
    edit: 'Edit notes',
    save: 'Save notes',
    failed: 'The notes were not saved.',
  },
} as const;
