/** The parts of a zod schema of @warren/rules that a form needs. */
export interface Rule {
  safeParse: (value: unknown) => { success: boolean; error?: { issues: { message: string }[] } };
}

/** Returns the rule's error text for a value; undefined for a valid one. */
export function problemOf(rule: Rule, value: unknown): string | undefined {
  const answer = rule.safeParse(value);
  return answer.success ? undefined : answer.error?.issues[0]?.message;
}
