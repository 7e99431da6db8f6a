package io.sluice.ledger;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Jobs that die with the process, for ledgers that have no tables. */
public final class InMemoryJobs {
  private final Map<String, OrderJob> jobs = new LinkedHashMap<>();
  private final Map<String, Long> workedAtUntilMs = new HashMap<>();
  private final LongSupplier nowMs;

  public InMemoryJobs(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  /** Puts a job as it is. */
  public synchronized void put(OrderJob job) {
    jobs.put(job.jobId(), job);
  }

  public synchronized Future<OrderJob> start(OrderJob wanted) {
    OrderJob fresh =
        new OrderJob(
            wanted.jobId(),
            wanted.action(),
            wanted.saleId(),
            wanted.skuId(),
            wanted.startedBy(),
            nowMs.getAsLong(),
            OrderJob.State.RUNNING,
            0,
            0,
            0,
            "",
            1);
    jobs.putIfAbsent(wanted.jobId(), fresh);
    return Future.succeededFuture(jobs.get(wanted.jobId()));
  }

  public synchronized Future<Optional<OrderJob>> job(String jobId) {
    return Future.succeededFuture(Optional.ofNullable(jobs.get(jobId)));
  }

  public synchronized Future<List<OrderJob>> jobs(OrderJob.State state, int limit) {
    return Future.succeededFuture(
        jobs.values().stream()
            .filter(job -> job.state() == state)
            .sorted(Comparator.comparing(OrderJob::startedAtMs).reversed())
            .limit(limit)
            .toList());
  }

  public synchronized Future<Optional<OrderJob>> take(Duration lease) {
    return jobs.values().stream()
        .filter(job -> job.state() == OrderJob.State.RUNNING)
        .filter(job -> until(job) <= nowMs.getAsLong())
        .min(Comparator.comparing(this::until))
        .map(job -> save(job, lease))
        .orElse(Future.succeededFuture(Optional.empty()));
  }

  private long until(OrderJob job) {
    return workedAtUntilMs.getOrDefault(job.jobId(), 0L);
  }

  public synchronized Future<Optional<OrderJob>> save(OrderJob job, Duration lease) {
    OrderJob now = jobs.get(job.jobId());
    if (now == null || now.version() != job.version() || now.state() != OrderJob.State.RUNNING) {
      return Future.succeededFuture(Optional.empty());
    }
    OrderJob saved = withVersion(job, job.state(), job.version() + 1);
    jobs.put(job.jobId(), saved);
    workedAtUntilMs.put(job.jobId(), nowMs.getAsLong() + lease.toMillis());
    return Future.succeededFuture(Optional.of(saved));
  }

  public synchronized Future<Optional<OrderJob>> stop(String jobId) {
    jobs.computeIfPresent(
        jobId,
        (id, job) ->
            job.state() == OrderJob.State.RUNNING
                ? withVersion(job, OrderJob.State.STOPPED, job.version() + 1)
                : job);
    return job(jobId);
  }

  private static OrderJob withVersion(OrderJob job, OrderJob.State state, long version) {
    return new OrderJob(
        job.jobId(),
        job.action(),
        job.saleId(),
        job.skuId(),
        job.startedBy(),
        job.startedAtMs(),
        state,
        job.changed(),
        job.refused(),
        job.undone(),
        job.place(),
        version);
  }
}
