package io.sluice.web.connection;

import io.sluice.config.value.Cidr;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** How many connections of a port each address has; shared by its event loops. */
public final class AddressCounts {
  /** The address of connections that count for none. */
  static final String NOBODY = "";

  private final int max;
  private final List<Cidr> exempt;
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  /**
   * @param max connections of one address; 0 = any number
   * @param exempt addresses that call for many others
   */
  public AddressCounts(int max, List<Cidr> exempt) {
    this.max = max;
    this.exempt = exempt;
  }

  /** Counts a connection; null if its address has as many as it may have. */
  @Nullable String enter(@Nullable String ip) {
    if (max == 0 || ip == null || Cidr.anyContains(exempt, ip)) {
      return NOBODY;
    }
    String address = Cidr.sourceOf(ip);
    AtomicBoolean entered = new AtomicBoolean();
    counts.compute(
        address,
        (key, count) -> {
          int before = count == null ? 0 : count;
          entered.set(before < max);
          return before < max ? before + 1 : before;
        });
    return entered.get() ? address : null;
  }

  /** Ends one that {@link #enter} has counted for this address. */
  void leave(String address) {
    counts.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
  }
}
