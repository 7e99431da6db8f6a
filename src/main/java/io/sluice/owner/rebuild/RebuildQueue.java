package io.sluice.owner.rebuild;

import io.sluice.async.StallDetector;
import io.sluice.model.BucketId;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The buckets of a partition that are shut, wherever on their way they are. */
public final class RebuildQueue {
  /** How long nothing may be opened while something waits to be, before an alarm says so. */
  public static final Duration ALARM_EVERY = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(RebuildQueue.class);

  private final int partition;
  private Consumer<BucketId> opened = bucket -> {};
  private final Map<BucketId, RebuildRequest> open = new LinkedHashMap<>();

  /** Buckets whose orders and counters disagree: shut until an operator asks for them. */
  private final Set<BucketId> unsound = new HashSet<>();

  private final StallDetector patience = new StallDetector(ALARM_EVERY);
  private long asked;

  RebuildQueue(int partition) {
    this.partition = partition;
  }

  void tellOpened(Consumer<BucketId> listener) {
    opened = listener;
  }

  /** The request that serves all callers for this bucket, if it is on its way. */
  Optional<RebuildRequest> known(BucketId bucket) {
    return Optional.ofNullable(open.get(bucket));
  }

  RebuildRequest add(BucketId bucket, String why) {
    log.atInfo()
        .addKeyValue("bucket", bucket)
        .addKeyValue("why", why)
        .log("bucket is to be loaded from the ledger");
    unsound.remove(bucket);
    RebuildRequest request = new RebuildRequest(bucket, asked++);
    open.put(bucket, request);
    return request;
  }

  boolean isTakenCareOf(BucketId bucket) {
    return open.containsKey(bucket) || unsound.contains(bucket);
  }

  /** The load has ended; where it was not sound, its SKU is frozen and the bucket stays shut. */
  void loaded(RebuildRequest request, boolean sound) {
    if (sound) {
      log.atInfo().addKeyValue("bucket", request.bucket()).log("bucket is loaded");
      opened.accept(request.bucket());
    } else {
      unsound.add(request.bucket());
    }
    finished(request);
  }

  /** The ledger has no such bucket. */
  void unknown(RebuildRequest request) {
    finished(request);
  }

  private void finished(RebuildRequest request) {
    patience.restart();
    open.remove(request.bucket());
    request.open();
  }

  /** A timer's call: says so where buckets stay shut, whatever it is that they wait for. */
  void tick() {
    if (open.isEmpty()) {
      patience.restart();
    } else if (patience.tick()) {
      log.atError()
          .addKeyValue("partition", partition)
          .addKeyValue("seconds", patience.seconds())
          .addKeyValue("shut", open.size())
          .addKeyValue("failing", open.values().stream().filter(RebuildRequest::hasFailed).count())
          .addKeyValue("bucket", open.keySet().iterator().next())
          .log("ALARM: no bucket could be loaded; they stay shut until one can");
    }
  }
}
