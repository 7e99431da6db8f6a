package io.sluice.admission;

import io.netty.util.NetUtil;
import io.sluice.config.Cidr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address that a call comes from, behind proxies. Each adds the address that it was
 * called from at the end of {@code X-Forwarded-For}, so the right-most one that is not a trusted
 * proxy's is the caller's. Everything to its left can be invented.
 */
final class CallerAddress {
  /** More hops are not looked at. */
  private static final int HOPS_MAX = 16;

  private static final int IPV6_BYTES = 16;
  private static final int SITE_BYTES = 7;

  private CallerAddress() {}

  /**
   * The caller's address, for counting: of an IPv6 address the first 64 bits, since a caller has
   * all addresses behind them.
   *
   * @param peer the address of the connection; null if it has none
   * @param forwarded the values of X-Forwarded-For, in order
   */
  static String of(@Nullable String peer, List<String> forwarded, List<Cidr> proxies) {
    String caller = peer == null ? "" : peer;
    int hops = 0;
    for (int i = forwarded.size() - 1; i >= 0; i--) {
      String[] chain = forwarded.get(i).split(",", -1);
      for (int at = chain.length - 1; at >= 0; at--) {
        String hop = address(chain[at].strip());
        if (hop == null || ++hops > HOPS_MAX || !Cidr.anyContains(proxies, caller)) {
          return Cidr.sourceOf(caller);
        }
        caller = hop;
      }
    }
    return Cidr.sourceOf(caller);
  }

  /**
   * The first 56 bits of a caller's IPv6 address, as many as providers give to one household or
   * firm; null for an IPv4 address.
   *
   * @param counted what {@link #of} has returned
   */
  static @Nullable String site(String counted) {
    byte[] bytes =
        counted.indexOf(':') < 0 ? null : NetUtil.createByteArrayFromIpAddressString(counted);
    if (bytes == null || bytes.length != IPV6_BYTES) {
      return null;
    }
    bytes[SITE_BYTES] = 0;
    return NetUtil.bytesToIpAddress(bytes) + "/56";
  }

  /** The address without port and brackets; null if it is none. */
  private static @Nullable String address(String hop) {
    String text = hop;
    int closing = text.indexOf(']');
    if (text.startsWith("[") && closing > 0) {
      text = text.substring(1, closing);
    } else if (text.indexOf(':') == text.lastIndexOf(':') && text.indexOf(':') > 0) {
      text = text.substring(0, text.indexOf(':'));
    }
    return NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text) ? text : null;
  }
}
