package io.sluice.orderlog;

import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Commands for tests of the log: for named buyers, and random ones over the full ranges. */
public final class Commands {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final long DAY_MS = 86_400_000L;

  private Commands() {}

  /** The token of this buyer's order of SKU 1001, bucket 0. */
  static OrderToken token(String buyer) {
    return TOKENS.tokenFor(buyer, new BucketId(1001, 0), null);
  }

  /** This buyer's reservation of one unit. */
  public static Command reserve(String buyer) {
    return new Command.Reserve(
        new Grant(token(buyer), buyer, 1, 7, 1, 1_000_000, 1_300_000), "trace-" + buyer);
  }

  public static Command confirm(String buyer) {
    return new Command.Confirm(token(buyer));
  }

  static List<Command> random(Random random, int count) {
    return IntStream.range(0, count).mapToObj(i -> random(random)).toList();
  }

  private static Command random(Random random) {
    BucketId bucket = new BucketId(1 + (random.nextLong() >>> 1), random.nextInt(256));
    String buyer = Integer.toString(random.nextInt(), 36).replace('-', '@');
    OrderToken token = TOKENS.tokenFor(buyer, bucket, null);
    return switch (random.nextInt(7)) {
      case 0 -> new Command.Confirm(token);
      case 1 -> new Command.Refund(token);
      case 2 -> new Command.Cancel(token, Reason.values()[random.nextInt(3)]);
      case 3 -> new Command.Confirm(token, "p|" + buyer);
      case 4 -> new Command.Extend(token, 1 + random.nextInt(86_400));
      case 5 -> new Command.RefundPart(token, "r-1", 0, Step.values()[1 + random.nextInt(2)]);
      default -> {
        long grantedAt = 1 + random.nextInt(Integer.MAX_VALUE) * 1_000L;
        Grant grant =
            new Grant(
                token,
                buyer,
                1 + random.nextInt(1_000),
                1 + (random.nextLong() >>> 1),
                1 + (random.nextLong() >>> 1),
                grantedAt,
                grantedAt + (long) (random.nextDouble() * 30 * DAY_MS),
                random.nextBoolean() ? 0 : random.nextLong() >>> 1,
                random.nextBoolean() ? null : "r|" + buyer);
        yield new Command.Reserve(
            grant,
            random.nextBoolean() ? null : "0a1b2c3d",
            random.nextBoolean() ? null : "t\"\\\u00e9" + buyer);
      }
    };
  }
}
