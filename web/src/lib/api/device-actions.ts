import { listOf } from './api.ts';
import { devicesApi } from './generated/devices.ts';
import { deleting } from './gone.ts';

/** The calls that add and change a device (specification, section 7), loaded with the screens that use them. */
export const deviceActionsApi = devicesApi.enhanceEndpoints({
  endpoints: {
    setDeviceService: { invalidatesTags: ['Device'] },
    enableDeviceHttp: { invalidatesTags: ['Device'] },
    setDeviceVnc: { invalidatesTags: ['Device'] },
    changeDeviceHostname: { invalidatesTags: ['Device'] },
    changeDeviceAccount: { invalidatesTags: ['Device'] },
    labelDevices: { invalidatesTags: ['Device'] },
    listLabels: { providesTags: listOf('Device') },
    setDeviceNotes: { invalidatesTags: ['Device'] },
    listSavedFilters: { providesTags: ['View'] },
    saveFilter: { invalidatesTags: ['View'] },
    replaceFilter: { invalidatesTags: ['View'] },
    deleteFilter: { invalidatesTags: ['View'] },
    replaceDevice: { invalidatesTags: ['Device'], onQueryStarted: deleting },
    decideMachine: { invalidatesTags: ['Device'] },
    deleteDevice: { invalidatesTags: listOf('Device'), onQueryStarted: deleting },
    getDeviceInfo: { keepUnusedDataFor: 0 },
  },
});
