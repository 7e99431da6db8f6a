package io.sluice.owner;

import io.sluice.async.StallDetector;
import io.sluice.metrics.OwnerMeters.PartitionMeters;
import io.sluice.model.BucketId;
import io.sluice.monitor.Alarm;
import io.sluice.monitor.Part;
import io.sluice.owner.RebuildRequest.Loaded;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The buckets of a partition that are shut, in any step of their rebuild. */
final class RebuildQueue {
  /** How long no bucket could be opened, while some are shut, before an alarm is raised. */
  static final Duration ALARM_EVERY = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(RebuildQueue.class);

  private final int partition;
  private final PartitionMeters meters;
  private Consumer<BucketId> opened = bucket -> {};
  private Consumer<BucketId> gone = bucket -> {};
  private final Map<BucketId, RebuildRequest> open = new LinkedHashMap<>();

  /** Buckets whose orders and counters disagree; shut until an operator requests a rebuild. */
  private final Set<BucketId> unsound = new HashSet<>();

  private final StallDetector stall = new StallDetector(ALARM_EVERY);
  private long asked;

  RebuildQueue(int partition, PartitionMeters meters) {
    this.partition = partition;
    this.meters = meters;
  }

  void onOpened(Consumer<BucketId> listener) {
    opened = listener;
  }

  void onGone(Consumer<BucketId> listener) {
    gone = listener;
  }

  /**
   * The open request for this bucket, which serves all callers; it notes that one more has asked.
   */
  Optional<RebuildRequest> askedAgain(BucketId bucket) {
    Optional<RebuildRequest> known = Optional.ofNullable(open.get(bucket));
    known.ifPresent(RebuildRequest::isAskedAgain);
    return known;
  }

  RebuildRequest add(BucketId bucket, String why) {
    log.atInfo()
        .addKeyValue("bucket", bucket)
        .addKeyValue("why", why)
        .log("bucket is rebuilt from the ledger");
    unsound.remove(bucket);
    RebuildRequest request = new RebuildRequest(bucket, asked++, meters.begin());
    open.put(bucket, request);
    return request;
  }

  /** These buckets are opened together with that of the request. */
  void addTo(RebuildRequest request, List<BucketId> buckets) {
    for (BucketId bucket : buckets) {
      RebuildRequest known = open.get(bucket);
      if (known != null && known != request) {
        known.joins(request);
      }
      request.buckets().add(bucket);
    }
    request
        .buckets()
        .forEach(
            bucket -> {
              unsound.remove(bucket);
              open.put(bucket, request);
            });
  }

  boolean isHandled(BucketId bucket) {
    return open.containsKey(bucket) || unsound.contains(bucket);
  }

  /** The load of one bucket is done, or was none because the bucket is gone. */
  void loaded(RebuildRequest request, BucketId bucket, Loaded loaded) {
    stall.restart();
    switch (loaded) {
      case OPEN -> {
        log.atInfo().addKeyValue("bucket", bucket).log("bucket is loaded");
        meters.rebuilt(request.begun());
        opened.accept(bucket);
      }
      case UNSOUND -> unsound.add(bucket);
      case GONE -> {
        log.atInfo().addKeyValue("bucket", bucket).log("bucket is gone; Redis has nothing of it");
        gone.accept(bucket);
      }
    }
  }

  /** All its buckets are loaded, or there are none. */
  void finished(RebuildRequest request) {
    stall.restart();
    request.buckets().forEach(bucket -> open.remove(bucket, request));
    request.open();
  }

  /** Called by a timer: raises an alarm if buckets stay shut, except while a part is away. */
  void tick() {
    if (Part.isAnyAway()) {
      stall.restart();
      return;
    }
    if (!open.isEmpty() && stall.tick()) {
      long failing = open.values().stream().filter(RebuildRequest::hasFailed).count();
      Alarm.NO_BUCKET_LOADS.raise(
          log.atError()
              .addKeyValue("partition", partition)
              .addKeyValue("seconds", stall.seconds())
              .addKeyValue("shut", open.size())
              .addKeyValue("failing", failing)
              .addKeyValue("bucket", open.keySet().iterator().next()));
    }
  }
}
