package io.sluice.explore.actor;

import io.sluice.async.LoopContext;
import io.sluice.async.LoopContext.Timers;
import io.sluice.explore.run.Chance;
import io.sluice.explore.run.Scheduler;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A process: it has timers and a monotonic clock, can be paused, and can crash once. */
public final class Node {
  private static final long TIMER_JITTER_US = 2_000;

  private final String name;
  private final Scheduler scheduler;
  private final Chance chance;
  private final long clockOffsetNanos;
  private final Map<String, Integer> counts = new HashMap<>();
  private final List<Runnable> postponed = new ArrayList<>();
  private boolean paused;
  private boolean dead;

  Node(String name, Scheduler scheduler, Chance chance) {
    this.name = name;
    this.scheduler = scheduler;
    this.chance = chance;
    this.clockOffsetNanos = chance.of(name, "clock", 0).nextLong();
  }

  public String name() {
    return name;
  }

  public boolean isDead() {
    return dead;
  }

  public boolean isPaused() {
    return paused;
  }

  /** Drops all pending work for good. */
  public void crash() {
    dead = true;
  }

  /** Stops until {@link #goOn}, without noticing; its clock continues. */
  public void pause() {
    paused = true;
  }

  /** Runs everything that became due meanwhile, in order. */
  public void goOn() {
    paused = false;
    postponed.forEach(Runnable::run);
    postponed.clear();
  }

  public void postpone(Runnable event) {
    postponed.add(event);
  }

  /** The number of times, from 1, that this node has done this. */
  public int count(String what) {
    return counts.merge(what, 1, Integer::sum);
  }

  public void after(long delayUs, Runnable action) {
    scheduler.after(this, delayUs, action);
  }

  /** Repeats an action. */
  void every(long periodUs, Runnable action) {
    after(
        jittered(periodUs),
        () -> {
          action.run();
          every(periodUs, action);
        });
  }

  private long jittered(long periodUs) {
    SplittableRandom draws = chance.of(name, "jitter", count("jitter"));
    return periodUs + draws.nextLong(TIMER_JITTER_US);
  }

  Timers timers() {
    return delay -> {
      Promise<Void> due = Promise.promise();
      after(jittered(delay.toNanos() / 1_000), due::complete);
      return due.future();
    };
  }

  LoopContext loop() {
    return new LoopContext(this::nanoTime, timers(), task -> after(0, task));
  }

  long nanoTime() {
    return scheduler.nowUs() * 1_000 + clockOffsetNanos;
  }

  @Override
  public String toString() {
    return name;
  }
}
