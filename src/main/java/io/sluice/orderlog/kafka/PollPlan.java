package io.sluice.orderlog.kafka;

import java.util.Map;
import java.util.Set;

/**
 * What the poll thread does before its next poll.
 *
 * @param seeks partitions to be read from another offset
 * @param running partitions whose records are wanted; all others are paused
 */
public record PollPlan(Map<Integer, Long> seeks, Set<Integer> running) {
  static final PollPlan NOTHING = new PollPlan(Map.of(), Set.of());
}
