package io.sluice.ledger.mysql;

import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.History.Chapter;
import io.sluice.ledger.rules.BatchChanges.OrderMove.Kind;
import io.sluice.ledger.rules.BatchChanges.OrderNote;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.Order;
import io.sluice.model.Order.Life;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds orders from the rows that their life has left. */
final class OrderRows {
  private static final int REJECTED = 1;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  /** The id of a token: the last 22 characters, in 16 bytes. */
  private static final int ID_CHARACTERS = 22;

  private OrderRows() {}

  static Buffer idOf(OrderToken token) {
    String text = token.value();
    return Buffer.buffer(DECODER.decode(text.substring(text.length() - ID_CHARACTERS)));
  }

  /** The token of a row that begins with sku_id, bucket and order_token. */
  static OrderToken token(Row row) {
    return token(row.getLong(0), row.getInteger(1), row.getBuffer(2));
  }

  static OrderToken token(long skuId, int bucket, Buffer id) {
    String text = skuId + "." + bucket + "." + ENCODER.encodeToString(id.getBytes());
    return new OrderToken(skuId, bucket, text);
  }

  /** The parameters of a statement that looks tokens up; each token once. */
  static List<Tuple> tuples(Collection<OrderToken> tokens) {
    return tokens.stream()
        .distinct()
        .filter(OrderToken::isCanonical)
        .map(token -> Tuple.of(token.skuId(), token.bucket(), idOf(token)))
        .toList();
  }

  /** A move of an order. */
  private record Move(
      int step,
      Kind kind,
      @Nullable Reason reason,
      long atMs,
      int units,
      @Nullable String reference,
      boolean withdrawn) {
    Order after(Order order) {
      return switch (kind) {
        case CONFIRM -> order.paid(reference, atMs);
        case CANCEL -> order.changed(OrderStatus.CANCELED, reason, atMs);
        case REFUND -> order.refunded(units, refund(order.notes()), atMs);
        case LATE -> order.paidLate(reference, atMs);
      };
    }

    private OrderNotes refund(OrderNotes before) {
      OrderNotes notes = withdrawn ? before.withWithdrawn(units) : before;
      return reference == null
          ? notes
          : notes.with(new Refund(reference, units, Refund.State.COMPLETED));
    }
  }

  /** A row of a hold with one of its moves; null if it has none. */
  record Held(Order asBooked, @Nullable Move move) {
    /** Whether the order of a row of look_up_orders has notes. */
    static boolean isNoted(Row row) {
      return row.getInteger(19) != 0;
    }

    /** The database's clock when a row of read_orders was read, in milliseconds. */
    static long readAtMs(Row row) {
      return row.getLong(19);
    }

    static Held of(Row row) {
      Integer step = row.getInteger(10);
      String reason = row.getString(12);
      boolean withdrawn = Chapter.WITHDRAWN.equals(reason);
      return new Held(
          orderOf(
              row,
              OrderStatus.PENDING,
              null,
              row.getLong(15),
              row.getString(14),
              cart(row.getString(18))),
          step == null
              ? null
              : new Move(
                  step,
                  Kind.valueOf(row.getString(11)),
                  withdrawn ? null : reason(reason),
                  row.getLong(13),
                  row.getInteger(16),
                  row.getString(17),
                  withdrawn));
    }
  }

  /** The orders of these rows, which are in no order. */
  static Map<OrderToken, Order> orders(List<Held> rows) {
    Map<OrderToken, Order> orders = new HashMap<>(2 * rows.size());
    List<Held> moved = new ArrayList<>();
    for (Held row : rows) {
      orders.putIfAbsent(row.asBooked().token(), row.asBooked());
      if (row.move() != null) {
        moved.add(row);
      }
    }
    moved.sort(Comparator.comparingInt(row -> stepOf(row.move())));
    for (Held row : moved) {
      Move move = row.move();
      if (move != null) {
        orders.computeIfPresent(row.asBooked().token(), (token, order) -> move.after(order));
      }
    }
    return orders;
  }

  private static int stepOf(@Nullable Move move) {
    return move == null ? 0 : move.step();
  }

  /** A row of a rejected order, or of a payment that came for one. */
  record Rejected(Order order, int step, @Nullable String paymentRef) {
    static Rejected of(Row row) {
      return new Rejected(
          orderOf(
              row,
              OrderStatus.REJECTED,
              reason(row.getString(11)),
              row.getLong(13),
              null,
              cart(row.getString(14))),
          row.getInteger(10),
          row.getString(12));
    }
  }

