import postcss from 'postcss';

/** Mantine's names of classes: a hash of the component and its part. */
const CLASS = /m_[0-9a-f]{8}/g;
/** The console is in English alone. */
const RIGHT_TO_LEFT = '[dir="rtl"]';

/** Mantine's classes that scripts name. */
export const usedClasses = (scripts: string[]): Set<string> =>
  new Set(scripts.flatMap((script) => script.match(CLASS) ?? []));

/** Leaves out the rules of Mantine's components that no script names; its style sheet has all of them. */
export function keepUsed(css: string, used: ReadonlySet<string>): string {
  const root = postcss.parse(css);
  const wanted = (selector: string) =>
    !selector.includes(RIGHT_TO_LEFT) && (selector.match(CLASS) ?? []).every((name) => used.has(name));
  root.walkRules((rule) => {
    const kept = rule.selectors.filter(wanted);
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
}
