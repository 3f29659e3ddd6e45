/** Rejects unless a URL answers 2xx within two seconds. */
export async function answers(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status} ${body.slice(0, 300)}`);
}
