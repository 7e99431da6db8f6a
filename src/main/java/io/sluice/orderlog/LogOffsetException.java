package io.sluice.orderlog;

/**
 * A partition does not hold the offset that it should be read from. No offset is ever reset
 * silently: an operator decides.
 */
public final class LogOffsetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int partition;
  private final long wanted;
  private final long begin;
  private final long end;

  /**
   * Expects what the partition holds.
   *
   * @param begin its first offset
   * @param end the offset that its next record will have
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
