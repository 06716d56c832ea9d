export { createDevices, type Devices, IGNORED_REASONS, type IgnoredReason } from './devices.ts';
export { forgetDevices } from './forget-devices.ts';
export { deleteUserData, readUserData } from './user-data-store.ts';
