package io.sluice.config.value;

import io.netty.util.NetUtil;

/**
 * The address that counts as one caller: an IPv4 address, or the first 64 bits of an IPv6 address,
 * since a caller has all addresses behind them.
 */
public final class SourceAddress {
  private static final int IPV6_BYTES = 16;
  private static final int NETWORK_BYTES = 8;
  private static final String IPV4_MAPPED = "::ffff:";

  private SourceAddress() {}

  /** The address for counting; itself if it is none. */
  public static String of(String caller) {
    if (caller.indexOf(':') < 0) {
      return caller;
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(caller.replaceFirst("%.*", ""));
    if (bytes == null || bytes.length != IPV6_BYTES) {
      return bytes == null ? caller : NetUtil.bytesToIpAddress(bytes);
    }
    String mapped = caller.startsWith(IPV4_MAPPED) ? caller.substring(IPV4_MAPPED.length()) : "";
    if (NetUtil.isValidIpV4Address(mapped)) {
      return mapped;
    }
    for (int i = NETWORK_BYTES; i < IPV6_BYTES; i++) {
      bytes[i] = 0;
    }
    return NetUtil.bytesToIpAddress(bytes);
  }
}
