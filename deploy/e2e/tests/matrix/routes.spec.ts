import type { Browser, BrowserContext, Page } from '@playwright/test';
import { subjects, type Actor, type Subject } from '../../support/matrix/cast.ts';
import { readTable } from '../../support/matrix/table.ts';
import { expect, test, type World } from '../../support/matrix/world.ts';
import { walk } from '../../support/screens/screen.ts';
import { long } from '../../support/soak.ts';
import { routes, titles } from './routes.table.ts';

const rows = readTable(routes);
/** Each person walks every fourth route, each another quarter: all of them by all people takes a browser minutes (`make soak`). */
const ONE_IN = long ? 1 : 4;

/** Puts ids and names in place of what is in braces. */
const filled = (text: string, ids: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, part: string) => ids[part] ?? '');

/** The ids of an account's things, by what a route calls them, and the names that their titles show. */
async function idsOf(world: World, account: string): Promise<Record<string, string>> {
  const place = world.place(account);
  const { hub } = world.cast;
  type Groups = { groups: { id: string; name: string; role: string }[] };
  const cookie = world.cast.cookie('superAdmin');
  const group = await place.thing('group');
  const { groups } = await hub.must<Groups>(cookie, 'GET', `/api/get_groups/${place.id}`);
  const owners = groups.find(({ role }) => role === 'Owner')?.id ?? '';
  const [user, device] = [place.thing('user'), place.thing('device')];
  const { address } = await place.thing('page');
  type User = { result: { name: string; email: string } };
  const { result: person } = await hub.must<User>(cookie, 'GET', `/api/users/${await user}`);
  const names = {
    accountName: account,
    groupName: groups.find(({ id }) => id === group)?.name ?? '',
    userName: person.name || person.email,
  };
  // An unknown event.
  const event = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
  return { account: place.id, group, user: await user, device: (await device).id, owners, address, event, ...names };
}

async function enter(browser: Browser, world: World, actor: Actor): Promise<BrowserContext> {
  const { origin } = world.cast.hub;
  const context = await browser.newContext({ baseURL: origin });
  // Routes lead to the sign-in page of the provider, whose content doesn't matter.
  const signIn = `${new URL(world.warren.facts.idp).origin}/**`;
  await context.route(signIn, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  const [name = '', value = ''] = (actor.cookie ?? '').split('=');
  if (actor.cookie) await context.addCookies([{ name, value, url: origin }]);
  return context;
}

/** Subjects whose every route leaves the console and loads it again; the others load it once and navigate by its links. */
const reloads: readonly Subject[] = ['nobody'];

const lost = "UH OH! You're lost.";

/** The subject `nobody` has no account. */
const whoseOf = (route: string, subject: Subject) =>
  route.includes('{') && subject !== 'nobody' ? (['own', 'other'] as const) : (['own'] as const);

/** Somewhere else first, so that what is looked for can't be left from before: any page but the wanted one will do. */
async function visit(page: Page, { subject }: Actor, path: string, landing: string): Promise<void> {
  if (reloads.includes(subject)) {
    await page.goto(path, { waitUntil: 'commit' });
    return;
  }
  if (page.url() === 'about:blank') await page.goto('/signup-user');
  await walk(page, landing === 'lost' ? '/signup-user' : '/nowhere');
  await expect(page.getByText(lost)).toHaveCount(landing === 'lost' ? 0 : 1);
  await walk(page, path);
}

const notices: Record<string, RegExp> = {
  home: /^\/$/,
  issue: /^\/account_issue$/,
  disable: /^\/account_disable$/,
  accept: /^\/accept_invitation$/,
};

/** Where a route is expected to lead. */
interface Landing {
  path: string;
  /** A word of the table. */
  landing: string;
  /** The title of the screen, when it is shown. */
  title: string | RegExp;
}

function titleOf(route: string, ids: Record<string, string>): string | RegExp {
  const title = titles[route] ?? /^$/;
  return typeof title === 'string' ? `${filled(title, ids)} · Warren` : title;
}

/** Waits for it. */
async function expectLanding(page: Page, world: World, { path, landing, title }: Landing): Promise<void> {
  const isAt = (wanted: RegExp) => (url: URL) => url.origin === world.cast.hub.origin && wanted.test(url.pathname);
  if (landing === 'login')
    return expect(page).toHaveURL((url) => url.origin === new URL(world.warren.facts.idp).origin);
  const moved = notices[landing];
  if (moved) return expect(page).toHaveURL(isAt(moved));
  await expect(page).toHaveURL((url) => url.pathname === path.replace(/\?.*/, ''));
  if (landing === 'lost') return expect(page.getByText(lost)).toBeVisible();
  if (landing === 'failed') return expect(page.getByText('Failed to fetch device details').first()).toBeVisible();
  await expect(page).toHaveTitle(title);
  await expect(page.getByText(lost)).toHaveCount(0);
}

for (const subject of subjects) {
  test(`where each route leads ${subject}`, async ({ world, browser }) => {
    if (reloads.includes(subject)) test.setTimeout(600_000);
    const actor = world.cast.actors.find((one) => one.subject === subject);
    if (!actor) throw new Error(`cast: there is no ${subject}`);
    const ids = { own: await idsOf(world, actor.account), other: await idsOf(world, actor.other) };
    const context = await enter(browser, world, actor);
    const page = await context.newPage();
    const walked = rows.filter((_, at) => (at + subjects.indexOf(subject)) % ONE_IN === 0);
    for (const { name: route, cells } of walked) {
      for (const whose of whoseOf(route, subject)) {
        const path = filled(route, ids[whose]);
        await test.step(`${route}, ${whose} account: ${cells[subject][whose]}`, async () => {
          const [landing, title] = [cells[subject][whose], titleOf(route, ids[whose])];
          await visit(page, actor, path, landing);
          await expectLanding(page, world, { path, landing, title });
        });
      }
    }
    await context.close();
  });
}
