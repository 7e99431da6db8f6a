package io.sluice.ledger;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The targets that events are sent to, the same for all instances; how far each has got, and the
 * events that it has not accepted. One instance at a time sends to a target, under a lease. Times
 * are those of the ledger's clock.
 */
public interface Webhooks {
  int TARGETS_MAX = 20;

  /** Of a target. With more, its cursor stands still: the events stay where they are kept. */
  int WAITING_MAX = 10_000;

  int PAGE_MAX = 500;

  /** The types of a target that takes all. */
  String ALL_TYPES = "*";

  /** For how long the secret before signs as well. */
  Duration FORMER_SIGNS_FOR = Duration.ofHours(24);

  /** For how long failed events are kept. */
  Duration FAILED_KEPT_FOR = Duration.ofDays(30);

  /** How much of an event is sent. */
  enum Form {
    THIN,
    FULL
  }

  /**
   * A target.
   *
   * @param formerSecret signs as well until {@code formerUntilMs}; empty if there was none
   * @param types words with commas, or {@link #ALL_TYPES}
   * @param stopped why nothing is sent to it any more; empty if it is
   * @param owner the instance that sends to it until {@code leasedUntilMs}; empty before the first
   * @param nowMs when it was read
   */
  record Webhook(
      String webhookId,
      String url,
      String secret,
      String formerSecret,
      long formerUntilMs,
      String types,
      Form form,
      String cursor,
      String stopped,
      String owner,
      long leasedUntilMs,
      long nowMs) {
    /** Whether it wants events of this type. */
    public boolean takes(String type) {
      return types.equals(ALL_TYPES) || List.of(types.split(",")).contains(type);
    }

    /** Whether both secrets sign. */
    public boolean isRotating() {
      return formerUntilMs > nowMs;
    }

    /** Without secrets. */
    @Override
    public String toString() {
      return "webhook " + webhookId;
    }
  }

  /**
   * The validated body of a PUT; what it leaves out is null.
   *
   * @param cursor where a new target begins; null before it is known that it is new
   */
  record NewWebhook(
      String webhookId,
      @Nullable String url,
      @Nullable String secret,
      @Nullable String types,
      @Nullable Form form,
      @Nullable String cursor) {
    /** Without secrets. */
    @Override
    public String toString() {
      return "webhook " + webhookId;
    }
  }

  /** The result of a PUT. */
  sealed interface PutResult {
    record Done(Webhook webhook, boolean created) implements PutResult {}

    /** A new target needs this field. */
    record Missing(String field) implements PutResult {}

    /** There are {@link #TARGETS_MAX} others. */
    record Full() implements PutResult {}

    /** It would be new, and is to be put again with a cursor. */
    record NoCursor() implements PutResult {}
  }

  /** What became of an event that was not accepted. */
  enum State {
    WAITING,
    FAILED
  }

  /**
   * An event that a target has not accepted.
   *
   * @param no its place in the order of all; 0 before it is kept
   * @param orderKey events of the same one are in order
   * @param event as text
   * @param attempts how often it was sent; 0 if it waits behind another one
   * @param why it was not accepted
   */
  record Delivery(
      long no,
      String messageId,
      String eventType,
      String orderKey,
      String event,
      State state,
      int attempts,
      long firstAtMs,
      long nextAtMs,
      String why) {}

  /**
   * An event to park.
   *
   * @param waits until it is sent again
   */
  record Parked(
      String messageId,
      String eventType,
      String orderKey,
      String event,
      int attempts,
      Duration waits,
      String why) {}

  /**
   * An event that was not accepted once more.
   *
   * @param waits until it is sent again; null if it has failed
   */
  record Retried(long no, int attempts, @Nullable Duration waits, String why) {}

  /**
   * How many events a target has not accepted.
   *
   * @param oldestAtMs when the oldest that waits was first not accepted; 0 if none waits
   */
  record Counts(long waiting, long failed, long oldestAtMs) {}

  // ---- operators

  Future<PutResult> put(NewWebhook wanted);

  /** Deletes a target with all that it has not accepted; false if there is none. */
  Future<Boolean> delete(String webhookId);

  /** All targets, by their ids. */
  Future<List<Webhook>> webhooks();

  Future<Counts> counts(String webhookId);

  /**
   * The events that a target has not accepted, in order.
   *
   * @param after the last one of the page before; 0 for the first page
   */
  Future<List<Delivery>> deliveries(String webhookId, long after, int limit);

  /**
   * Lets the events that a target has not accepted be sent again at once, up to {@link
   * #WAITING_MAX} of them, and failed ones for their time once more.
   *
   * @return how many
   */
  Future<Integer> replay(String webhookId);

  // ---- the instance that sends

  /** Takes or renews the lease of a target; empty if another instance has it, or it is stopped. */
  Future<Optional<Webhook>> lease(String webhookId, String owner, Duration length);

  /** Gives up all leases of an instance. */
  Future<Void> release(String owner);

  /**
   * Moves the cursor of a target, and parks what it has not accepted before that.
   *
   * @param from where the cursor was
   * @return whether it was there, and the owner still has the target
   */
  Future<Boolean> advance(
      String webhookId, String owner, String from, String to, List<Parked> parked);

  /** Those of these order keys that have events that wait. */
  Future<List<String>> parkedOf(String webhookId, List<String> orderKeys);

  /** The events that are to be sent again now, the first of each order key. */
  Future<List<Delivery>> due(String webhookId, int limit);

  /**
   * Notes what became of events that were sent again.
   *
   * @param accepted their numbers
   * @return whether the owner still has the target
   */
  Future<Boolean> settle(
      String webhookId, String owner, List<Long> accepted, List<Retried> retried);

  /** Sends nothing more to a target until it is put again. */
  Future<Void> stop(String webhookId, String owner, String why);

  /** Deletes some of the failed events that were kept for {@link #FAILED_KEPT_FOR}. */
  Future<Integer> purge(String webhookId);
}
