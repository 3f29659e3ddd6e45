import { valid } from 'semver';

/** A version's section of CHANGELOG.md (https://keepachangelog.com/en/1.1.0). */
export interface Section {
  version: string;
  /** As in 2026-11-24; undefined for what is not released. */
  date: string | undefined;
  text: string;
}

const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?\s*$/;

/** Reads the sections, the newest first as they stand. @throws Error that names a heading of another form */
export function sectionsOf(changelog: string): Section[] {
  const sections: { version: string; date: string | undefined; lines: string[] }[] = [];
  for (const line of changelog.split('\n')) {
    if (!line.startsWith('## ')) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    const [, version = '', date] = HEADING.exec(line) ?? [];
    if (version !== 'Unreleased' && (!valid(version) || !date)) {
      throw new Error(`CHANGELOG.md: "${line}": expected "## [1.2.3] - 2026-01-31" or "## [Unreleased]"`);
    }
    sections.push({ version, date, lines: [] });
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }));
}
