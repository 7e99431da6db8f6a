/**
 * The management port: health, metrics, and the operators' calls for partitions and the blacklist;
 * {@code sku} has those for SKUs.
 *
 * <p>One verticle, {@link io.sluice.admin.AdminVerticle}, which listens before anything else and
 * works while everything else is unavailable.
 */
@NullMarked
package io.sluice.admin;

import org.jspecify.annotations.NullMarked;
