/**
 * Servers, data and instances that are lost during sales, one after the other, and what buyers and
 * operators see of it until all is as before. Each takes as long as the outage and the way back, so
 * only {@code -Pchaos} runs these tests; a minute of such faults is in every {@code mvn verify}.
 */
package io.sluice.sale.outage;
