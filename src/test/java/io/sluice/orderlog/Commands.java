package io.sluice.orderlog;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
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
        Grants.of(token(buyer), buyer, 1, 7, 1, 1_000_000, 1_300_000), "trace-" + buyer);
  }

  /** This buyer's reservation of one unit each of so many SKUs, from SKU 1001 on. */
  public static Command reserveCart(String buyer, int lines) {
    Cart cart =
        new Cart(
            IntStream.range(0, lines)
                .mapToObj(i -> new Cart.Line(new BucketId(1001 + i, 0), 1, 1, 7 + i, 0))
                .toList());
    return new Command.Reserve(
        Grants.ofLead(cart, token(buyer), buyer, 1_000_000, 1_300_000, null), "trace-" + buyer);
  }

  public static Command confirm(String buyer) {
    return new Command.Confirm(token(buyer));
  }

  static List<Command> random(Random random, int count) {
    return IntStream.range(0, count).mapToObj(i -> random(random)).toList();
  }

  private static Command random(Random random) {
    BucketId bucket = new BucketId(positive(random), random.nextInt(256));
    String buyer = Integer.toString(random.nextInt(), 36).replace('-', '@');
    OrderToken token = TOKENS.tokenFor(buyer, bucket, null);
    return switch (random.nextInt(9)) {
      case 0 -> new Command.Confirm(token);
      case 1 -> new Command.Refund(token);
      case 2 -> new Command.Cancel(token, Reason.values()[random.nextInt(3)]);
      case 3 -> new Command.Confirm(token, "p|" + buyer);
      case 4 -> new Command.Extend(token, 1 + random.nextInt(86_400));
      case 5 -> new Command.RefundPart(token, "r-1", 0, Step.values()[1 + random.nextInt(2)]);
      case 6 -> new Command.RefundPart(token, "r-1", qty(random), Step.REQUEST, positive(random));
      case 7 -> reserve(random, token, buyer, cart(random, bucket));
      default -> reserve(random, token, buyer, null);
    };
  }

  private static Command reserve(Random random, OrderToken token, String buyer, Cart cart) {
    long grantedAt = 1 + random.nextInt(Integer.MAX_VALUE) * 1_000L;
    long payBefore = grantedAt + (long) (random.nextDouble() * 30 * DAY_MS);
    String reference = random.nextBoolean() ? null : "r|" + buyer;
    Grant grant =
        cart == null
            ? Grants.of(
                token,
                buyer,
                qty(random),
                positive(random),
                positive(random),
                grantedAt,
                payBefore,
                saleNo(random),
                reference)
            : Grants.ofLead(cart, token, buyer, grantedAt, payBefore, reference);
    return new Command.Reserve(
        grant,
        random.nextBoolean() ? null : "0a1b2c3d",
        random.nextBoolean() ? null : "t\"\\\u00e9" + buyer);
  }

  /** With this bucket, and others of higher SKU ids. */
  private static Cart cart(Random random, BucketId lead) {
    int others = 1 + random.nextInt(Limits.CART_LINES_MAX - 1);
    long[] skuIds =
        random.longs(others, lead.skuId() + 1, Long.MAX_VALUE).sorted().distinct().toArray();
    return new Cart(
        IntStream.rangeClosed(0, skuIds.length)
            .mapToObj(i -> i == 0 ? lead : new BucketId(skuIds[i - 1], random.nextInt(256)))
            .map(bucket -> line(random, bucket))
            .toList());
  }

  private static Cart.Line line(Random random, BucketId bucket) {
    return new Cart.Line(bucket, qty(random), positive(random), positive(random), saleNo(random));
  }

  private static int qty(Random random) {
    return 1 + random.nextInt(Limits.QTY_MAX);
  }

  private static long saleNo(Random random) {
    return random.nextBoolean() ? 0 : random.nextLong() >>> 1;
  }

  private static long positive(Random random) {
    return 1 + (random.nextLong() >>> 1);
  }
}
