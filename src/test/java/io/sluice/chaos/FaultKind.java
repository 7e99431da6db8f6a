package io.sluice.chaos;

/** The ways in which a chaos run breaks something. */
enum FaultKind {
  INSTANCE_KILLED("instance killed (-9)", Part.INSTANCE, 500, 4_000),
  INSTANCE_TERMINATED("instance terminated and restarted", Part.INSTANCE, 100, 2_000),
  INSTANCE_PAUSED("instance paused", Part.INSTANCE, 1_000, 15_000),
  REDIS_KILLED("Redis killed (-9)", Part.REDIS, 300, 3_000),
  REDIS_EMPTIED("Redis killed, back empty", Part.REDIS, 300, 3_000),
  REDIS_AGED("Redis killed, back with an older file", Part.REDIS, 1_500, 4_000),
  REDIS_PAUSED("Redis paused", Part.REDIS, 1_000, 15_000),
  KAFKA_KILLED("Kafka killed (-9)", Part.KAFKA, 300, 3_000),
  KAFKA_PAUSED("Kafka paused", Part.KAFKA, 1_000, 15_000),
  DATABASE_KILLED("database killed (-9)", Part.DATABASE, 300, 3_000),
  DATABASE_PAUSED("database paused", Part.DATABASE, 1_000, 15_000),
  LINK_STALLED("connection stalled", Part.LINK, 1_000, 8_000),
  LINK_CUT("connection cut and refused", Part.LINK, 500, 6_000),
  LINK_DEAF("replies swallowed, then cut", Part.LINK, 500, 6_000),
  LINK_SLOW("connection slowed down", Part.LINK, 1_000, 8_000);

  /** What can be broken. */
  enum Part {
    INSTANCE,
    REDIS,
    KAFKA,
    DATABASE,
    LINK
  }

  private final String words;
  private final Part part;
  private final int holdMinMs;
  private final int holdMaxMs;

  FaultKind(String words, Part part, int holdMinMs, int holdMaxMs) {
    this.words = words;
    this.part = part;
    this.holdMinMs = holdMinMs;
    this.holdMaxMs = holdMaxMs;
  }

  String words() {
    return words;
  }

  Part part() {
    return part;
  }

  /** How long the fault stays; {@code luck} is 0 to 1, and short faults are more frequent. */
  int holdMs(double luck) {
    return (int) (holdMinMs + (holdMaxMs - holdMinMs) * luck * luck);
  }

  /** Whether the buckets have to be rebuilt after it. */
  boolean losesRedis() {
    return part == Part.REDIS && this != REDIS_PAUSED;
  }

  /** Whether an instance's partitions have to be taken over. */
  boolean endsInstance() {
    return this == INSTANCE_KILLED || this == INSTANCE_TERMINATED;
  }
}
