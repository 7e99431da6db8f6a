package io.sluice.admin;

import io.sluice.ledger.OrderStories.Chapter;
import io.sluice.ledger.OrderStories.Story;
import io.sluice.model.Order;
import io.sluice.web.format.OrderJson;
import io.sluice.web.format.Rfc3339;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The JSON of orders as operators see them. */
final class StoryJson {
  private StoryJson() {}

  static JsonObject of(Order order) {
    return new JsonObject(OrderJson.of(order)).put("user_id", order.userId());
  }

  /**
   * The clock of Redis may differ from the ledger's, so the time until the booking may be negative.
   */
  static JsonObject of(Story story) {
    JsonArray chapters = new JsonArray();
    long beforeMs = 0;
    for (Chapter chapter : story.chapters()) {
      JsonObject told =
          new JsonObject()
              .put("what", chapter.what())
              .put("at", Rfc3339.orNull(chapter.atMs()))
              .put("after_ms", beforeMs == 0 ? 0 : chapter.atMs() - beforeMs)
              .put("qty", chapter.qty());
      if (chapter.reason() != null) {
        told.put("reason", chapter.reason());
      }
      if (chapter.reference() != null) {
        told.put("reference", chapter.reference());
      }
      chapters.add(told);
      beforeMs = chapter.atMs();
    }
    return of(story.order()).put("story", chapters);
  }
}
