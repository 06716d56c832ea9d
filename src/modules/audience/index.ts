export { deleteMemberships, forgetValues, listMemberships } from './forget-store.ts';
export { findLosses, type Moment, readHeard, recordHeard, recordLoss, type UpdateLoss } from './intake-store.ts';
export { readKnownUsers, type SampledUser, sampleUsers } from './sample-store.ts';
export {
  banUser,
  findMemberships,
  findUserBan,
  type Membership,
  memberChatsOf,
  moveMemberships,
  recordMemberships,
  unbanUser,
} from './store.ts';
export {
  claimUsersToLookUp,
  LEARNED_FOR_DAYS,
  type LearnedValue,
  learnedValues,
  learnValues,
  type ProfileSource,
  readUsers,
  recordSeen,
  releaseUsersToLookUp,
  type StoredUser,
} from './user-store.ts';
