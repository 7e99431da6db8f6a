package io.sluice.explore.run;

import io.sluice.explore.actor.Node;
import java.util.PriorityQueue;

/** Runs events one after the other, in the order of their virtual times. */
public final class Scheduler {
  private static final long HASH_FACTOR = 0x100000001b3L;

  /** The node is null for what happens in the stores and on the network. */
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

  /** How many events were run. */
  long steps() {
    return steps;
  }

  /** Two runs that did the same at the same times have the same. */
  long fingerprint() {
    return fingerprint;
  }

  /** Something that happens outside of all nodes. */
  public void after(long delayUs, Runnable action) {
    after(null, delayUs, action);
  }

  /** Something that a node does: never while it is paused, and never again once it is dead. */
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
