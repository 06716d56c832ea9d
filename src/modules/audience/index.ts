export { type LearnedValue, learnedValues, learnValues, type ProfileSource } from './profile-store.ts';
export {
  banUser,
  findMemberships,
  isBanned,
  type Membership,
  type MembershipSource,
  membershipsOfUser,
  type Observation,
  recordMemberships,
  unbanUser,
} from './store.ts';
export {
  claimUsersToLookUp,
  readUsers,
  recordSeen,
  releaseUsersToLookUp,
  type SampledUser,
  type SeenUser,
  type StoredUser,
  sampleUsers,
} from './user-store.ts';
