import { LocalServer } from '../local.server.ts';

const bars = [38, 44, 52, 61, 57, 66, 72, 69, 63, 55, 48, 41]
  .map((height, at) => `<rect x="${at * 26}" y="${90 - height}" width="16" height="${height}" rx="2"/>`)
  .join('');

const reading = (name: string, value: string, unit: string) =>
  `<div><p>${name}</p><strong>${value}<small> ${unit}</small></strong></div>`;

const PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Greenhouse</title><style>
body { margin: 0; padding: 24px; background: #f4f1e8; color: #33402e; font: 15px/1.4 system-ui, sans-serif }
h1 { margin: 0 0 16px; font-size: 22px } section { display: flex; flex-wrap: wrap; gap: 12px; margin-bottom: 16px }
div { flex: 1 1 130px; padding: 14px 16px; border-radius: 10px; background: #fff } p { margin: 0; color: #66705f }
strong { font-size: 26px } small { font-size: 14px; font-weight: 400 } svg { width: 100%; max-width: 640px; fill: #7d9b5f }
</style><h1>Greenhouse, north bed</h1><section>${reading('Air', '23.4', '°C')}${reading('Humidity', '61', '%')}
${reading('Soil', '38', '%')}${reading('Vents', '40', '% open')}</section>
<div><p>Light over the day</p><svg viewBox="0 0 306 92" role="img" aria-label="Light over the day">${bars}</svg></div></html>`;

/** A web service such as a device in a greenhouse has. */
export const startGreenhousePage = (): Promise<LocalServer> =>
  LocalServer.start((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE));
