/** The texts of a choice of time, which several lists have. */
export const times = {
  time: 'Time',
  times: {
    any: 'Any time',
    '1h': 'Last hour',
    '24h': 'Last 24 hours',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    custom: 'Custom range',
  },
  from: 'From',
  to: 'Until',
} as const;
