/**
 * Two neighbouring releases: the present classes, and the release before, which is built from the
 * commit that {@code kept.commit} in {@code pom.xml} names. They share servers, ledger, topics and
 * group through whole sales: side by side, after the death of either, and while one replaces the
 * other. Only {@code -Pchaos} runs these tests.
 */
package io.sluice.sale.neighbour;
