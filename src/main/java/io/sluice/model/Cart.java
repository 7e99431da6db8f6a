package io.sluice.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an order of several SKUs; docs/design-ledger.md section 7. Each line is a grant of
 * its bucket, under a token that differs from the others in SKU and bucket only. The one of the
 * lowest SKU id leads, and its token is the order's.
 *
 * @param lines {@link Limits#CART_LINES_MIN} to {@link Limits#CART_LINES_MAX}, by SKU id, which
 *     differ
 */
public record Cart(List<Line> lines) {
  private static final char BETWEEN_LINES = ',';
  private static final char BETWEEN_FIELDS = '.';
  private static final int FIELDS = 6;

  public Cart {
    lines = List.copyOf(lines);
    if (lines.size() < Limits.CART_LINES_MIN
        || lines.size() > Limits.CART_LINES_MAX
        || !areInOrder(lines)) {
      throw new IllegalArgumentException("Expected lines by SKU id, but got " + lines);
    }
  }

  /**
   * One SKU of the order.
   *
   * @param qty units, 1 to {@link Limits#QTY_MAX}
   * @param seq as in a grant
   * @param saleNo as in a grant
   * @param refundedQty units of it that are paid back; no part of what the line is
   */
  public record Line(BucketId bucket, int qty, long epoch, long seq, long saleNo, int refundedQty) {
    /** A line of which nothing is paid back. */
    public Line(BucketId bucket, int qty, long epoch, long seq, long saleNo) {
      this(bucket, qty, epoch, seq, saleNo, 0);
    }

    /** The same after so many units of it were paid back. */
    Line refunded(int units) {
      return new Line(bucket, qty, epoch, seq, saleNo, units);
    }

    private void appendTo(StringBuilder text) {
      text.append(bucket.skuId()).append(BETWEEN_FIELDS).append(bucket.bucket());
      text.append(BETWEEN_FIELDS).append(qty).append(BETWEEN_FIELDS).append(epoch);
      text.append(BETWEEN_FIELDS).append(seq).append(BETWEEN_FIELDS).append(saleNo);
    }

    private boolean isInRange() {
      return bucket.skuId() >= 1
          && bucket.bucket() >= 0
          && bucket.bucket() < Limits.BUCKETS_MAX
          && qty >= 1
          && qty <= Limits.QTY_MAX
          && epoch >= 1
          && seq >= 1
          && saleNo >= 0;
    }
  }

  private static boolean areInOrder(List<Line> lines) {
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i - 1).bucket().skuId() >= lines.get(i).bucket().skuId()) {
        return false;
      }
    }
    return true;
  }

  /** The line of the lowest SKU id. */
  public Line lead() {
    return lines.get(0);
  }

  /** Its line of this SKU, or null. */
  public @Nullable Line lineOf(long skuId) {
    return lines.stream().filter(line -> line.bucket().skuId() == skuId).findFirst().orElse(null);
  }

  /** The tokens of all lines, the lead's first. */
  public List<OrderToken> tokens(OrderToken anyOfThem) {
    return lines.stream().map(line -> anyOfThem.in(line.bucket())).toList();
  }

  /** The same with what was paid back of each line, in their order. */
  Cart refunded(List<Integer> units) {
    List<Line> after = new ArrayList<>(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      after.add(lines.get(i).refunded(units.get(i)));
    }
    return new Cart(after);
  }

  /**
   * The lines as stores keep them: {@code sku_id.bucket.qty.epoch.seq.sale_no}, with commas in
   * between. Two carts are the same if their texts are.
   */
  public String text() {
    StringBuilder text = new StringBuilder(24 * lines.size());
    for (Line line : lines) {
      if (text.length() > 0) {
        text.append(BETWEEN_LINES);
      }
      line.appendTo(text);
    }
    return text.toString();
  }

  /** The cart of a {@link #text}; empty if it is none. */
  public static Optional<Cart> parse(String text) {
    List<Line> lines = new ArrayList<>();
    for (String part : text.split(",", Limits.CART_LINES_MAX + 1)) {
      Line line = line(part);
      if (line == null) {
        return Optional.empty();
      }
      lines.add(line);
    }
    boolean isCart =
        lines.size() >= Limits.CART_LINES_MIN
            && lines.size() <= Limits.CART_LINES_MAX
            && areInOrder(lines);
    return isCart ? Optional.of(new Cart(lines)) : Optional.empty();
  }

  private static @Nullable Line line(String text) {
    long[] fields =
        Stream.of(text.split("\\.", -1))
            .mapToLong(each -> OrderToken.number(each, 0, each.length(), OrderToken.SKU_DIGITS_MAX))
            .toArray();
    if (fields.length != FIELDS || LongStream.of(fields).anyMatch(field -> field < 0)) {
      return null;
    }
    if (fields[1] >= Limits.BUCKETS_MAX || fields[2] > Limits.QTY_MAX) {
      return null;
    }
    BucketId bucket = new BucketId(fields[0], (int) fields[1]);
    Line line = new Line(bucket, (int) fields[2], fields[3], fields[4], fields[5]);
    return line.isInRange() ? line : null;
  }
}
