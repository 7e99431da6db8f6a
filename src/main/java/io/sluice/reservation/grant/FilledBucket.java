package io.sluice.reservation.grant;

/** A bucket that has units which can be granted. */
record FilledBucket(int bucket, long units) {}
