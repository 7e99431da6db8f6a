package io.sluice.client;

import java.time.Duration;
import java.util.Optional;

/**
 * What a command of a list was answered. It has an order or a problem.
 *
 * @param command what was asked for
 * @param status that of the command's own call
 * @param order the order, after a 200 or 202
 * @param problem why not
 * @param retryAfter when to repeat it at the earliest; zero if the service has not said so
 */
public record CommandResult(
    Command command,
    int status,
    Optional<Order> order,
    Optional<Problem> problem,
    Duration retryAfter) {
  private static final int OK = 200;
  private static final int ACCEPTED = 202;

  /** Whether it is done, now or before. */
  public boolean isDone() {
    return status == OK;
  }

  /**
   * Whether the outcome was not known before the deadline: the command may be carried out, or have
   * been. Run it again, or look at the order.
   */
  public boolean isOpen() {
    return Retries.isRepeated(status);
  }

  /** Whether to repeat it while there is time. What is recorded (202) needs no repetition. */
  boolean isRepeated() {
    return status != ACCEPTED && isOpen();
  }

  static CommandResult of(Command command, JsonObject json) {
    return new CommandResult(
        command,
        json.integer("status"),
        json.objectIfThere("order").map(Order::of),
        json.objectIfThere("problem").map(Problem::of),
        Duration.ofSeconds(json.integer("retry_after_s", 0)));
  }
}
