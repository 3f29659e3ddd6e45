/** As much of a rule as a form needs: a zod schema of @warren/rules has it. */
export interface Rule {
  safeParse: (value: unknown) => { success: boolean; error?: { issues: { message: string }[] } };
}

/** What is wrong with a value, in the words of the rule; undefined when nothing is. */
export function problemOf(rule: Rule, value: unknown): string | undefined {
  const answer = rule.safeParse(value);
  return answer.success ? undefined : answer.error?.issues[0]?.message;
}
