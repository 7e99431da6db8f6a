package io.sluice.chaos.fault;

import java.util.EnumSet;
import java.util.Set;

/** The kinds of faults of a chaos run. */
public enum FaultKind {
  INSTANCE_KILLED("instance killed (-9)", Part.INSTANCE, 500, 4_000, 11_000),
  INSTANCE_GONE("instance killed (-9), down for 16 s", Part.INSTANCE, 16_000, 16_000, 8_000),
  INSTANCE_TERMINATED("instance terminated and restarted", Part.INSTANCE, 100, 2_000, 7_000),
  INSTANCE_PAUSED("instance paused", Part.INSTANCE, 1_000, 15_000, 3_000),
  INSTANCE_BEFORE_STORE(
      "instance started while a store is down", Part.STORE, 5_000, 120_000, 9_000),
  DEADLINES_CHANGED(
      "grant deadline changed, instances restarted in turn", Part.INSTANCES, 500, 3_000, 18_000),
  REDIS_KILLED("Redis killed (-9)", Part.REDIS, 300, 3_000, 10_000),
  REDIS_EMPTIED("Redis killed, restarted empty", Part.REDIS, 300, 3_000, 10_000),
  REDIS_AGED("Redis killed, restarted with an older file", Part.REDIS, 1_500, 4_000, 10_000),
  REDIS_PAUSED("Redis paused", Part.REDIS, 1_000, 15_000, 5_000),
  REDIS_DEMOTED("Redis demoted and promoted back", Part.REDIS, 300, 3_000, 12_000),
  REDIS_REPLACED(
      "replica promoted, old primary isolated with an instance", Part.REDIS, 500, 6_000, 12_000),
  REDIS_CLOCK_STEPPED(
      "Redis' clock an hour ahead or behind, and back", Part.REDIS, 1_000, 8_000, 10_000),
  REDIS_KEY_DELETED("one key of a bucket deleted in Redis", Part.REDIS, 100, 500, 12_000),
  REDIS_ACL_NARROWED(
      "a command of the scripts denied by Redis' ACL, and allowed again",
      Part.REDIS,
      500,
      4_000,
      12_000),
  SLOT_MOVED(
      "a partition's slot moved to another primary, and back", Part.REDIS, 500, 6_000, 12_000),
  KAFKA_KILLED("Kafka killed (-9)", Part.KAFKA, 300, 3_000, 4_000),
  KAFKA_PAUSED("Kafka paused", Part.KAFKA, 1_000, 15_000, 3_000),
  LOG_TRIMMED("booked records deleted by retention", Part.LOG, 100, 500, 2_000),
  LOG_TRIMMED_ASIDE(
      "booked records deleted while an instance is paused", Part.LOG, 2_000, 8_000, 4_000),
  LOG_FOREIGN("a record of another program in the order log", Part.KAFKA, 100, 500, 3_000),
  EVENTS_REMADE("topic of events deleted and made anew", Part.KAFKA, 500, 3_000, 8_000),
  SECOND_LEDGER("an instance of another ledger on the same servers", Part.SERVERS, 100, 500, 2_000),
  PARTITION_LEADERLESS("a partition without a leader", Part.KAFKA, 2_000, 12_000, 10_000),
  DATABASE_KILLED("database killed (-9)", Part.DATABASE, 300, 3_000, 3_000),
  DATABASE_PAUSED("database paused", Part.DATABASE, 1_000, 15_000, 3_000),
  DATABASE_READ_ONLY("database read-only", Part.DATABASE, 1_000, 15_000, 4_000),
  DATABASE_RESTORED("database restored to an older state", Part.DATABASE, 1_000, 4_000, 15_000),
  LINK_STALLED("connection stalled", Part.LINK, 1_000, 8_000, 2_000),
  LINK_CUT("connection cut and refused", Part.LINK, 500, 6_000, 2_000),
  LINK_DEAF("replies dropped, then cut", Part.LINK, 500, 6_000, 3_000),
  LINK_SLOW("connection slowed down", Part.LINK, 1_000, 8_000, 2_000);

  /** The parts that can be broken. */
  enum Part {
    INSTANCE,
    INSTANCES,
    REDIS,
    KAFKA,
    /** The order log up to what the ledger has booked: Kafka and the database must both be up. */
    LOG,
    DATABASE,
    /** All servers must be up. */
    SERVERS,
    LINK,
    /** An instance and one of the servers. */
    STORE
  }

  /** Faults that take so long, or change so much, that they are never combined with others. */
  private static final Set<FaultKind> NEVER_MIXED =
      EnumSet.of(
          INSTANCE_GONE,
          INSTANCE_BEFORE_STORE,
          DEADLINES_CHANGED,
          DATABASE_RESTORED,
          EVENTS_REMADE,
          SECOND_LEDGER);

  /** Faults too long for a run of one minute. */
  private static final Set<FaultKind> LONG =
      EnumSet.of(INSTANCE_GONE, DEADLINES_CHANGED, PARTITION_LEADERLESS);

  private final String words;
  private final Part part;
  private final int holdMinMs;
  private final int holdMaxMs;
  private final int settleMs;

  FaultKind(String words, Part part, int holdMinMs, int holdMaxMs, int settleMs) {
    this.words = words;
    this.part = part;
    this.holdMinMs = holdMinMs;
    this.holdMaxMs = holdMaxMs;
    this.settleMs = settleMs;
  }

  public String words() {
    return words;
  }

  Part part() {
    return part;
  }

  /** The length of the fault; {@code luck} is 0 to 1, and short faults are more frequent. */
  int holdMs(double luck) {
    return (int) (holdMinMs + (holdMaxMs - holdMinMs) * luck * luck);
  }

  int holdMinMs() {
    return holdMinMs;
  }

  int holdMaxMs() {
    return holdMaxMs;
  }

  /** The usual time to inject it and to recover, in addition to its length. */
  int settleMs() {
    return settleMs;
  }

  /** How long after its end its effects may start: owners check for a lost commit each second. */
  int noticedMs() {
    return this == DATABASE_RESTORED ? 2_000 : 0;
  }

  /** Whether it may be combined with other faults. */
  boolean mixes() {
    return !NEVER_MIXED.contains(this);
  }

  boolean isLong() {
    return LONG.contains(this);
  }

  /** Whether another instance must take over an instance's partitions. */
  public boolean endsInstance() {
    return this == INSTANCE_KILLED || this == INSTANCE_GONE || this == INSTANCE_TERMINATED;
  }
}
