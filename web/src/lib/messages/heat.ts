/** The texts of a device's heat and power; a part of the one catalogue. */
export const heat = {
  temperature: 'Temperature',
  degrees: (celsius: number) => `${celsius} °C`,
  throttling: 'Throttling',
  limits: {
    under_voltage: 'Under-voltage',
    frequency_capped: 'Frequency capped',
    throttled: 'Throttled',
    temperature_limit: 'Temperature limit',
  },
  never: 'None',
  now: (limits: string) => `Now: ${limits}`,
  earlier: (limits: string) => `Since it started: ${limits}`,
};
