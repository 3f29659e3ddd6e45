/** Texts of the small charts in the devices list. */
export const sparks = {
  summary: (title: string, last: string, least: string, most: string) =>
    `${title}: last ${last}, from ${least} to ${most}`,
} as const;
