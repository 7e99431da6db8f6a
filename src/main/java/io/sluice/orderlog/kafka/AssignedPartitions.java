package io.sluice.orderlog.kafka;

import io.sluice.orderlog.LogBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that the group has assigned to this instance, and the state of each. Used on one
 * context; polls are identified by their number.
 */
public final class AssignedPartitions {
  private static final class Assigned {
    /**
     * Changes with each assignment and start, so that answers to earlier questions are recognized
     * as stale.
     */
    long generation;

    boolean started;
    boolean paused;

    /** The offset that the next poll must seek to, if that is not planned yet. */
    @Nullable Long seekTo;

    /** Records of earlier polls are from another offset. */
    long firstPoll;

    /** Records that arrived while the partition was paused. No poll adds to them. */
    @Nullable LogBatch held;

    boolean runs() {
      return started && !paused && held == null;
    }
  }

  private final Map<Integer, Assigned> assigned = new HashMap<>();
  private long generations;

  public Set<Integer> all() {
    return Set.copyOf(assigned.keySet());
  }

  /** The generation for {@link #isCurrent}; 0 if the partition is not assigned. */
  long generation(int partition) {
    Assigned state = assigned.get(partition);
    return state == null ? 0 : state.generation;
  }

  public void assigned(Set<Integer> partitions) {
    for (int partition : partitions) {
      Assigned state = new Assigned();
      state.generation = ++generations;
      assigned.put(partition, state);
    }
  }

  public void revoked(Set<Integer> partitions) {
    assigned.keySet().removeAll(partitions);
  }

  /**
   * Stops the partition, because it is about to be started at another offset. Earlier attempts to
   * start it become stale.
   *
   * @return its generation; 0 if the partition is not assigned
   */
  public long prepareStart(int partition) {
    stop(partition);
    Assigned state = assigned.get(partition);
    if (state != null) {
      state.generation = ++generations;
    }
    return generation(partition);
  }

  boolean isCurrent(int partition, long generation) {
    Assigned state = assigned.get(partition);
    return state != null && state.generation == generation;
  }

  /** Starts delivery: from the poll with this number on, records begin at this offset. */
  public void start(int partition, long offset, long poll) {
    Assigned state = assigned.get(partition);
    if (state != null) {
      state.started = true;
      state.paused = false;
      state.seekTo = offset;
      state.firstPoll = poll;
      state.held = null;
    }
  }

  /** Stops delivery until the partition is started again. */
  public void stop(int partition) {
    Assigned state = assigned.get(partition);
    if (state != null) {
      state.started = false;
      state.held = null;
    }
  }

  public void pause(Set<Integer> partitions) {
    setPaused(partitions, true);
  }

  public void resume(Set<Integer> partitions) {
    setPaused(partitions, false);
  }

  private void setPaused(Set<Integer> partitions, boolean paused) {
    for (int partition : partitions) {
      Assigned state = assigned.get(partition);
      if (state != null) {
        state.paused = paused;
      }
    }
  }

  /** The plan of the next poll. Each seek is in one plan only. */
  public PollPlan plan() {
    Map<Integer, Long> seeks = new HashMap<>();
    Set<Integer> running = new HashSet<>();
    assigned.forEach(
        (partition, state) -> {
          if (state.seekTo != null) {
            seeks.put(partition, state.seekTo);
            state.seekTo = null;
          }
          if (state.runs()) {
            running.add(partition);
          }
        });
    return new PollPlan(seeks, running);
  }

  /**
   * Whether these records are to be delivered now. Stale ones are dropped; those of a paused
   * partition are kept.
   */
  public boolean admit(long poll, LogBatch batch) {
    Assigned state = assigned.get(batch.partition());
    if (state == null || !isRead(batch.partition(), poll)) {
      return false;
    }
    if (!state.paused && state.held == null) {
      return true;
    }
    state.held = batch;
    return false;
  }

  /** Whether the result of this poll is about the offset where the partition is read now. */
  public boolean isRead(int partition, long poll) {
    Assigned state = assigned.get(partition);
    return state != null && state.started && poll >= state.firstPoll;
  }

  /**
   * Takes the kept records of a partition that is no longer paused, if there are any; the caller
   * delivers them.
   */
  @Nullable LogBatch takeHeld() {
    for (Assigned state : assigned.values()) {
      LogBatch held = state.held;
      if (held != null && !state.paused) {
        state.held = null;
        return held;
      }
    }
    return null;
  }

  /**
   * The work of the poll thread before its next poll.
   *
   * @param seeks partitions to read from another offset
   * @param running partitions whose records are delivered; all others are paused
   */
  public record PollPlan(Map<Integer, Long> seeks, Set<Integer> running) {

    /** Seeks, resumes and pauses; partitions that are not assigned any more are skipped. */
    void applyTo(Consumer<?, ?> consumer) {
      Set<TopicPartition> resumed = new HashSet<>();
      Set<TopicPartition> paused = new HashSet<>();
      for (TopicPartition assigned : consumer.assignment()) {
        Long offset = seeks.get(assigned.partition());
        if (offset != null) {
          consumer.seek(assigned, offset);
        }
        (running.contains(assigned.partition()) ? resumed : paused).add(assigned);
      }
      consumer.resume(resumed);
      consumer.pause(paused);
    }
  }
}
