package io.sluice.sale;

import io.sluice.testkit.kafka.Topics.Entry;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The events about orders on {@code stock-events}, which delivers at least once: repeats are
 * dropped.
 */
public final class OrderEvents {
  private final List<Entry> entries;

  public OrderEvents(SaleSite site) {
    this.entries = site.topics().all(site.eventsTopic());
  }

  /** The statuses announced for an order, in the order of the topic. */
  public List<String> statuses(String token) {
    return of(token).map(event -> event.getString("status")).distinct().toList();
  }

  public List<Long> versions(String token) {
    return of(token).map(event -> event.getLong("version")).toList();
  }

  public long count(String token, String type) {
    return of(token).filter(event -> type.equals(event.getString("type"))).count();
  }

  /** All about an order, repeats included. */
  public Stream<JsonObject> of(String token) {
    return entries.stream().filter(entry -> Objects.equals(entry.key(), token)).map(Entry::json);
  }
}
