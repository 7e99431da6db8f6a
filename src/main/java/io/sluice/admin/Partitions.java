package io.sluice.admin;

import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.util.function.IntFunction;

/**
 * The partitions of the order log, as operators' calls need them.
 *
 * @param count of partitions
 * @param logBegin the first offset that a partition still has
 * @param logEnd the offset of a partition's next record
 */
public record Partitions(
    int count,
    Ledger ledger,
    IntFunction<Future<Long>> logBegin,
    IntFunction<Future<Long>> logEnd) {}
