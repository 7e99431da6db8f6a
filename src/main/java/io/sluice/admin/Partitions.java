package io.sluice.admin;

import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.util.function.IntFunction;

/**
 * What operators ask about the partitions of the order log.
 *
 * @param count how many there are
 * @param logBegin the first offset that a partition still holds
 * @param logEnd the offset that the next record of a partition will have
 */
public record Partitions(
    int count,
    Ledger ledger,
    IntFunction<Future<Long>> logBegin,
    IntFunction<Future<Long>> logEnd) {}
