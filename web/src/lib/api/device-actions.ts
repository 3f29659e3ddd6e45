import { api } from './api.ts';

/** A device, by its id and the serial that it must have. */
interface Target {
  id: string;
  serial: string;
}

const part = encodeURIComponent;

/** The calls that change one device (specification, section 7), loaded with the screens that use them. */
const tagged = api.enhanceEndpoints({
  endpoints: {
    listDevices: { providesTags: ['Device'] },
    getDevice: { providesTags: (_answer, _error, { id }) => [{ type: 'Device', id }] },
    getHome: { providesTags: ['Device'] },
  },
});

export const deviceActionsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    setDeviceService: build.mutation<unknown, Target & { service: 'ssh' | 'http'; on: boolean }>({
      query: ({ service, on, id, serial }) => ({
        url: `/tunnel/device/${service}/${on ? 'enable' : 'disable'}/${part(id)}/${part(serial)}`,
        method: 'PUT',
      }),
      invalidatesTags: ['Device'],
    }),
    enableDeviceHttp: build.mutation<unknown, Target & { port: number; ipaddr: string }>({
      query: (body) => ({ url: '/tunnel/enable_http', method: 'PUT', body }),
      invalidatesTags: ['Device'],
    }),
    renameDevice: build.mutation<unknown, { id: string; custom_name: string }>({
      query: (body) => ({ url: '/api/devices/change_hostname', method: 'PUT', body }),
      invalidatesTags: ['Device'],
    }),
    moveDevice: build.mutation<unknown, { id: string; account: string }>({
      query: (body) => ({ url: '/api/devices/change_account', method: 'PUT', body }),
      invalidatesTags: ['Device'],
    }),
    deleteDevice: build.mutation<unknown, string>({
      query: (id) => ({ url: `/tunnel/devices/${part(id)}`, method: 'DELETE' }),
      invalidatesTags: ['Device'],
    }),
    rebootDevice: build.mutation<unknown, string>({
      query: (id) => ({ url: `/api/devices/${part(id)}/reboot`, method: 'POST' }),
    }),
    /** A terminal in a window of its own: the address to open, which holds a token that works once, within 60 seconds. */
    createTerminalWindow: build.mutation<{ token: string; url: string }, string>({
      query: (id) => `/api/generate-token/${part(id)}`,
    }),
    getDeviceInfo: build.query<{ user_id: string; device_sid: string }, string>({
      query: (id) => `/socketsio/get_device_info/${part(id)}`,
      keepUnusedDataFor: 0,
    }),
  }),
});
