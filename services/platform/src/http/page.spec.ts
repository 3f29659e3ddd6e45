import { expect, it } from '@jest/globals';
import { renderPage } from './page.ts';

it('shows texts as texts', () => {
  const evil = `"><script>alert('1')</script>`;
  const page = renderPage({ title: evil, text: evil, links: [{ href: `/a?${evil}`, label: evil }], requestId: evil });
  expect(page).not.toContain('<script>');
  expect(page).not.toContain(`"><`);
  expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;');
});
