-- An advertiser who removed users after the window made them look like users who left, and the score of an honest source fell.
ALTER TABLE memberships ADD COLUMN was_removed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN memberships.was_removed IS
  'Whether an administrator ended the membership. Such a user did not leave, so the source loses no points.';
