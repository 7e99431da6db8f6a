package io.sluice.orderlog;

/**
 * A partition does not have the offset to read from. No offset is ever reset silently; an operator
 * decides.
 */
public final class LogOffsetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int partition;
  private final long wanted;
  private final long begin;
  private final long end;

  /**
   * @param wanted the offset to read from
   * @param begin the first offset of the partition
   * @param end the offset of its next record
   */
  public LogOffsetException(int partition, long wanted, long begin, long end) {
    super(
        "Expected partition %d to hold offset %d, but it holds %d up to %d"
            .formatted(partition, wanted, begin, end));
    this.partition = partition;
    this.wanted = wanted;
    this.begin = begin;
    this.end = end;
  }

  public int partition() {
    return partition;
  }

  public long wanted() {
    return wanted;
  }

  public long begin() {
    return begin;
  }

  public long end() {
    return end;
  }
}
