import { audit } from '@warren/audit/service';
import { devices } from '@warren/devices/service';
import { fleet } from '@warren/fleet/service';
import { gateway } from '@warren/gateway/service';
import { identity } from '@warren/identity/service';
import { guarded } from '@warren/platform/service/guarded';
import { runServices } from '@warren/platform/service/run';
import { tenancy } from '@warren/tenancy/service';
import { tunnels } from '@warren/tunnels/service';
import { chosenServices, environmentOf } from './environment.ts';

/** In the order of their start: who is asked comes before who asks. */
const services = [identity, tenancy, devices, fleet, audit, tunnels, gateway];

const chosen = await guarded(async () => {
  const names = chosenServices(
    services.map(({ name }) => name),
    process.env['SERVICES'],
  );
  return services.filter(({ name }) => names.includes(name));
});
await runServices('hub', chosen, (name) => environmentOf(name, process.env));
