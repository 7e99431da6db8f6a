package io.sluice.admission;

import io.sluice.config.value.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The wrong signatures of tokens and tickets in the last minute, by their senders. A sender is the
 * buyer whom a gateway names, the address (of IPv6 the first 64 bits), and the first 56 bits of it.
 * A sender of too many is refused before another signature is looked at, so that what all may cost
 * together is left to the others. Thread-safe; bounded as {@link SlotTable} says.
 */
final class WrongSignatures {
  static final int OF_BUYER = 5;
  static final int OF_ADDRESS = 30;
  static final int OF_SITE = 120;

  /** Of a trusted proxy that does not say for whom it calls: they are many. */
  static final int OF_PROXY = 6_000;

  /** 4 MiB, 8,192 senders. */
  private static final int WORDS_MAX = 1 << 19;

  private final CallWindows windows = new CallWindows(OF_BUYER, WORDS_MAX);
  private final ToLongFunction<String> id;
  private final LongSupplier nowMs;
  private final List<Cidr> proxies;

  /**
   * @param id the hash of a text, not 0
   * @param nowMs of a monotonic clock, more than 0
   * @param proxies who may call for many; addresses here are those of sources, so theirs are as
   *     well
   */
  WrongSignatures(ToLongFunction<String> id, LongSupplier nowMs, List<Cidr> proxies) {
    this.id = id;
    this.nowMs = nowMs;
    this.proxies = proxies.stream().map(Cidr::ofSources).toList();
  }

  /** A sender of tokens, and how many wrong ones are too many. */
  private record Sender(String name, int limit) {}

  /**
   * A caller who has sent too many.
   *
   * @param isBuyer whether it is the buyer, not the address
   */
  record Over(int limit, long retryAfterMs, boolean isBuyer) {}

  /** Whether this caller has sent too many; null if not. */
  @Nullable Over over(@Nullable String buyer, String address) {
    for (Sender sender : senders(buyer, address)) {
      long waitMs =
          windows.untilFewer(id.applyAsLong(sender.name()), sender.limit(), nowMs.getAsLong());
      if (waitMs > 0) {
        return new Over(sender.limit(), waitMs, sender.limit() == OF_BUYER);
      }
    }
    return null;
  }

  /** Counts a wrong one. */
  void add(@Nullable String buyer, String address) {
    for (Sender sender : senders(buyer, address)) {
      windows.add(id.applyAsLong(sender.name()), nowMs.getAsLong());
    }
  }

  /** Counts a buyer who goes on when there are too many, and returns how often he did. */
  long overrun(String buyer) {
    return windows.add(id.applyAsLong("overrun " + buyer), nowMs.getAsLong());
  }

  private List<Sender> senders(@Nullable String buyer, String address) {
    List<Sender> found = new ArrayList<>();
    if (buyer != null) {
      found.add(new Sender("buyer " + buyer, OF_BUYER));
    }
    if (Cidr.anyContains(proxies, address)) {
      found.add(new Sender(address, OF_PROXY));
      return found;
    }
    found.add(new Sender(address, OF_ADDRESS));
    String site = CallerAddress.site(address);
    if (site != null) {
      found.add(new Sender(site, OF_SITE));
    }
    return found;
  }
}
