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
