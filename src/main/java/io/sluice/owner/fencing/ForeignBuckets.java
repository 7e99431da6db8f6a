package io.sluice.owner.fencing;

import io.sluice.async.AsyncLoop;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Appends commands that were sent to the wrong partition anew, to the partition where their bucket
 * is; docs/design.md section 4. Called before the offset of such a command is committed, so that
 * none is lost: after a crash in between it is appended twice, and the second copy changes nothing.
 * Without a crash it is appended once: while one partition takes no records, the commands of the
 * others are not appended with each retry.
 *
 * <p>Two partitions cannot send a command to and fro: both read the same row, under its lock, so
 * each further append needs one more change of that row.
 */
final class ForeignBuckets {
  /** A record with so many commands stays far below the limit of the brokers. */
  static final int RECORD_COMMANDS_MAX = 128;

  private static final Logger log = LoggerFactory.getLogger(ForeignBuckets.class);

  private final OrderLog orderLog;
  private final UnaryOperator<LoggingEventBuilder> about;
  private final Runnable progressed;

  /**
   * Commands that are in the log where their bucket is, and whose offset may not be committed yet.
   * Compared by identity: two that are equal are two.
   */
  private final Set<Command> sent = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param about adds the owner's partition to a log event
   * @param progressed called after each record
   */
  ForeignBuckets(OrderLog orderLog, UnaryOperator<LoggingEventBuilder> about, Runnable progressed) {
    this.orderLog = orderLog;
    this.about = about;
    this.progressed = progressed;
  }

  private record Append(int partition, List<Command> commands) {}

  /**
   * Appends the commands of these buckets, each to its partition, in their order. Returns the other
   * commands; fails if an append fails, and then all may be repeated.
   */
  Future<List<Command>> sendOn(List<Command> commands, Map<BucketId, Integer> partitions) {
    List<Command> left = new ArrayList<>();
    Map<Integer, List<Command>> foreign = new TreeMap<>();
    for (Command command : commands) {
      Integer partition = partitionOf(command, partitions);
      if (partition == null) {
        left.add(command);
      } else if (!(command instanceof Command.Reject) && !sent.contains(command)) {
        // A rejection is an owner's decision on what Redis has; the owner there makes its own.
        foreign.computeIfAbsent(partition, first -> new ArrayList<>()).add(command);
      }
    }
    return AsyncLoop.forEach(inRecords(foreign), this::append).map(left);
  }

  /** These commands will not be sent on again: their offset is committed, or they are made anew. */
  void forget(List<Command> commands) {
    commands.forEach(sent::remove);
  }

  private static @Nullable Integer partitionOf(Command command, Map<BucketId, Integer> partitions) {
    OrderToken token = command.token();
    return token == null ? null : partitions.get(token.bucketId());
  }

  private static List<Append> inRecords(Map<Integer, List<Command>> foreign) {
    List<Append> records = new ArrayList<>();
    foreign.forEach(
        (partition, commands) -> {
          for (int from = 0; from < commands.size(); from += RECORD_COMMANDS_MAX) {
            int end = Math.min(from + RECORD_COMMANDS_MAX, commands.size());
            records.add(new Append(partition, List.copyOf(commands.subList(from, end))));
          }
        });
    return records;
  }

  private Future<Void> append(Append record) {
    return orderLog
        .append(record.partition(), record.commands())
        .onSuccess(
            offset -> {
              sent.addAll(record.commands());
              progressed.run();
              about
                  .apply(log.atInfo())
                  .addKeyValue("to", record.partition())
                  .addKeyValue("commands", record.commands().size())
                  .log("commands of buckets in another partition were appended there");
            })
        .mapEmpty();
  }
}
