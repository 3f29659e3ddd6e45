import { html, Html } from './html.ts';

/** Light and dark after the console's look, for the two small pages of the local start. */
const style = new Html(`
  :root { color-scheme: light dark; --text: #17201d; --dim: #55625d; --line: #d9e0dd; --page: #f6f8f7; --card: #fff;
    --accent: #0f766e; --tint: #e6f2f0; }
  @media (prefers-color-scheme: dark) { :root { --text: #e4ebe8; --dim: #9aa8a2; --line: #2b3531; --page: #0f1412;
    --card: #161d1a; --accent: #5eead4; --tint: #17302c; } }
  * { box-sizing: border-box; margin: 0; }
  body { font: 14px/1.45 Inter, system-ui, sans-serif; color: var(--text); background: var(--page); min-height: 100vh; }
  a { color: var(--accent); }
  h1 { font-size: 20px; font-weight: 600; }
  h2 { font-size: 12px; font-weight: 600; color: var(--dim); }
  .mark { color: var(--accent); width: 32px; height: 32px; }
  .dim { color: var(--dim); }
  input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
    padding: 8px 12px; width: 100%; min-height: 40px; }
  button { font: inherit; cursor: pointer; border-radius: 6px; border: 1px solid var(--line); background: var(--card);
    color: inherit; min-height: 40px; padding: 8px 12px; }
  button:hover { background: var(--tint); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`);

/** A warren from above: nested arcs that open to one side, and a path that leads out. */
export const mark = new Html(
  `<svg class="mark" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" aria-hidden="true">
  <path d="M25.9 7.1A13 13 0 1 0 25.9 24.9"/><path d="M21.3 11.7A6.5 6.5 0 1 0 21.3 20.3"/><path d="M16 16h13"/></svg>`,
);

/** A whole document. */
export function page(title: string, body: Html, more: { style?: string; head?: Html } = {}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}${new Html(more.style ?? '')}
        </style>
        ${more.head ?? ''}
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
}
