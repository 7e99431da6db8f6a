package io.sluice.reservation.grant;

import io.sluice.model.Grant;

/** A grant that is acknowledged to its buyer as soon as its record is durable. */
record UnackedGrant(OpenRequest request, Grant grant, boolean fresh) {}
