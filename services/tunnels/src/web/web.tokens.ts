/** Injects the DeviceHosts of this installation. */
export const WEB_HOSTS = Symbol('WebHosts');
