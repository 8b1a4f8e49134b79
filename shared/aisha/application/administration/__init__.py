"""Operations on a deployment: forget a user, backfill and rebuild memory."""
