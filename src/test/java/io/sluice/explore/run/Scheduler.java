package io.sluice.explore.run;

import io.sluice.explore.actor.Node;
import java.util.PriorityQueue;

/** Runs events one after the other, in the order of their virtual times. */
public final class Scheduler {
  private static final long HASH_FACTOR = 0x100000001b3L;

  /** An event; the node is null for events in the stores and on the network. */
  private record Event(long atUs, long number, Node node, Runnable action)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atUs, other.atUs);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private long nowUs;
  private long numbered;
  private long steps;
  private long fingerprint;

  public long nowUs() {
    return nowUs;
  }

  public long nowMs() {
    return nowUs / 1_000;
  }

  /** The number of events that were run. */
  long steps() {
    return steps;
  }

  /** Equal for two runs that did the same at the same times. */
  long fingerprint() {
    return fingerprint;
  }

  /** Schedules an event outside of all nodes. */
  public void after(long delayUs, Runnable action) {
    after(null, delayUs, action);
  }

  /**
   * Schedules an action of a node: it is postponed while the node is paused, and dropped once it
   * has crashed.
   */
  public void after(Node node, long delayUs, Runnable action) {
    queue.add(new Event(nowUs + delayUs, numbered++, node, action));
  }

  /** Runs the next event; false where there is none. */
  boolean step() {
    Event next = queue.poll();
    if (next == null) {
      return false;
    }
    nowUs = next.atUs;
    Node node = next.node;
    if (node != null && node.isDead()) {
      return true;
    }
    if (node != null && node.isPaused()) {
      node.postpone(() -> queue.add(new Event(nowUs, next.number, node, next.action)));
      return true;
    }
    steps++;
    fingerprint = (fingerprint ^ next.atUs) * HASH_FACTOR + next.number;
    next.action.run();
    return true;
  }
}
