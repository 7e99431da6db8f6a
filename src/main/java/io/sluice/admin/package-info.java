/**
 * The management port: health, metrics, and what operators do with partitions; {@code sku} is what
 * they do with SKUs.
 *
 * <p>One verticle, {@link io.sluice.admin.AdminVerticle}, which listens first of all and works
 * while everything else is missing.
 */
@NullMarked
package io.sluice.admin;

import org.jspecify.annotations.NullMarked;
