package io.sluice.bench.site;

/**
 * How many orders were granted, and how many lives have ended and were told to listeners, on a site
 * whose orders are all either confirmed or left to time out. Cheap enough to be read each second.
 *
 * <p>Of a life listeners hear two events. Heartbeats are counted with them, sixteen a second at
 * most.
 */
public record LifeCounts(long granted, long ended) {
  private static final int EVENTS_OF_A_LIFE = 2;

  public static LifeCounts of(Site site) {
    long told =
        site.topics().endOffsets(Site.EVENTS).values().stream().mapToLong(Long::longValue).sum();
    return new LifeCounts(ServiceMetrics.of(site).grants(), told / EVENTS_OF_A_LIFE);
  }
}
