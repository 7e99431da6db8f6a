/**
 * Hostile callers of both ports, and the buyers beside them. One class for each kind of request:
 * {@link io.sluice.sale.hostile.HostileRequests} is what no honest client sends, {@link
 * io.sluice.sale.hostile.ForeignCalls} and {@link io.sluice.sale.hostile.TokenCalls} come from
 * somebody who pretends to be another, {@link io.sluice.sale.hostile.AdminBodies} are an operator's
 * with a wrong body, {@link io.sluice.sale.hostile.SlowRequests} arrive a few bytes at a time. What
 * each must be answered is {@link io.sluice.sale.hostile.Due}. All draws follow from one seed; keys
 * and ids are new in each run.
 */
package io.sluice.sale.hostile;