  /** The rejected orders of these rows, which are in no order. */
  static Map<OrderToken, Order> rejected(List<Rejected> rows) {
    Map<OrderToken, Order> orders = new HashMap<>();
    for (Rejected row : rows) {
      if (row.step() == REJECTED) {
        orders.put(row.order().token(), row.order());
      }
    }
    for (Rejected row : rows) {
      if (row.step() != REJECTED) {
        orders.computeIfPresent(
            row.order().token(),
            (token, order) -> order.paidLate(row.paymentRef(), row.order().updatedAtMs()));
      }
    }
    return orders;
  }

  private static Order orderOf(
      Row row,
      OrderStatus status,
      @Nullable Reason reason,
      long saleNo,
      @Nullable String reference,
      @Nullable Cart cart) {
    return new Order(
        grant(row, saleNo, reference, cart), Life.first(status, reason, row.getLong(9)), false);
  }

  static @Nullable Cart cart(@Nullable String text) {
    return text == null
        ? null
        : Cart.parse(text)
            .orElseThrow(
                () -> new IllegalStateException("Expected the lines of an order, but got " + text));
  }

  private static @Nullable Reason reason(@Nullable String name) {
    return name == null ? null : Reason.valueOf(name);
  }

  /** A hold as it is loaded into Redis. */
  static LoadRow loadRow(Row row) {
    String ended = row.getString(10);
    Grant grant = grant(row, row.getLong(13), row.getString(12), cart(row.getString(14)));
    boolean occupies = ended == null || Kind.CONFIRM.name().equals(ended);
    long refunded = row.getLong(11);
    int left = occupies ? grant.qty() - (int) refunded : 0;
    return new LoadRow(grant, left, (int) (refunded >>> Integer.SIZE), false);
  }

  /** A rejected order as it is loaded into Redis. */
  static LoadRow loadReject(Row row) {
    return new LoadRow(grant(row, 0, null, cart(row.getString(12))), 0, true);
  }

  private static Grant grant(
      Row row, long saleNo, @Nullable String reference, @Nullable Cart cart) {
    Units units =
        new Units(
            row.getInteger(4),
            row.getLong(5),
            row.getLong(6),
            row.getLong(8),
            row.getLong(7),
            saleNo);
    return new Grant(OrderRows.token(row), row.getString(3), units, reference, cart);
  }

  /** A hold that is due; the token is null if it has ended. */
  record Due(int partition, DuePlace place, @Nullable OrderToken token) implements Comparable<Due> {
    static Due of(Row row) {
      BucketId bucket = new BucketId(row.getLong(1), row.getInteger(2));
      Buffer id = row.getBuffer(5);
      return new Due(
          row.getInteger(6),
          new DuePlace(row.getLong(0), bucket, row.getLong(3), row.getLong(4)),
          id == null ? null : OrderRows.token(bucket.skuId(), bucket.bucket(), id));
    }

    @Override
    public int compareTo(Due other) {
      return place.compareTo(other.place);
    }
  }

  /** A row of a note. */
  record Noted(
      OrderToken token,
      OrderNote.Kind kind,
      @Nullable String reference,
      int units,
      long payBeforeMs,
      long atMs) {
    /** Notes of an order are in no order, so the latest deadline counts. */
    Order after(Order order) {
      long updatedAtMs = Math.max(order.updatedAtMs(), atMs);
      OrderNotes notes = order.notes();
      return switch (kind) {
        case PAID, DOUBLE -> order.noted(notes.withPayment(reference), updatedAtMs);
        case EXTENDED -> order.extended(Math.max(order.payBeforeMs(), payBeforeMs), updatedAtMs);
        case ASKED ->
            order.noted(notes.with(refund(reference, Refund.State.REQUESTED)), updatedAtMs);
        case DROPPED ->
            order.noted(notes.with(refund(reference, Refund.State.REJECTED)), updatedAtMs);
      };
    }

    private Refund refund(@Nullable String id, Refund.State state) {
      return new Refund(id == null ? "" : id, units, state);
    }
  }

  /** Changes those of these orders that have notes. */
  static void addTo(Map<OrderToken, Order> orders, List<Noted> notes) {
    for (Noted noted : notes) {
      orders.computeIfPresent(noted.token(), (token, order) -> noted.after(order));
    }
  }
}
